import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  findChosenVehicle,
  findVehicle,
  listChoices,
  listMakes,
  listModels,
  listPopularVehicles,
  listVehiclesWithSize,
  listYears,
} from './vehicles.server.ts'
import type { ChosenVehicle } from './vehicles.ts'

const crv = { year: 2019, makeSlug: 'honda', modelSlug: 'cr-v' }
const choice: ChosenVehicle = {
  ...crv,
  vehicleId: null,
  fitmentId: null,
  name: '2019 Honda CR-V',
  confirmed: false,
  label: null,
}

test('each list of the finder opens once everything before it is chosen', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const years = await listChoices(test, {})
  expect(years.years).toEqual(years.years.toSorted((a, b) => b - a))
  expect(years.years).toEqual(expect.arrayContaining([1984, 2019, 2026]))
  expect(years).toMatchObject({ makes: [], models: [], trims: [] })

  const { makes, models } = await listChoices(test, { year: 2019 })
  expect(makes).toContainEqual({ slug: 'honda', name: 'Honda', hasSizes: true })
  // Makes with sizes come first, each group by name.
  const names = (hasSizes: boolean) => makes.filter((make) => make.hasSizes === hasSizes).map(({ name }) => name)
  expect(makes.map(({ name }) => name)).toEqual([...names(true).toSorted(), ...names(false).toSorted()])
  expect(names(false).length).toBeGreaterThan(0)
  expect(models).toEqual([])

  const whole = await listChoices(test, crv)
  expect(whole.models).toContainEqual({ slug: 'cr-v', name: 'CR-V', hasSizes: true })
  expect(whole.models.some(({ hasSizes }) => !hasSizes)).toBe(true)
  expect(whole.trims.map(({ name }) => name)).toEqual(['EX', 'EX-L', 'LX', 'Touring'])
})

test('finds all trims of a year, or the one asked for', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const all = await findVehicle(test, crv)
  if (!all.ok || all.value.kind !== 'sized') throw new Error('The CR-V is listed.')
  expect(all.value.name).toBe('2019 Honda CR-V')
  expect(all.value.trims).toHaveLength(4)
  const one = await findVehicle(test, { ...crv, trimSlug: 'ex' })
  expect(one).toMatchObject({
    ok: true,
    value: {
      kind: 'sized',
      name: '2019 Honda CR-V EX',
      trims: [
        {
          vehicle: { trim: 'EX', vehicleClass: 'suv' },
          fitments: [
            { front: { size: '235/60R18', loadIndex: 103, speed: 'H' }, isStaggered: false, source: 'catalog' },
          ],
        },
      ],
    },
  })
  if (one.ok && one.value.kind === 'sized') expect(one.value.otherTrims).toHaveLength(3)
  expect(await findVehicle(test, { ...crv, trimSlug: 'type-r' })).toMatchObject({
    ok: false,
    reason: 'vehicle-not-found',
  })
  expect(await findVehicle(test, { ...crv, modelSlug: 'batmobile' })).toMatchObject({
    ok: false,
    reason: 'vehicle-not-found',
  })
})

test('includes models without listed sizes, and staggered ones', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  expect(await findVehicle(test, { year: 1991, makeSlug: 'acura', modelSlug: 'nsx' })).toMatchObject({
    ok: true,
    value: { kind: 'known', name: '1991 Acura NSX', model: { vehicleClass: 'car' } },
  })
  expect(await findVehicle(test, { year: 2020, makeSlug: 'chevrolet', modelSlug: 'corvette' })).toMatchObject({
    ok: true,
    value: {
      trims: [{ fitments: [{ isStaggered: true, front: { size: '245/35R19' }, rear: { size: '305/30R20' } }] }],
    },
  })
})

test('reads a chosen vehicle with its requirement', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const all = await findVehicle(test, { ...crv, trimSlug: 'ex' })
  if (!all.ok || all.value.kind !== 'sized') throw new Error('The CR-V is listed.')
  const [{ vehicle, fitments }] = all.value.trims
  const read = async (change: Partial<ChosenVehicle>) => {
    const found = await findChosenVehicle(test, { ...choice, ...change })
    return found.ok
      ? {
          name: found.value.name,
          source: found.value.requirement.source,
          configurations: found.value.requirement.configurations.length,
        }
      : found.reason
  }
  // The Touring's data is weak.
  expect(await read({})).toEqual({ name: '2019 Honda CR-V', source: 'weak', configurations: 4 })
  expect(await read({ vehicleId: vehicle.id })).toEqual({
    name: '2019 Honda CR-V EX',
    source: 'catalog',
    configurations: 1,
  })
  expect(await read({ vehicleId: vehicle.id, fitmentId: fitments[0]!.id, confirmed: true })).toEqual({
    name: '2019 Honda CR-V EX',
    source: 'placard',
    configurations: 1,
  })
  // A trim or size no longer listed leaves the choice open instead of breaking the page.
  expect(await read({ vehicleId: 2_000_000_000, fitmentId: 2_000_000_000, confirmed: true })).toEqual({
    name: '2019 Honda CR-V',
    source: 'weak',
    configurations: 4,
  })
  expect(await read({ modelSlug: 'batmobile' })).toBe('vehicle-not-found')
  const label = { front: '205/50R15 85V', rear: '225/50R16 91V' }
  expect(await read({ year: 1991, makeSlug: 'acura', modelSlug: 'nsx', confirmed: true, label })).toEqual({
    name: '1991 Acura NSX',
    source: 'placard',
    configurations: 1,
  })
})

test('the directory leads from make to year', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const makes = await listMakes(test)
  expect(makes.filter(({ hasSizes }) => hasSizes)).toHaveLength(46)
  // Makes without sizes follow, with their production years.
  expect(makes.slice(0, 46).every(({ hasSizes }) => hasSizes)).toBe(true)
  expect(makes.length).toBeGreaterThan(46)
  expect(makes.find(({ slug }) => slug === 'honda')).toMatchObject({ name: 'Honda', lastYear: 2027 })
  const honda = await listModels(test, 'honda')
  expect(honda).toMatchObject({ ok: true, value: { make: 'Honda' } })
  expect(honda.ok && honda.value.models.length).toBe(makes.find(({ slug }) => slug === 'honda')?.models)
  expect(honda.ok && honda.value.sizes).toContain('235/60R18')
  const years = await listYears(test, 'honda', 'cr-v')
  if (!years.ok) throw new Error('The CR-V is listed.')
  expect(years.value).toMatchObject({ make: 'Honda', model: 'CR-V' })
  expect(years.value.years.map(({ year }) => year)).toEqual(
    years.value.years.map(({ year }) => year).sort((a, b) => b - a),
  )
  expect(years.value.years.find(({ year }) => year === 2019)?.sizes.toSorted()).toEqual(['235/60R18', '235/65R17'])
  expect(await listModels(test, 'acme')).toMatchObject({ ok: false, reason: 'vehicle-not-found' })
  expect(await listYears(test, 'acura', 'batmobile')).toMatchObject({ ok: false, reason: 'vehicle-not-found' })
  // Years without sizes are listed in order among the others.
  const nsx = await listYears(test, 'acura', 'nsx')
  expect(nsx.ok && nsx.value.years.find(({ year }) => year === 1991)).toEqual({ year: 1991, sizes: [] })
})

test('finds a model by its other names, except a name shared by several', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const f250 = await findVehicle(test, { year: 2017, makeSlug: 'ford', modelSlug: 'f-250' })
  expect(f250).toMatchObject({ ok: true, value: { kind: 'sized', name: '2017 Ford F-250 Super Duty' } })
  expect(f250.ok && f250.value.kind === 'sized' && f250.value.trims[0].vehicle.modelSlug).toBe('f-250-super-duty')
  // Before the Super Duty existed, the name was a model's own.
  expect(await findVehicle(test, { year: 1995, makeSlug: 'ford', modelSlug: 'f-250' })).toMatchObject({
    ok: true,
    value: { name: '1995 Ford F-250' },
  })
  expect(await findVehicle(test, { year: 2015, makeSlug: 'dodge', modelSlug: 'ram-1500' })).toMatchObject({
    ok: true,
    value: { name: '2015 Ram 1500' },
  })
  expect(await findVehicle(test, { year: 2015, makeSlug: 'chevrolet', modelSlug: 'silverado' })).toMatchObject({
    ok: false,
  })
  const remembered = await findChosenVehicle(test, {
    ...choice,
    year: 2017,
    makeSlug: 'ford',
    modelSlug: 'f-250',
    name: '2017 Ford F-250',
  })
  expect(remembered.ok && remembered.value.requirement.configurations.length > 0).toBe(true)
  expect(await listYears(test, 'bmw', '330i')).toMatchObject({
    ok: true,
    value: { modelSlug: '3-series', model: '3 Series' },
  })
  expect(await listYears(test, 'chevrolet', 'silverado')).toMatchObject({ ok: false })
})

test('a model listed as a whole has no trim in its name', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const found = await findVehicle(test, { year: 2017, makeSlug: 'toyota', modelSlug: '86' })
  expect(found.ok && found.value.name).toBe('2017 Toyota 86')
  const { trims } = await listChoices(test, { year: 2017, makeSlug: 'toyota', modelSlug: '86' })
  expect(trims).toEqual([{ slug: 'all', name: 'All trims', hasSizes: true }])
})

test('popular vehicles lead to a listed size', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const popular = await listPopularVehicles(test)
  expect(popular).toHaveLength(8)
  expect(popular).toContainEqual({
    name: '2019 Honda CR-V',
    year: 2019,
    makeSlug: 'honda',
    modelSlug: 'cr-v',
    size: '235/60R18',
  })
})

test('names the models that came with a size, those with the most trims first', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const vehicles = await listVehiclesWithSize(test, '235/60R18')
  expect(vehicles.length).toBeGreaterThan(0)
  expect(vehicles.length).toBeLessThanOrEqual(3)
  expect(new Set(vehicles.map(({ makeSlug, modelSlug }) => `${makeSlug} ${modelSlug}`)).size).toBe(vehicles.length)
  expect(await listVehiclesWithSize(test, '999/99R99')).toEqual([])
})
