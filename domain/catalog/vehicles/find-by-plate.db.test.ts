/** Vehicles by license plate, with the decoder's data and a provider that has one vehicle or fails. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVinDecoder } from '#adapters/vehicles/vin-decoder.ts'
import { systemClock } from '#platform/clock.ts'
import { ok, refused } from '#platform/outcome.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import type { LicensePlate, PlateLookup } from './plate-lookup.port.ts'
import { findByPlate, namePlateVehicle } from './vehicles.server.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

/** Answers with each plate's VIN, and records the plates. */
function lookupOf(vins: Readonly<Record<string, string>>): PlateLookup & { asked: LicensePlate[] } {
  const asked: LicensePlate[] = []
  return {
    asked,
    vinOf: (plate) => {
      asked.push(plate)
      const vin = vins[plate.plate]
      return Promise.resolve(vin === undefined ? refused('unknown') : ok(vin))
    },
  }
}

const vinDecoder = () => createVinDecoder({ folder: folder.path, clock: systemClock, log: console })

test('a plate as people write it finds its vehicle by the VIN of the provider', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const plateLookup = lookupOf({ CRV2019: '2HKRW2H53KH612345', WRONG1: '2HKRW2H54KH612345', SHORT1: 'ABC' })
  const deps = { db: test.db, vinDecoder: vinDecoder(), plateLookup, rateLimits: createRateLimits(test) }
  const find = (typed: string, state = 'IL') => findByPlate(deps, { typed, state, from: `network of ${typed}` })
  const crv = ok({ year: 2019, makeSlug: 'honda', modelSlug: 'cr-v', trimSlug: 'ex' })
  expect(await find('crv 2019')).toEqual(crv)
  expect(await find('CRV·20-19', 'Texas')).toEqual(crv)
  expect(plateLookup.asked).toEqual([
    { plate: 'CRV2019', state: 'IL' },
    { plate: 'CRV2019', state: 'TX' },
  ])
  for (const typed of ['', 'CRV20199X', 'CRV/2019', 'x'.repeat(1_000)])
    expect(await find(typed)).toMatchObject({ reason: 'not-a-plate' })
  expect(await find('CRV2019', 'Ontario')).toMatchObject({ reason: 'not-a-state' })
  expect(plateLookup.asked).toHaveLength(2)
  for (const typed of ['UNSEEN', 'WRONG1', 'SHORT1']) expect(await find(typed)).toMatchObject({ reason: 'unknown' })
  expect(await findByPlate({ ...deps, plateLookup: null }, { typed: 'CRV2019', state: 'IL', from: 'a' })).toMatchObject(
    {
      reason: 'not-offered',
    },
  )
})

test('a shop gets the name of a vehicle that the finder doesn’t have, and the end of its VIN', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const plateLookup = lookupOf({ COACH89: '1M8GDM9AXKP042788', CRV2019: '2HKRW2H53KH612345' })
  const deps = { db: test.db, vinDecoder: vinDecoder(), plateLookup, rateLimits: createRateLimits(test) }
  const name = (typed: string) => namePlateVehicle(deps, { typed, state: 'IL', from: `network of ${typed}` })
  expect(await name('coach-89')).toEqual(
    ok({ name: '1989 Motor Coach Industries 102C3 Intercity MCI', vinEnd: 'KP042788' }),
  )
  expect(await name('CRV2019')).toEqual(ok({ name: '2019 Honda CR-V EX', vinEnd: 'KH612345' }))
  expect(await name('UNSEEN')).toMatchObject({ reason: 'unknown' })
  expect(await name('CRV/2019')).toMatchObject({ reason: 'not-a-plate' })
})

test('lookups are counted per network, and over the whole store, before they cost money', async () => {
  await using test = await createTestDatabase({})
  const plateLookup = lookupOf({})
  const deps = { db: test.db, vinDecoder: vinDecoder(), plateLookup, rateLimits: createRateLimits(test) }
  const find = (from: string) => findByPlate(deps, { typed: 'UNSEEN', state: 'IL', from })
  const { network, store } = rateLimits.plate.counts
  for (let lookup = 0; lookup < network; lookup += 1) expect(await find('one')).toMatchObject({ reason: 'unknown' })
  expect(await find('one')).toMatchObject({ reason: 'too-many' })
  expect(plateLookup.asked).toHaveLength(network)
  for (let lookup = network; lookup < store; lookup += 1) await find(`network ${lookup}`)
  expect(await find('another')).toMatchObject({ reason: 'too-many' })
  expect(plateLookup.asked.length).toBeLessThanOrEqual(store)
  expect(JSON.stringify(await test.db.selectFrom('attempt_count').selectAll().execute())).not.toContain('UNSEEN')
})
