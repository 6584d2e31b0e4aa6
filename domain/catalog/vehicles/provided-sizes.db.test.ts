/** Original sizes of a provider next to the open list, with a provider that has few vehicles or fails. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { ok, refused } from '#platform/outcome.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import type { SizeProblem, SizeSource, StatedSizes } from './size-source.port.ts'
import {
  askForSizes,
  findChosenVehicle,
  findVehicle,
  forgetProvidedSizes,
  readSizeProvider,
} from './vehicles.server.ts'
import { fitmentText } from './vehicles.ts'

const cx5 = { year: 2020, makeSlug: 'mazda', modelSlug: 'cx-5' }
const from = 'network'

/** "sport: 225/65R17 102H". */
function stated(text: string): StatedSizes {
  const [trims = '', size = '', load = '', speed = ''] = /^(.*): (\S+) (\d+)(\S+)$/.exec(text)?.slice(1) ?? []
  const tire = { size, loadIndex: Number(load), speed }
  return { trims: trims.split(' ').filter(Boolean), choices: [{ front: tire, rear: tire }] }
}

/** A store with a provider that always has this answer. The clock starts at the database's time. */
async function openStore(test: TestDatabase, answer: readonly string[] | SizeProblem, callsPerDay = 300) {
  const { rows } = await sql<{ now: Temporal.Instant }>`select now() as now`.execute(test.db)
  const now = rows[0]?.now ?? Temporal.Now.instant()
  const asked: string[] = []
  const sizeSource: SizeSource = {
    name: 'wheel-size',
    callsPerDay,
    sizesOf: ({ year, modelSlug }) => {
      asked.push(`${year} ${modelSlug}`)
      return Promise.resolve(typeof answer === 'string' ? refused(answer) : ok(answer.map(stated)))
    },
  }
  const clock = fixedClock(now)
  return { db: test.db, clock, rateLimits: createRateLimits(test), sizeSource, asked, now }
}

/** The options of a trim as the finder has them. */
async function options({ db }: Pick<TestDatabase, 'db'>, trimSlug: string): Promise<string[]> {
  const found = await findVehicle({ db }, { ...cx5, trimSlug })
  if (!found.ok || found.value.kind === 'known') return []
  return found.value.trims[0].fitments.map((each) => `${fitmentText(each)} ${each.source} ${each.list?.name ?? 'open'}`)
}

test('a provider’s sizes count with the open list, by the stricter value', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, [
    'sport: 225/65R17 102H',
    'grand-touring premium: 225/55R19 103V',
    'signature: 245/45R20 99V',
    ': 255/40R21 102W',
  ])
  const before = await findVehicle(store, cx5)
  await askForSizes({ ...store, sizeSource: null }, { ...cx5, from })
  expect(await findVehicle(store, cx5)).toEqual(before)

  await askForSizes(store, { ...cx5, from })
  await askForSizes(store, { ...cx5, from })
  expect(store.asked).toEqual(['2020 cx-5'])
  expect(await options(store, 'sport')).toEqual(['225/65R17 102H catalog Wheel-Size'])
  expect(await options(store, 'grand-touring')).toEqual(['225/55R19 103V catalog Wheel-Size'])
  // The lists disagree.
  expect(await options(store, 'signature')).toEqual(['245/45R20 99V weak Wheel-Size', '225/55R19 99V weak open'])
  // The provider doesn't name this trim.
  expect(await options(store, 'touring')).toEqual(['225/65R17 102H catalog open'])
})

test('a chosen size keeps its ID, and the result names the provider and the day', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, ['signature: 225/55R19 99V', 'signature: 245/45R20 99V'])
  const trim = async () => {
    const found = await findVehicle(store, { ...cx5, trimSlug: 'signature' })
    if (!found.ok || found.value.kind === 'known') throw new Error('The CX-5 is listed.')
    return found.value.trims[0]
  }
  const { vehicle, fitments: before } = await trim()
  await askForSizes(store, { ...cx5, from })
  const { fitments } = await trim()
  const open = fitments.find(({ front }) => front.size === '225/55R19')
  const added = fitments.find(({ front }) => front.size === '245/45R20')
  expect(open?.id).toBe(before[0]?.id)
  const chosen = {
    ...cx5,
    vehicleId: vehicle.id,
    fitmentId: added?.id ?? 0,
    name: 'CX-5',
    confirmed: false,
    label: null,
  }
  const read = await findChosenVehicle(store, chosen)
  if (!read.ok) throw new Error('The CX-5 is listed.')
  const day = store.now.toZonedDateTimeISO('UTC').toPlainDate().toLocaleString('en-US', { dateStyle: 'long' })
  expect(read.value.requirement).toMatchObject({ source: 'weak', sourceDate: `Wheel-Size, ${day}` })
  expect(read.value.requirement.configurations).toMatchObject([{ front: { loadIndex: 99 } }])
})

test('an answer is used for a day, and then deleted and requested again', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, ['sport: 225/65R17 106H'])
  store.clock.set(store.now.subtract({ hours: 24, minutes: 1 }))
  await askForSizes(store, { ...cx5, from })
  expect(await options(store, 'sport')).toEqual(['225/65R17 102H catalog open'])
  store.clock.set(store.now)
  await askForSizes(store, { ...cx5, from })
  expect(store.asked).toHaveLength(2)
  expect(await options(store, 'sport')).toEqual(['225/65R17 106H catalog Wheel-Size'])
  await forgetProvidedSizes(store.db, store.now.add({ hours: 23 }))
  expect(await options(store, 'sport')).toHaveLength(1)
  await forgetProvidedSizes(store.db, store.now.add({ hours: 24 }))
  expect(await store.db.selectFrom('provided_sizes').selectAll().execute()).toEqual([])
  expect(await options(store, 'sport')).toEqual(['225/65R17 102H catalog open'])
})

test('calls are counted per day for the store, and per network', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, [], 2)
  const ask = (year: number, network = from) => askForSizes(store, { ...cx5, year, from: network })
  for (const year of [2018, 2019, 2020, 2018]) await ask(year)
  expect(store.asked).toEqual(['2018 cx-5', '2019 cx-5'])
  expect(await readSizeProvider(store)).toMatchObject({ calls: 2, vehicles: 2, answeredAt: store.now, problem: null })
  expect(await readSizeProvider({ ...store, sizeSource: null })).toBeNull()
  store.clock.set(store.now.add({ hours: 24 }))
  expect(await readSizeProvider(store)).toMatchObject({ calls: 0 })
  await ask(2020)
  expect(store.asked).toHaveLength(3)
  // A model that we don't list isn't asked about.
  await askForSizes(store, { ...cx5, modelSlug: 'unseen', from })
  expect(store.asked).toHaveLength(3)
  const left = rateLimits['vehicle-sizes'].counts.network - 4
  for (let call = 0; call < left; call += 1) await store.rateLimits.take('vehicle-sizes', { network: from })
  await ask(2021)
  expect(store.asked).toHaveLength(3)
  await ask(2021, 'another network')
  expect(store.asked).toHaveLength(4)
})

test.each([
  ['unavailable', 1],
  ['over-quota', 60],
] as const)('after %s, no page waits for the provider for %i minutes', async (problem, minutes) => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, problem)
  await askForSizes(store, { ...cx5, from })
  expect(await options(store, 'sport')).toEqual(['225/65R17 102H catalog open'])
  store.clock.set(store.now.add({ minutes }).subtract({ milliseconds: 1 }))
  await askForSizes(store, { ...cx5, from })
  expect(store.asked).toHaveLength(1)
  store.clock.set(store.now.add({ minutes }))
  await askForSizes(store, { ...cx5, from })
  expect(store.asked).toHaveLength(2)
  const resumeAt = store.now.add({ minutes: 2 * minutes })
  const failing = { callsPerDay: 300, vehicles: 0, answeredAt: null, problem }
  expect(await readSizeProvider(store)).toMatchObject({ ...failing, resumeAt })
  store.clock.set(resumeAt)
  expect(await readSizeProvider(store)).toMatchObject({ problem, resumeAt: null })
})

test('a corrected key works immediately', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, 'refused-key')
  await askForSizes(store, { ...cx5, from })
  expect(await options(store, 'sport')).toEqual(['225/65R17 102H catalog open'])
  const corrected = await openStore(database, ['sport: 225/65R17 106H'])
  await askForSizes({ ...corrected, clock: store.clock }, { ...cx5, from })
  expect(await options(store, 'sport')).toEqual(['225/65R17 106H catalog Wheel-Size'])
})

test('a page doesn’t wait for a slow provider, and a late answer is saved', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = await openStore(database, [])
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<SizeSource['sizesOf']>>>()
  const slow: SizeSource = { ...store.sizeSource, sizesOf: () => promise }
  await askForSizes({ ...store, sizeSource: slow }, { ...cx5, from })
  expect(await options(store, 'sport')).toEqual(['225/65R17 102H catalog open'])
  resolve(ok([stated('sport: 225/65R17 106H')]))
  await eventually('the answer', async () => (await options(store, 'sport'))[0] === '225/65R17 106H catalog Wheel-Size')
})
