import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { counting, makeZip } from '#domain/delivery/delivery.testing.ts'
import { fourTires, makeShop } from '#domain/installers/installers.testing.ts'
import { fixedClock } from '#platform/clock.ts'
import { createDatabase, violatedConstraint, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { cancelBooking, confirmHold, earliestTimes, expireHolds, extendHold, findAppointment, findHold, holdSlot, moveBooking, offerTimes, releaseHold } from './booking.server.ts'
import { bookingWords } from './booking.ts'
import { insertHold, updateState, type NewHold } from './booking.sql.server.ts'
import { makeBooking, makeCart, makeOrder } from './booking.testing.ts'

const at = (wall: string) => Temporal.ZonedDateTime.from(`${wall}[America/Chicago]`).toInstant()
const opened = '2026-11-20T16:00:00Z'
const installation = { tires: fourTires, arrivesOn: Temporal.PlainDate.from('2026-11-23') }
const tuesday = (time: string) => ({ start: at(`2026-11-24T${time}`) })

/** A shop with one bay and one drop-off place, at 10 in the morning of Friday, November 20, 2026. */
async function oneBay(shop: Parameters<typeof makeShop>[1] = {}) {
  const database = await createTestDatabase()
  const { db } = database
  const clock = fixedClock(opened)
  const deps = { db, clock }
  const shopId = await makeShop(db, { bays: 1, dropOffs: 1, ...shop })
  const hold = async (choice: Parameters<typeof holdSlot>[1]['choice'], cartId?: string, over: Partial<Parameters<typeof holdSlot>[1]> = {}) =>
    holdSlot(deps, { ...installation, shopId, choice, cartId: cartId ?? (await makeCart(db)), ...over })
  return { ...database, deps, clock, shopId, hold }
}

/** Enough connections of their own for a crowd to really arrive at once. */
function crowdOf(url: string, size: number): { db: Database } & AsyncDisposable {
  const db = createDatabase(url, { size })
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

async function held(outcome: ReturnType<typeof holdSlot>) {
  const result = await outcome
  if (!result.ok) throw new Error(result.reason)
  return result.value
}

async function offered(shop: Awaited<ReturnType<typeof oneBay>>, date = '2026-11-24') {
  const times = await offerTimes(shop.deps, { ...installation, shopId: shop.shopId })
  if (!times.ok) throw new Error(times.reason)
  const day = times.value.days.find((candidate) => candidate.date.toString() === date)
  return { free: day?.times.filter((time) => time.free).length, dropOffs: day?.dropOffs.filter((dropOff) => dropOff.free).map((dropOff) => dropOff.window), state: day?.state }
}

async function history(db: Database, bookingId: string) {
  const events = await db.selectFrom('booking_event').select(['from_state', 'to_state', 'actor']).where('booking_id', '=', bookingId).orderBy('id').execute()
  return events.map((event) => `${event.from_state} ${event.to_state} ${event.actor}`)
}

async function live(db: Database) {
  return db.selectFrom('booking').select(['id', 'bay_id', 'state', 'cart_id']).where('state', 'in', ['held', 'confirmed']).execute()
}

test('the month of a shop counts what is taken and says why a day has nothing', async () => {
  await using shop = await oneBay({ closures: [['2026-11-26', 'Thanksgiving']] })
  await held(shop.hold(tuesday('09:30')))
  await held(shop.hold({ date: Temporal.PlainDate.from('2026-11-24'), window: 'AM' }))
  const counted = counting(shop.db)
  const month = await offerTimes({ db: counted.db, clock: shop.clock }, { ...installation, shopId: shop.shopId })
  expect(counted.count()).toBe(1)
  if (!month.ok) throw new Error(month.reason)
  expect(month.value.quote).toMatchObject({ minutes: 60, installCents: 8800 })
  expect(month.value.timeZone).toBe('America/Chicago')
  expect(month.value.days.map((day) => day.state).slice(0, 8)).toEqual(['too-soon', 'too-soon', 'closed', 'too-soon', 'free', 'free', 'holiday', 'free'])
  expect(await offered(shop)).toEqual({ free: 6, dropOffs: ['PM', 'EVE'], state: 'free' })
})

test('a hold lasts ten minutes, is written down, and is the same one after a reload or a second press', async () => {
  await using shop = await oneBay()
  const cartId = await makeCart(shop.db)
  const booking = await held(shop.hold(tuesday('09:30'), cartId))
  expect(booking).toMatchObject({ kind: 'wait', state: 'held', timeZone: 'America/Chicago', dropOff: null, holdExpiresAt: Temporal.Instant.from('2026-11-20T16:10:00Z') })
  expect(booking.end.since(booking.start).total('minutes')).toBe(60)
  expect(await findHold(shop.deps, cartId)).toEqual(booking)
  shop.clock.set('2026-11-20T16:04:00Z')
  expect(await held(shop.hold(tuesday('09:30'), cartId))).toEqual(booking)
  expect(await history(shop.db, booking.id)).toEqual(['null held customer'])
})

test('a drop-off takes a drop-off place and carries its code', async () => {
  await using shop = await oneBay()
  const booking = await held(shop.hold({ date: Temporal.PlainDate.from('2026-11-24'), window: 'EVE' }))
  expect(booking).toMatchObject({ kind: 'drop-off', dropOff: { window: 'EVE', code: '20261124-EVE' }, start: at('2026-11-24T16:00'), end: at('2026-11-24T18:00') })
  expect(await findHold(shop.deps, booking.cartId ?? '')).toEqual(booking)
  expect(await offered(shop)).toEqual({ free: 7, dropOffs: ['AM', 'PM'], state: 'free' })
})

test('each window has as many places as the shop keeps', async () => {
  await using shop = await oneBay({ dropOffs: 2 })
  const morning = { date: Temporal.PlainDate.from('2026-11-24'), window: 'AM' } as const
  await held(shop.hold(morning))
  await held(shop.hold(morning))
  const third = await shop.hold(morning)
  expect(third).toMatchObject({ ok: false, reason: 'slot-taken', detail: { next: [{ kind: 'drop-off', code: '20261124-PM' }, { code: '20261124-EVE' }, { code: '20261125-AM' }, {}, {}, {}] } })
})

test('200 that want one place at once: one has it, 199 are told the next free times', async () => {
  await using shop = await oneBay()
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const carts = await Promise.all(Array.from({ length: 200 }, () => makeCart(db)))
  const outcomes = await Promise.all(carts.map((cartId) => holdSlot({ db, clock: shop.clock }, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('09:30') })))
  const losers = outcomes.filter((outcome) => !outcome.ok)
  expect(losers).toHaveLength(199)
  for (const loser of losers) expect(loser).toMatchObject({ reason: 'slot-taken', detail: { next: [{ kind: 'wait', start: at('2026-11-24T11:00') }, {}, {}, {}, {}, {}] } })
  expect(await live(db)).toHaveLength(1)
})

test('with three bays three of 100 have it, each on its own bay', async () => {
  await using shop = await oneBay({ bays: 3 })
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const carts = await Promise.all(Array.from({ length: 100 }, () => makeCart(db)))
  const outcomes = await Promise.all(carts.map((cartId) => holdSlot({ db, clock: shop.clock }, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('09:30') })))
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(3)
  expect(new Set((await live(db)).map((booking) => booking.bay_id)).size).toBe(3)
})

test('without looking first, the constraint alone lets one of 200 have the place', async () => {
  await using shop = await oneBay()
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const bay = await db.selectFrom('shop_bay').select('id').where('kind', '=', 'bay').executeTakeFirstOrThrow()
  const carts = await Promise.all(Array.from({ length: 200 }, () => makeCart(db)))
  const blindly = (cartId: string, offset: number): NewHold => ({
    id: newId(),
    shopId: shop.shopId,
    bayId: bay.id,
    kind: 'wait',
    // Each a little later than the one before, so that equality is not what saves us.
    start: at('2026-11-24T09:30').add({ seconds: offset }),
    end: at('2026-11-24T10:30').add({ seconds: offset }),
    dropOff: null,
    cartId,
    heldBy: null,
    expiresAt: at('2026-11-20T10:10'),
  })
  const outcomes = await Promise.all(carts.map((cartId, index) => insertHold(db, blindly(cartId, index), { now: shop.clock.now(), actor: 'customer' })))
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  expect(await live(db)).toHaveLength(1)
})

test('a plain insert over a live booking is refused by the constraint, with our code left out of it', async () => {
  await using shop = await oneBay()
  const first = await held(shop.hold(tuesday('09:30')))
  const insert = sql`
    insert into booking (id, shop_id, bay_id, kind, during, state, hold_expires_at, cart_id, created_at)
    values (${newId()}, ${shop.shopId}, ${first.bayId}, 'wait', tstzrange('2026-11-24T16:00Z', '2026-11-24T17:00Z'), 'held', now(), ${await makeCart(shop.db)}, now())`
  const error = await insert.execute(shop.db).then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(violatedConstraint(error)).toBe('booking_bay_taken_once')
})

test('holds, confirmations, moves and cancellations mixed at random never overlap on a bay', async () => {
  await using shop = await oneBay({ bays: 2 })
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const deps = { db, clock: shop.clock }
  const times = ['08:00', '09:30', '11:00']
  const draw = (round: number, salt: number) => ((round * 7919 + salt * 104_729) % 1009) % times.length
  const work = Array.from({ length: 60 }, async (_, round) => {
    const cartId = await makeCart(db)
    const choice = () => tuesday(times[draw(round, 1)] ?? '08:00')
    const first = await holdSlot(deps, { ...installation, shopId: shop.shopId, cartId, choice: choice() })
    if (!first.ok) return
    const orderId = await makeOrder(db, cartId, shop.shopId)
    const confirmed = await db.transaction().execute((tx) => confirmHold({ db: tx, clock: shop.clock }, { cartId, orderId }))
    if (!confirmed.ok) return
    await moveBooking(deps, { ...installation, bookingId: confirmed.value.id, choice: tuesday(times[draw(round, 2)] ?? '08:00') })
    if (round % 2 === 0) await cancelBooking(deps, { orderId })
  })
  await Promise.all(work)
  const overlaps = await sql`
    select from booking a join booking b on a.bay_id = b.bay_id and a.id < b.id and a.during && b.during
    where a.state in ('held', 'confirmed') and b.state in ('held', 'confirmed')`.execute(db)
  expect(overlaps.rows).toEqual([])
  expect((await live(db)).length).toBeLessThanOrEqual(6)
})

test('choosing another time gives the first one back, and only when the other is really held', async () => {
  await using shop = await oneBay()
  const cartId = await makeCart(shop.db)
  const first = await held(shop.hold(tuesday('09:30'), cartId))
  await held(shop.hold(tuesday('14:00')))
  expect(await shop.hold(tuesday('14:00'), cartId)).toMatchObject({ ok: false, reason: 'slot-taken' })
  expect(await findHold(shop.deps, cartId)).toEqual(first)

  const second = await held(shop.hold(tuesday('11:00'), cartId, { actor: 'staff:dana' }))
  expect((await live(shop.db)).filter((booking) => booking.cart_id === cartId).map((booking) => booking.id)).toEqual([second.id])
  expect(await history(shop.db, first.id)).toEqual(['null held customer', 'held cancelled staff:dana'])
  expect(await held(shop.hold(tuesday('09:30')))).toMatchObject({ state: 'held' })
})

test('who loses the race for another time keeps the time they had', async () => {
  await using shop = await oneBay({ bays: 30 })
  await using crowd = crowdOf(shop.url, 20)
  const deps = { db: crowd.db, clock: shop.clock }
  const wanted = await makeShop(crowd.db, { bays: 1 })
  const carts = await Promise.all(Array.from({ length: 30 }, () => makeCart(crowd.db)))
  await Promise.all(carts.map((cartId) => held(shop.hold(tuesday('09:30'), cartId))))
  const outcomes = await Promise.all(carts.map((cartId) => holdSlot(deps, { ...installation, shopId: wanted, cartId, choice: tuesday('11:00') })))
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
  const holds = await Promise.all(carts.map((cartId) => findHold(deps, cartId)))
  expect(holds.filter((hold) => hold?.shopId === shop.shopId)).toHaveLength(29)
})

test('two tabs of one cart end with one hold', async () => {
  await using shop = await oneBay({ bays: 3 })
  const cartId = await makeCart(shop.db)
  const outcomes = await Promise.all(['08:00', '09:30', '11:00', '12:30'].map((time) => shop.hold(tuesday(time), cartId)))
  expect(outcomes.some((outcome) => outcome.ok)).toBe(true)
  expect(await live(shop.db)).toHaveLength(1)
})

test.for([
  [{ start: '2026-11-24T09:00' }, 'outside-hours'],
  [{ start: '2026-11-22T09:30' }, 'outside-hours'],
  [{ start: '2026-11-23T09:30' }, 'too-soon'],
  [{ start: '2026-12-21T09:30' }, 'too-late'],
] as const)('%o is refused as %s', async ([{ start }, reason]) => {
  await using shop = await oneBay()
  expect(await shop.hold({ start: at(start) })).toMatchObject({ ok: false, reason })
  expect(await live(shop.db)).toEqual([])
})

test('a shop that does not take the tires holds nothing for them', async () => {
  await using shop = await oneBay({ rim_max_in: 16 })
  expect(await shop.hold(tuesday('09:30'))).toEqual({ ok: false, reason: 'shop-not-capable', detail: ['rim'] })
  expect(await offerTimes(shop.deps, { ...installation, shopId: shop.shopId })).toMatchObject({ ok: false, reason: 'shop-not-capable' })
  expect(await shop.hold(tuesday('09:30'), undefined, { shopId: 0 })).toMatchObject({ ok: false, reason: 'shop-not-found' })
})

test('a van comes only to its own area', async () => {
  await using shop = await oneBay({ kind: 'van', dropOffs: 0 })
  await makeZip(shop.db)
  await shop.db.insertInto('van_area').values({ shop_id: shop.shopId, zip: '60614' }).execute()
  expect(await shop.hold(tuesday('09:30'), undefined, { zip: '90001' })).toMatchObject({ ok: false, reason: 'outside-area' })
  expect(await shop.hold(tuesday('09:30'))).toMatchObject({ ok: false, reason: 'outside-area' })
  expect(await held(shop.hold(tuesday('09:30'), undefined, { zip: '60614' }))).toMatchObject({ kind: 'mobile' })
})

test('one visitor holds at most five times over all carts, even when all are asked for at once', async () => {
  await using shop = await oneBay({ bays: 20 })
  await using crowd = crowdOf(shop.url, 20)
  const times = ['08:00', '09:30', '11:00', '12:30', '14:00', '15:30']
  const carts = await Promise.all(Array.from({ length: 48 }, () => makeCart(shop.db)))
  const outcomes = await Promise.all(
    carts.map((cartId, index) => holdSlot({ db: crowd.db, clock: shop.clock }, { ...installation, shopId: shop.shopId, cartId, choice: tuesday(times[index % times.length] ?? ''), heldBy: 'visitor' })),
  )
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(5)
  for (const outcome of outcomes) if (!outcome.ok) expect(outcome.reason).toBe('too-many-holds')
  expect(await shop.hold(tuesday('09:30'), undefined, { heldBy: 'neighbor' })).toMatchObject({ ok: true })

  const mine = (await live(shop.db))[0]?.cart_id ?? ''
  expect(await shop.hold(tuesday('11:00'), mine, { heldBy: 'visitor' })).toMatchObject({ ok: true })
  shop.clock.set('2026-11-20T16:10:00Z')
  expect(await shop.hold(tuesday('11:00'), undefined, { heldBy: 'visitor' })).toMatchObject({ ok: true })
})

test('a hold that ran out is free that very moment, though nobody has swept it', async () => {
  await using shop = await oneBay()
  const first = await held(shop.hold(tuesday('09:30')))
  shop.clock.set('2026-11-20T16:09:59Z')
  expect(await shop.hold(tuesday('09:30'))).toMatchObject({ ok: false, reason: 'slot-taken' })
  shop.clock.set('2026-11-20T16:10:00Z')
  expect(await offered(shop)).toMatchObject({ free: 7 })
  expect(await held(shop.hold(tuesday('09:30')))).toMatchObject({ state: 'held' })
  expect(await findHold(shop.deps, first.cartId ?? '')).toBeUndefined()
  expect(await history(shop.db, first.id)).toEqual(['null held customer', 'held expired customer'])
})

test('the sweeper marks what ran out and leaves the rest', async () => {
  await using shop = await oneBay({ bays: 2 })
  const first = await held(shop.hold(tuesday('09:30')))
  shop.clock.set('2026-11-20T16:05:00Z')
  const second = await held(shop.hold(tuesday('09:30')))
  shop.clock.set('2026-11-20T16:12:00Z')
  expect(await expireHolds(shop.deps)).toBe(1)
  expect(await expireHolds(shop.deps)).toBe(0)
  expect(await history(shop.db, first.id)).toEqual(['null held customer', 'held expired system'])
  expect((await live(shop.db)).map((booking) => booking.id)).toEqual([second.id])
})

test('ten more minutes ten times, also just after it ran out, and then no more', async () => {
  await using shop = await oneBay()
  const { cartId } = await held(shop.hold(tuesday('09:30')))
  const cart = { cartId: cartId ?? '' }
  const extended = await extendHold(shop.deps, cart)
  expect(extended).toMatchObject({ ok: true, value: { holdExpiresAt: Temporal.Instant.from('2026-11-20T16:20:00Z'), holdExtensions: 1 } })
  shop.clock.set('2026-11-20T16:21:00Z')
  expect(await extendHold(shop.deps, cart)).toMatchObject({ ok: true, value: { holdExpiresAt: Temporal.Instant.from('2026-11-20T16:31:00Z') } })
  for (let count = 3; count <= 10; count += 1) expect(await extendHold(shop.deps, cart)).toMatchObject({ ok: true, value: { holdExtensions: count } })
  expect(await extendHold(shop.deps, cart)).toMatchObject({ ok: false, reason: 'too-many-extensions' })
  expect(await extendHold(shop.deps, { cartId: await makeCart(shop.db) })).toMatchObject({ ok: false, reason: 'no-hold' })
})

test('giving the hold up gives the place back', async () => {
  await using shop = await oneBay()
  const { cartId } = await held(shop.hold(tuesday('09:30')))
  await releaseHold(shop.deps, { cartId: cartId ?? '' })
  await releaseHold(shop.deps, { cartId: cartId ?? '' })
  expect(await offered(shop)).toMatchObject({ free: 7 })
})

async function confirm(shop: Awaited<ReturnType<typeof oneBay>>, cartId: string, orderId?: number) {
  const order = orderId ?? (await makeOrder(shop.db, cartId, shop.shopId))
  return { orderId: order, outcome: await shop.db.transaction().execute((tx) => confirmHold({ db: tx, clock: shop.clock }, { cartId, orderId: order })) }
}

test('the order confirms the hold, once, and an order that is not placed leaves it held', async () => {
  await using shop = await oneBay()
  const hold = await held(shop.hold(tuesday('09:30'), undefined, { heldBy: 'visitor' }))
  const cartId = hold.cartId ?? ''
  const order = await makeOrder(shop.db, cartId, shop.shopId)
  const failed = shop.db.transaction().execute(async (tx) => {
    await confirmHold({ db: tx, clock: shop.clock }, { cartId, orderId: order })
    throw new Error('the card was declined')
  })
  await expect(failed).rejects.toThrow('declined')
  expect(await findHold(shop.deps, cartId)).toEqual(hold)

  const { outcome } = await confirm(shop, cartId, order)
  expect(outcome).toMatchObject({ ok: true, value: { id: hold.id, state: 'confirmed', orderId: order, holdExpiresAt: null } })
  expect((await confirm(shop, cartId, order)).outcome).toEqual(outcome)
  expect(await findAppointment(shop.deps, { orderId: order })).toEqual(outcome.ok && outcome.value)
  expect(await history(shop.db, hold.id)).toEqual(['null held customer', 'held confirmed customer'])
  shop.clock.set('2026-11-21T16:00:00Z')
  expect(await offered(shop)).toMatchObject({ free: 6 })
})

test('a hold that ran out is still confirmed while nobody wants its place, swept or not', async () => {
  await using shop = await oneBay()
  const unswept = await held(shop.hold(tuesday('09:30')))
  const swept = await held(shop.hold(tuesday('11:00')))
  shop.clock.set('2026-11-20T16:30:00Z')
  expect((await confirm(shop, unswept.cartId ?? '')).outcome).toMatchObject({ ok: true, value: { id: unswept.id, state: 'confirmed' } })
  await expireHolds(shop.deps)
  const renewed = (await confirm(shop, swept.cartId ?? '')).outcome
  expect(renewed).toMatchObject({ ok: true, value: { start: at('2026-11-24T11:00'), bayId: swept.bayId, state: 'confirmed' } })
  expect(renewed.ok && (await history(shop.db, renewed.value.id))).toEqual(['null held customer', 'held confirmed customer'])
  expect(await live(shop.db)).toHaveLength(2)
})

test('a lost place is renewed on another bay of the same time, or said to be lost', async () => {
  await using shop = await oneBay({ bays: 2 })
  const first = await held(shop.hold(tuesday('09:30')))
  shop.clock.set('2026-11-20T16:30:00Z')
  await held(shop.hold(tuesday('09:30')))
  const { outcome, orderId } = await confirm(shop, first.cartId ?? '')
  expect(outcome).toMatchObject({ ok: true, value: { start: at('2026-11-24T09:30') } })
  expect(outcome.ok && outcome.value.bayId).not.toBe(first.bayId)
  expect(await findAppointment(shop.deps, { orderId })).toMatchObject({ state: 'confirmed' })

  const late = await held(shop.hold(tuesday('11:00')))
  shop.clock.set('2026-11-20T17:00:00Z')
  await held(shop.hold(tuesday('11:00')))
  await held(shop.hold(tuesday('11:00')))
  expect((await confirm(shop, late.cartId ?? '')).outcome).toMatchObject({ ok: false, reason: 'slot-lost' })
})

test('a time that has passed is lost, and a cart that gave its time up has none', async () => {
  await using shop = await oneBay()
  const past = await held(shop.hold(tuesday('09:30')))
  const given = await held(shop.hold(tuesday('11:00')))
  await releaseHold(shop.deps, { cartId: given.cartId ?? '' })
  shop.clock.set(at('2026-11-24T09:30'))
  expect((await confirm(shop, past.cartId ?? '')).outcome).toMatchObject({ ok: false, reason: 'slot-lost' })
  expect((await confirm(shop, given.cartId ?? '')).outcome).toMatchObject({ ok: false, reason: 'no-hold' })
  expect((await confirm(shop, await makeCart(shop.db))).outcome).toMatchObject({ ok: false, reason: 'no-hold' })
})

test('cancelling gives the place back, once', async () => {
  await using shop = await oneBay()
  const { bookingId, orderId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  expect(await shop.hold(tuesday('09:30'))).toMatchObject({ ok: false, reason: 'slot-taken' })
  expect(await cancelBooking(shop.deps, { orderId, actor: 'staff:dana', note: 'asked by phone' })).toMatchObject({ ok: true, value: { id: bookingId, state: 'cancelled', changes: 1 } })
  expect(await cancelBooking(shop.deps, { bookingId })).toMatchObject({ ok: false, reason: 'already-over' })
  expect(await cancelBooking(shop.deps, { bookingId: newId() })).toMatchObject({ ok: false, reason: 'not-found' })
  expect(await held(shop.hold(tuesday('09:30')))).toMatchObject({ state: 'held' })
  expect(await history(shop.db, bookingId)).toEqual(['null held customer', 'held confirmed customer', 'confirmed cancelled staff:dana'])
})

test('an order whose appointment was cancelled gets another one from a new hold', async () => {
  await using shop = await oneBay()
  const { cartId, orderId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  await cancelBooking(shop.deps, { orderId })
  shop.clock.set('2026-11-20T16:05:00Z')
  const hold = await held(shop.hold(tuesday('14:00'), cartId))
  expect((await confirm(shop, cartId, orderId)).outcome).toMatchObject({ ok: true, value: { id: hold.id } })
  expect(await findAppointment(shop.deps, { orderId })).toMatchObject({ id: hold.id, state: 'confirmed' })
})

test('moving keeps the appointment and gives the old time back', async () => {
  await using shop = await oneBay()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  const moved = await moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('11:00') })
  expect(moved).toMatchObject({ ok: true, value: { id: bookingId, start: at('2026-11-24T11:00'), state: 'confirmed', changes: 1 } })
  expect(await findAppointment(shop.deps, { bookingId })).toEqual(moved.ok && moved.value)
  expect(await history(shop.db, bookingId)).toEqual(['null held customer', 'held confirmed customer', 'confirmed confirmed customer'])
  await held(shop.hold(tuesday('09:30')))

  const toDropOff = await moveBooking(shop.deps, { ...installation, bookingId, choice: { date: Temporal.PlainDate.from('2026-11-25'), window: 'AM' } })
  expect(toDropOff).toMatchObject({ ok: true, value: { kind: 'drop-off', dropOff: { code: '20261125-AM' }, changes: 2 } })
})

test('an appointment can be moved to a time that overlaps its own', async () => {
  await using shop = await oneBay({ slot_minutes: 30 })
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  expect(await moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('10:00') })).toMatchObject({ ok: true, value: { start: at('2026-11-24T10:00') } })
})

test('what cannot be moved stays where it is', async () => {
  await using shop = await oneBay()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  await held(shop.hold(tuesday('11:00')))
  const move = (choice: Parameters<typeof moveBooking>[1]['choice'], id = bookingId) => moveBooking(shop.deps, { ...installation, bookingId: id, choice })
  expect(await move(tuesday('11:00'))).toMatchObject({ ok: false, reason: 'slot-taken', detail: { next: [{ start: at('2026-11-24T12:30') }, {}, {}, {}, {}, {}] } })
  expect(await move(tuesday('11:10'))).toMatchObject({ ok: false, reason: 'outside-hours' })
  expect(await move({ start: at('2026-12-21T08:00') })).toMatchObject({ ok: false, reason: 'too-late' })
  expect(await move(tuesday('14:00'), newId())).toMatchObject({ ok: false, reason: 'not-found' })
  shop.clock.set(at('2026-11-24T08:31'))
  expect(await move({ start: at('2026-11-25T08:00') })).toMatchObject({ ok: false, reason: 'too-late-to-change' })
  expect(await findAppointment(shop.deps, { bookingId })).toMatchObject({ start: at('2026-11-24T09:30'), changes: 0 })
  await cancelBooking(shop.deps, { bookingId })
  expect(await move({ start: at('2026-11-25T08:00') })).toMatchObject({ ok: false, reason: 'not-confirmed' })
})

test('many that move to one time at once: one of them has it, the others keep theirs', async () => {
  await using shop = await oneBay({ bays: 1, slot_minutes: 60 })
  await using crowd = crowdOf(shop.url, 8)
  const { db } = crowd
  const deps = { db, clock: shop.clock }
  const bookings = await Promise.all(['08:00', '09:00', '10:00', '11:00', '12:00', '13:00'].map((time) => makeBooking(deps, { ...installation, shopId: shop.shopId, choice: tuesday(time) })))
  const moved = await Promise.all(bookings.map(({ bookingId }) => moveBooking(deps, { ...installation, bookingId, choice: tuesday('16:00') })))
  expect(moved.filter((outcome) => outcome.ok)).toHaveLength(1)
  expect(await live(db)).toHaveLength(6)
})

test('a lapsed hold gives way to a move', async () => {
  await using shop = await oneBay()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  const lapsed = await held(shop.hold(tuesday('11:00')))
  shop.clock.set('2026-11-20T16:10:00Z')
  expect(await moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('11:00') })).toMatchObject({ ok: true })
  expect(await history(shop.db, lapsed.id)).toEqual(['null held customer', 'held expired customer'])
})

test('a state that somebody else changed meanwhile is not changed again', async () => {
  await using shop = await oneBay()
  const hold = await held(shop.hold(tuesday('09:30')))
  const change = { now: shop.clock.now(), actor: 'customer' }
  expect(await updateState(shop.db, { id: hold.id, from: 'held', to: 'cancelled' }, change)).toBe(true)
  expect(await updateState(shop.db, { id: hold.id, from: 'held', to: 'expired' }, change)).toBe(false)
  expect(await history(shop.db, hold.id)).toHaveLength(2)
})

test('the first times of many shops come in one answer, in the order asked', async () => {
  await using shop = await oneBay()
  const small = await makeShop(shop.db, { rim_max_in: 16 })
  const dropOffOnly = await makeShop(shop.db, { bays: 0 })
  await held(shop.hold(tuesday('08:00')))
  const later = { ...installation, arrivesOn: Temporal.PlainDate.from('2026-11-24') }
  const asks = [{ shopId: small, ...installation }, { shopId: shop.shopId, ...installation }, { shopId: shop.shopId, ...later }, { shopId: dropOffOnly, ...installation }, { shopId: 0, ...installation }]
  const counted = counting(shop.db)
  const times = await earliestTimes({ db: counted.db, clock: shop.clock }, { asks, limit: 2 })
  expect(counted.count()).toBe(1)
  expect(times.map((openings) => openings.map((opening) => `${opening.kind} ${opening.start.toZonedDateTimeISO('America/Chicago').toPlainDateTime().toString({ smallestUnit: 'minute' })}`))).toEqual([
    [],
    ['wait 2026-11-24T09:30', 'wait 2026-11-24T11:00'],
    ['wait 2026-11-25T08:00', 'wait 2026-11-25T09:30'],
    ['drop-off 2026-11-24T08:00', 'drop-off 2026-11-24T12:00'],
    [],
  ])
})

test('every refusal has its words', () => {
  type Refusal = { ok: false; reason: string }
  type ReasonOf<UseCase extends (...args: never[]) => unknown> = Extract<Awaited<ReturnType<UseCase>>, Refusal>['reason']
  type Reason = ReasonOf<typeof holdSlot> | ReasonOf<typeof offerTimes> | ReasonOf<typeof extendHold> | ReasonOf<typeof confirmHold> | ReasonOf<typeof moveBooking> | ReasonOf<typeof cancelBooking>
  // A reason without words does not compile.
  const words: Record<Reason, string> = bookingWords
  for (const sentence of Object.values(words)) expect(sentence).toMatch(/\.$/)
})
