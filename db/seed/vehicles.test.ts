import { expect, test } from 'vitest'
import { readKnownModels, readVehicles, type Vehicle } from './vehicles.ts'

const { vehicles, fitments } = readVehicles()
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

test('a Rubicon asks for load range C tires, and a staggered option is one of its trim', () => {
  const needsOf = (year: number, model: string, trim: string): string[] => {
    const vehicle = find(year, model, trim)
    return fitments
      .filter((fitment) => fitment.vehicle_id === vehicle?.id)
      .map(({ front_size, front_load_index, rear_size, rear_load_index }) => `${front_size} ${front_load_index} ${rear_size} ${rear_load_index}`)
  }
  expect(needsOf(2019, 'Wrangler', 'Rubicon')).toEqual(['LT285/70R17 116 LT285/70R17 116'])
  expect(needsOf(2018, '3 Series', '340i M Sport 19in staggered')).toEqual(['225/40R19 93 255/35R19 96'])
  expect(needsOf(2018, '3 Series', '328i')).toEqual([])
})

test('classes of vehicle follow what they are', () => {
  const classOf = (model: string): string | undefined => vehicles.find((vehicle) => vehicle.model === model)?.vclass
  expect(['Civic', 'CR-V', 'F-150', 'Odyssey', 'Silverado 1500', 'Model 3', 'Outback', 'Wrangler', 'Sprinter'].map(classOf)).toEqual([
    'car',
    'suv',
    'truck',
    'van',
    'truck',
    'car',
    'suv',
    'suv',
    'van',
  ])
})

test('the drive is said only where it is sure', () => {
  expect(find(2019, 'CR-V', 'EX')?.drive).toBe('na')
  expect(vehicles.filter((vehicle) => vehicle.model === 'Outback' && vehicle.year === 2019).map((vehicle) => vehicle.drive)).toSatisfy((drives: string[]) =>
    drives.every((drive) => drive === 'awd'),
  )
  for (const vehicle of vehicles.filter((candidate) => /\bAWD\b/.test(candidate.trim))) expect(vehicle.drive).toBe('awd')
})

test('rows that another list contradicts are weak', () => {
  const sources = Map.groupBy(fitments, (fitment) => fitment.source)
  expect([sources.get('catalog')?.length, sources.get('weak')?.length]).toEqual([11_222, 1_567])
})

test('an address names one vehicle', () => {
  expect(new Set(vehicles.map((vehicle) => `${vehicle.year}/${vehicle.make_slug}/${vehicle.model_slug}/${vehicle.trim_slug}`)).size).toBe(vehicles.length)
  expect(vehicles.filter((vehicle) => !vehicle.make_slug || !vehicle.model_slug || !vehicle.trim_slug)).toEqual([])
})

test('models without listed sizes are known for the other years only', () => {
  const known = readKnownModels(vehicles)
  expect(known.length).toBeGreaterThan(2_000)
  const listed = new Set(vehicles.map((vehicle) => `${vehicle.year} ${vehicle.make_slug} ${vehicle.model_slug}`))
  const both = known.filter(({ first_year, last_year, make_slug, model_slug }) =>
    Array.from({ length: last_year - first_year + 1 }, (_, index) => first_year + index).some((year) => listed.has(`${year} ${make_slug} ${model_slug}`)),
  )
  expect(both).toEqual([])
  expect(new Set(known.map((model) => `${model.make_slug} ${model.model_slug} ${model.first_year}`)).size).toBe(known.length)
})
