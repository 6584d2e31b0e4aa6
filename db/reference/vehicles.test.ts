import { expect, test } from 'vitest'
import { readModelAliases } from './model-aliases.ts'
import { readKnownModels, readVehicles, type Vehicle } from './vehicles.ts'

const { vehicles, fitments } = readVehicles()
const known = readKnownModels(vehicles)
const find = (year: number, model: string, trim: string): Vehicle | undefined =>
  vehicles.find((vehicle) => vehicle.year === year && vehicle.model === model && vehicle.trim === trim)

test('known vehicles have their sizes', () => {
  const sizesOf = (vehicle: Vehicle | undefined): string[] =>
    fitments
      .filter((fitment) => fitment.vehicle_id === vehicle?.id)
      .map((fitment) => `${fitment.front_size} ${fitment.front_load_index}${fitment.front_speed} ${fitment.source}`)
  expect(sizesOf(find(2019, 'CR-V', 'EX'))).toEqual(['235/60R18 103H catalog'])
  expect(sizesOf(find(2018, 'Camry', 'LE'))).toEqual(['205/65R16 95H catalog'])
})

test('a Rubicon requires load range C tires, and a staggered option belongs to its trim', () => {
  const requirementsOf = (year: number, model: string, trim: string): string[] => {
    const vehicle = find(year, model, trim)
    return fitments
      .filter((fitment) => fitment.vehicle_id === vehicle?.id)
      .map(
        ({ front_size, front_load_index, rear_size, rear_load_index }) =>
          `${front_size} ${front_load_index} ${rear_size} ${rear_load_index}`,
      )
  }
  expect(requirementsOf(2019, 'Wrangler', 'Rubicon')).toEqual(['LT285/70R17 116 LT285/70R17 116'])
  expect(requirementsOf(2018, '3 Series', '340i M Sport 19in staggered')).toEqual(['225/40R19 93 255/35R19 96'])
  expect(requirementsOf(2018, '3 Series', '328i')).toEqual([])
})

test('vehicle classes are correct', () => {
  const classOf = (model: string): string | undefined => vehicles.find((vehicle) => vehicle.model === model)?.vclass
  expect(
    ['Civic', 'CR-V', 'F-150', 'Odyssey', 'Silverado 1500', 'Model 3', 'Outback', 'Wrangler', 'Sprinter'].map(classOf),
  ).toEqual(['car', 'suv', 'truck', 'van', 'truck', 'car', 'suv', 'suv', 'van'])
})

test('the drive is given only if certain', () => {
  expect(find(2019, 'CR-V', 'EX')?.drive).toBe('na')
  expect(
    vehicles.filter((vehicle) => vehicle.model === 'Outback' && vehicle.year === 2019).map((vehicle) => vehicle.drive),
  ).toSatisfy((drives: string[]) => drives.every((drive) => drive === 'awd'))
  for (const vehicle of vehicles.filter((candidate) => /\bAWD\b/.test(candidate.trim)))
    expect(vehicle.drive).toBe('awd')
})

test('rows that another list contradicts are weak', () => {
  const sources = Map.groupBy(fitments, (fitment) => fitment.source)
  expect(sources.get('catalog')).toHaveLength(11_222)
  expect(sources.get('weak')).toHaveLength(1_567)
})

test('vehicle slugs are unique', () => {
  expect(
    new Set(
      vehicles.map((vehicle) => `${vehicle.year}/${vehicle.make_slug}/${vehicle.model_slug}/${vehicle.trim_slug}`),
    ).size,
  ).toBe(vehicles.length)
  expect(vehicles.filter((vehicle) => !vehicle.make_slug || !vehicle.model_slug || !vehicle.trim_slug)).toEqual([])
})

test('a model has one name, whatever other lists use', () => {
  const isKnown = (year: number, make: string, model: string) =>
    known.some((row) => row.make === make && row.model === model && row.first_year <= year && year <= row.last_year)
  const spelled = (year: number, make: string, model: string) => [
    ...new Set([
      ...vehicles
        .filter((row) => row.year === year && row.make === make && row.model.startsWith(model))
        .map((row) => row.model),
      ...known
        .filter(
          (row) => row.make === make && row.model.startsWith(model) && row.first_year <= year && year <= row.last_year,
        )
        .map((row) => row.model),
    ]),
  ]
  expect(spelled(2017, 'Ford', 'F-250')).toEqual(['F-250 Super Duty'])
  expect(spelled(1995, 'Ford', 'F-250')).toEqual(['F-250'])
  expect(spelled(2018, 'Mercedes-Benz', 'GLC')).toEqual(['GLC'])
  expect(spelled(2018, 'Mazda', '3')).toEqual([])
  expect(isKnown(2018, 'BMW', '330i')).toBe(false)
  // A name shared by several models becomes all of them, so that the heavier truck's owners don't see the lighter one's
  // tires.
  expect(spelled(2015, 'Chevrolet', 'Silverado').sort()).toEqual([
    'Silverado 1500',
    'Silverado 2500HD',
    'Silverado 3500HD',
  ])
  expect(
    spelled(2006, 'Dodge', 'Ram')
      .filter((model) => /^Ram( \d+)?$/.test(model))
      .sort(),
  ).toEqual(['Ram 1500', 'Ram 2500', 'Ram 3500'])
  expect(spelled(1998, 'Dodge', 'Ram 1500')).toEqual(['Ram 1500'])
  expect(isKnown(2012, 'Dodge', 'Ram 1500')).toBe(false)
  expect(isKnown(2004, 'Dodge', 'Caravan/Grand Caravan')).toBe(false)
  for (const { model, make, first_year, last_year } of known.filter((row) => row.model.includes('/')))
    for (const part of model.split('/'))
      expect({ model, part, found: isKnown(first_year, make, part) || isKnown(last_year, make, part) }).toMatchObject({
        found: false,
      })
})

test('every alias refers to an existing model, and is not a model itself in those years', () => {
  const years = new Map<string, Set<number>>()
  const add = (key: string, year: number) => years.set(key, (years.get(key) ?? new Set()).add(year))
  for (const row of vehicles) add(`${row.make_slug} ${row.model_slug}`, row.year)
  for (const row of known)
    for (let year = row.first_year; year <= row.last_year; year++) add(`${row.make_slug} ${row.model_slug}`, year)
  for (const { make_slug, alias_slug, model_make_slug, model_slug, first_year, last_year } of readModelAliases()) {
    expect({ alias_slug, model_slug, isModel: years.has(`${model_make_slug} ${model_slug}`) }).toMatchObject({
      isModel: true,
    })
    const own = [...(years.get(`${make_slug} ${alias_slug}`) ?? [])].filter(
      (year) => (first_year ?? year) <= year && year <= (last_year ?? year),
    )
    expect({ make_slug, alias_slug, own }).toMatchObject({ own: [] })
  }
})

test('known models cover only years without listed sizes', () => {
  expect(known.length).toBeGreaterThan(2_000)
  const listed = new Set(vehicles.map((vehicle) => `${vehicle.year} ${vehicle.make_slug} ${vehicle.model_slug}`))
  const both = known.filter(({ first_year, last_year, make_slug, model_slug }) =>
    Array.from({ length: last_year - first_year + 1 }, (_, index) => first_year + index).some((year) =>
      listed.has(`${year} ${make_slug} ${model_slug}`),
    ),
  )
  expect(both).toEqual([])
  expect(new Set(known.map((model) => `${model.make_slug} ${model.model_slug} ${model.first_year}`)).size).toBe(
    known.length,
  )
})

test('a discontinued model ends with its last year in the mileage guide, and a current one does not', () => {
  const lastYear = (make: string, model: string) =>
    Math.max(
      ...vehicles.filter((row) => row.make === make && row.model === model).map(({ year }) => year),
      ...known.filter((row) => row.make === make && row.model === model).map((row) => row.last_year),
    )
  // vPIC lists all of the first through 2026.
  expect(
    Object.fromEntries(
      ['Focus', 'Fiesta', 'Flex', 'EcoSport', 'Edge'].map((model) => [model, lastYear('Ford', model)]),
    ),
  ).toEqual({ Focus: 2018, Fiesta: 2019, Flex: 2019, EcoSport: 2022, Edge: 2024 })
  expect(lastYear('Toyota', 'Celica')).toBe(2005)
  expect(lastYear('Hyundai', 'Santa Fe XL')).toBe(2019)
  expect(lastYear('Plymouth', 'Grand Voyager')).toBe(2001)
  // Current models that the guide files under another name, as a variant, or not at all.
  for (const [make, model] of [
    ['Ford', 'F-350'],
    ['Ford', 'Transit'],
    ['Ford', 'Expedition MAX'],
    ['Ram', '3500'],
    ['Chevrolet', 'Silverado 3500HD'],
    ['Chevrolet', 'Express'],
    ['Cadillac', 'Escalade ESV'],
    ['Audi', 'RS 7'],
    ['BMW', 'M5'],
    ['Tesla', 'Cybertruck'],
    ['GMC', 'Hummer EV Pickup'],
    ['Land Rover', 'Range Rover Evoque'],
  ] as const)
    expect(lastYear(make, model), `${make} ${model}`).toSatisfy((year: number) => year >= 2026)
})

test('a name of two models in some years is neither of them then', () => {
  const years = known
    .filter((row) => row.make === 'Hyundai' && row.model === 'Santa Fe')
    .map((row) => [row.first_year, row.last_year])
  expect(years).toEqual([[2001, 2006]])
})
