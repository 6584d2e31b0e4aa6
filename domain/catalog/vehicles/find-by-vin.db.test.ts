/** Vehicles by VIN, with the decoder's own data, and with decoders that fail or have no data. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVinDecoder } from '#adapters/vehicles/vin-decoder.ts'
import { systemClock } from '#platform/clock.ts'
import { ok, refused } from '#platform/outcome.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { findByVin } from './vehicles.server.ts'
import type { VinDecoder } from './vin-decoder.port.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

const from = 'network'

test('a VIN finds its model, and the trim if it can mean only one', async () => {
  await using test = await createTestDatabase({ from: 'small' })
  const vinDecoder = createVinDecoder({ folder: folder.path, clock: systemClock, log: console })
  const deps = { db: test.db, vinDecoder, rateLimits: createRateLimits(test) }
  const find = (typed: string) => findByVin(deps, { typed, from })
  expect(await find('2hkrw2h5 3kh6-12345')).toEqual(
    ok({ year: 2019, makeSlug: 'honda', modelSlug: 'cr-v', trimSlug: 'ex' }),
  )
  expect(await find('5J6RW2H85KL012345')).toMatchObject({ value: { modelSlug: 'cr-v', trimSlug: 'ex-l' } })
  expect(await find('WBA8D9G51JNU12345')).toMatchObject({ value: { modelSlug: '3-series', trimSlug: '330i' } })
  // The VIN of an F-150 does not tell the trim.
  expect(await find('1FTFW1E57MFA12345')).toMatchObject({ value: { modelSlug: 'f-150', year: 2021, trimSlug: null } })
  expect(await find('1M8GDM9AXKP042788')).toMatchObject({
    reason: 'not-listed',
    detail: { name: '1989 Motor Coach Industries 102C3 Intercity MCI' },
  })
  expect(await find('11111111111111111')).toMatchObject({ reason: 'unknown' })
  expect(await find('2HKRW2H54KH612345')).toMatchObject({ reason: 'wrong-check-digit' })
  for (const typed of ['2HKRW2H53KH61234', '', 'x'.repeat(1_000)])
    expect(await find(typed)).toMatchObject({ reason: 'not-a-vin' })
})

test('counts lookups by network, and typing errors are free', async () => {
  await using test = await createTestDatabase({})
  const decoder: VinDecoder = { decode: () => Promise.resolve(refused('unavailable')) }
  const deps = { db: test.db, vinDecoder: decoder, rateLimits: createRateLimits(test) }
  const find = (typed: string, network = from) => findByVin(deps, { typed, from: network })
  expect(await find('2HKRW2H54KH612345')).toMatchObject({ reason: 'wrong-check-digit' })
  for (let lookup = 0; lookup < rateLimits.vin.counts.network; lookup += 1)
    expect(await find('2HKRW2H53KH612345')).toMatchObject({ reason: 'unavailable' })
  expect(await find('2HKRW2H53KH612345')).toMatchObject({ reason: 'too-many' })
  expect(await find('2HKRW2H53KH612345', 'another')).toMatchObject({ reason: 'unavailable' })
  expect(JSON.stringify(await test.db.selectFrom('attempt_count').selectAll().execute())).not.toContain('2HKRW2H5')
})
