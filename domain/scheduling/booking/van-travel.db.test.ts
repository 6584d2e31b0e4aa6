import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { violatedConstraint } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  confirmHold,
  createCalendars,
  earliestTimes,
  holdSlot,
  moveBooking,
  offerTimes,
  setVanStop,
} from './booking.server.ts'
import {
  at,
  crowdOf,
  held,
  installation,
  live,
  makeBooking,
  makeCart,
  makeOrder,
  oneBay,
  tuesday,
} from './booking.testing.ts'
import { travelMinutes, type Point } from './travel.ts'

/** The Loop, Evanston (a drive of 40 minutes) and Joliet (100 minutes). */
const places = {
  '60601': { latitude: 41.8858, longitude: -87.6229 },
  '60201': { latitude: 42.0546, longitude: -87.6943 },
  '60435': { latitude: 41.5415, longitude: -88.0817 },
} as const satisfies Record<string, Point>
type Zip = keyof typeof places
const zips = Object.keys(places) as Zip[]

/** A shop with one van, with times every 15 minutes for jobs of about an hour. */
async function oneVan() {
  const shop = await oneBay({ kind: 'van', dropOffs: 0, slot_minutes: 15 })
  const state = { city: 'Chicago', state: 'IL', county: 'Cook', region: 'CONUS', zip_type: 'STANDARD' }
  for (const zip of zips)
    await shop.db
      .insertInto('zip')
      .values({ zip, ...state, ...places[zip], time_zone: 'America/Chicago' })
      .execute()
  await shop.db
    .insertInto('van_area')
    .values(zips.map((zip) => ({ shop_id: shop.shopId, zip })))
    .execute()
  return shop
}
type Van = Awaited<ReturnType<typeof oneVan>>

async function freeAt({ deps, shopId }: Van, zip: Zip): Promise<Temporal.Instant[]> {
  const offered = await offerTimes(deps, { ...installation, shopId, zip })
  if (!offered.ok) throw new Error(offered.reason)
  return offered.value.days.flatMap(({ times }) => times.filter(({ free }) => free).map(({ start }) => start))
}

const texts = (starts: readonly Temporal.Instant[]) => starts.map((start) => start.toString())

test('the database drives as long as the calculation, between any two places', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { rows } = await sql<{ a: Point; b: Point; minutes: number }>`
    with sample as (select zip, latitude, longitude from zip where latitude is not null and state in ('IL', 'IN') order by md5(zip) limit 60)
    select json_build_object('latitude', a.latitude, 'longitude', a.longitude) as a, json_build_object('latitude', b.latitude, 'longitude', b.longitude) as b,
      travel_minutes(a.zip, b.zip) as minutes
    from sample a, sample b`.execute(database.db)
  expect(rows.length).toBeGreaterThan(3_000)
  for (const { a, b, minutes } of rows) expect(minutes).toBe(travelMinutes(a, b))
})

test('times that cannot be driven to from another stop are neither offered nor held', async () => {
  await using van = await oneVan()
  const everywhere = Object.fromEntries(
    await Promise.all(zips.map(async (zip) => [zip, await freeAt(van, zip)] as const)),
  )
  const stop = await held(van.hold(tuesday('12:00'), undefined, { zip: '60601' }))
  const minutes = stop.end.since(stop.start).total('minutes')
  for (const zip of zips) {
    const drive = travelMinutes(places['60601'], places[zip])
    const expected = (everywhere[zip] ?? []).filter((start) => {
      const end = start.add({ minutes })
      return (
        Temporal.Instant.compare(end.add({ minutes: drive }), stop.start) <= 0 ||
        Temporal.Instant.compare(start, stop.end.add({ minutes: drive })) >= 0
      )
    })
    const free = await freeAt(van, zip)
    expect(texts(free)).toEqual(texts(expected))
    // The van list returns the same times.
    const [first] = await earliestTimes(
      { calendars: createCalendars(van.db), clock: van.clock },
      { asks: [{ ...installation, shopId: van.shopId }], limit: 200, to: places[zip] },
    )
    expect(texts((first ?? []).map(({ start }) => start))).toEqual(texts(free).slice(0, 200))
  }
  const near = stop.end.add({ minutes: 15 - (minutes % 15 || 15) + 15 })
  expect(await van.hold({ start: near }, undefined, { zip: '60435' })).toMatchObject({ reason: 'slot-taken' })
  expect(await van.hold({ start: near }, undefined, { zip: '60601' })).toMatchObject({ ok: true })
})

test('concurrent bookings of stops that are too close remain drivable', async () => {
  await using van = await oneVan()
  await using crowd = crowdOf(van.url, 20)
  const { db } = crowd
  const carts = await Promise.all(Array.from({ length: 60 }, () => makeCart(db)))
  await Promise.all(
    carts.map((cartId, index) =>
      holdSlot(
        { db, clock: van.clock },
        {
          ...installation,
          shopId: van.shopId,
          cartId,
          choice: { start: at('2026-11-24T08:00').add({ minutes: 15 * (index % 30) }) },
          zip: zips[index % 3] ?? '60601',
        },
      ),
    ),
  )
  const { rows } = await sql<{ start: number; end: number; zip: Zip }>`
    select date_part('epoch', lower(during)) as start, date_part('epoch', upper(during)) as "end", stop_zip as zip
    from booking where state = 'held' order by during`.execute(db)
  expect(rows.length).toBeGreaterThan(1)
  for (const [index, stop] of rows.entries()) {
    const next = rows[index + 1]
    if (next)
      expect(next.start - stop.end).toBeGreaterThanOrEqual(60 * travelMinutes(places[stop.zip], places[next.zip]))
  }
})

test('the database enforces travel time between a mobile installer’s stops', async () => {
  await using van = await oneVan()
  const first = await held(van.hold(tuesday('09:00'), undefined, { zip: '60601' }))
  const cartId = await makeCart(van.db)
  const second = await held(van.hold(tuesday('13:00'), cartId, { zip: '60601' }))
  const moveTo = (start: Temporal.Instant, zip: Zip) =>
    sql`update booking set during = tstzrange(${start.toString()}::timestamptz, ${start.add({ minutes: 60 }).toString()}::timestamptz), stop_zip = ${zip}
      where id = ${second.id}::uuid`
      .execute(van.db)
      .then(() => null, violatedConstraint)
  expect(await moveTo(first.end.add({ minutes: 30 }), '60201')).toBe('booking_van_reaches')
  expect(await moveTo(first.end.add({ minutes: 40 }), '60201')).toBeNull()
  expect(await live(van.db)).toHaveLength(2)
  // The cart's own hold doesn't count as travel time conflict.
  expect(
    await held(
      van.hold(
        { start: first.end.add({ minutes: 45 - (first.end.since(first.start).total('minutes') % 15) }) },
        cartId,
        { zip: '60201' },
      ),
    ),
  ).toMatchObject({ state: 'held' })
})

test('an address too far from the stop before refuses the time, and one that is near enough is kept', async () => {
  await using van = await oneVan()
  const first = await makeBooking(van.deps, {
    ...installation,
    shopId: van.shopId,
    choice: tuesday('09:00'),
    zip: '60601',
  })
  const cartId = await makeCart(van.db)
  const [near] = (await freeAt(van, '60601')).filter(
    (start) => Temporal.Instant.compare(start, at('2026-11-24T09:30')) > 0,
  )
  if (!near) throw new Error('The van of a test is full.')
  await held(van.hold({ start: near }, cartId, { zip: '60601' }))
  expect(await setVanStop(van.deps, { cartId, zip: '60435' })).toMatchObject({ reason: 'out-of-reach' })
  expect(await setVanStop(van.deps, { cartId, zip: '60601' })).toMatchObject({ ok: true })
  const orderId = await makeOrder(van.db, cartId, van.shopId)
  expect(await confirmHold(van.deps, { cartId, orderId })).toMatchObject({ ok: true, value: { stopZip: '60601' } })
  // Rescheduling preserves the destination and travel time.
  const [late] = (await freeAt(van, '60435')).toReversed()
  const moved = await moveBooking(van.deps, {
    ...installation,
    bookingId: first.bookingId,
    choice: { start: late ?? near },
  })
  expect(moved).toMatchObject({ ok: true, value: { stopZip: '60601' } })
})

test('an expired hold doesn’t block a mobile installer', async () => {
  await using van = await oneVan()
  const ended = await held(van.hold(tuesday('09:00'), undefined, { zip: '60601' }))
  const booked = await makeBooking(van.deps, {
    ...installation,
    shopId: van.shopId,
    choice: tuesday('15:00'),
    zip: '60435',
  })
  van.clock.set(van.clock.now().add({ minutes: 11 }))
  expect(await held(van.hold({ start: ended.start.add({ minutes: 60 }) }, undefined, { zip: '60435' }))).toMatchObject({
    state: 'held',
  })
  const again = await held(van.hold(tuesday('08:00'), undefined, { zip: '60435' }))
  van.clock.set(van.clock.now().add({ minutes: 11 }))
  const moved = await moveBooking(van.deps, {
    ...installation,
    bookingId: booked.bookingId,
    choice: { start: again.start },
  })
  expect(moved).toMatchObject({ ok: true })
})
