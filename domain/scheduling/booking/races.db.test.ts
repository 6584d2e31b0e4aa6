import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeShop } from '#domain/scheduling/installers/installers.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { cancelBooking, confirmHold, findHold, holdSlot, moveBooking } from './booking.server.ts'
import { insertHold, type NewHold } from './booking.sql.server.ts'
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

test('of 200 requests for one slot, one gets it and 199 get the next free times', async () => {
  await using shop = await oneBay()
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const carts = await Promise.all(Array.from({ length: 200 }, () => makeCart(db)))
  const outcomes = await Promise.all(
    carts.map((cartId) =>
      holdSlot({ db, clock: shop.clock }, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('09:30') }),
    ),
  )
  const losers = outcomes.filter((outcome) => !outcome.ok)
  expect(losers).toHaveLength(199)
  for (const loser of losers)
    expect(loser).toMatchObject({
      reason: 'slot-taken',
      detail: { next: [{ kind: 'wait', start: at('2026-11-24T11:00') }, {}, {}, {}, {}, {}] },
    })
  expect(await live(db)).toHaveLength(1)
})

test('three of 100 concurrent carts get a slot with three bays, one bay each', async () => {
  await using shop = await oneBay({ bays: 3 })
  await using crowd = crowdOf(shop.url, 20)
  const { db } = crowd
  const carts = await Promise.all(Array.from({ length: 100 }, () => makeCart(db)))
  const outcomes = await Promise.all(
    carts.map((cartId) =>
      holdSlot({ db, clock: shop.clock }, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('09:30') }),
    ),
  )
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(3)
  expect(new Set((await live(db)).map((booking) => booking.bay_id)).size).toBe(3)
})

test('the constraint gives a slot to one of 200 carts without an availability check', async () => {
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
    // Each starts slightly later than the last, so that the overlap isn't prevented by equality.
    start: at('2026-11-24T09:30').add({ seconds: offset }),
    end: at('2026-11-24T10:30').add({ seconds: offset }),
    dropOff: null,
    cartId,
    heldBy: null,
    expiresAt: at('2026-11-20T10:10'),
  })
  const outcomes = await Promise.all(
    carts.map((cartId, index) => insertHold(db, blindly(cartId, index), { now: shop.clock.now(), actor: 'customer' })),
  )
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  expect(await live(db)).toHaveLength(1)
})

test('the constraint refuses a plain insert over a live booking', async () => {
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

test('random holds, confirmations, moves and cancellations never overlap on a bay', async () => {
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
    const confirmed = await db
      .transaction()
      .execute((tx) => confirmHold({ db: tx, clock: shop.clock }, { cartId, orderId }))
    if (!confirmed.ok) return
    await moveBooking(deps, {
      ...installation,
      bookingId: confirmed.value.id,
      choice: tuesday(times[draw(round, 2)] ?? '08:00'),
    })
    if (round % 2 === 0) await cancelBooking(deps, { orderId })
  })
  await Promise.all(work)
  const overlaps = await sql`
    select from booking a join booking b on a.bay_id = b.bay_id and a.id < b.id and a.during && b.during
    where a.state in ('held', 'confirmed') and b.state in ('held', 'confirmed')`.execute(db)
  expect(overlaps.rows).toEqual([])
  expect((await live(db)).length).toBeLessThanOrEqual(6)
})

test('a cart that loses a race for another time doesn’t lose its current time', async () => {
  await using shop = await oneBay({ bays: 30 })
  await using crowd = crowdOf(shop.url, 20)
  const deps = { db: crowd.db, clock: shop.clock }
  const wanted = await makeShop(crowd.db, { bays: 1 })
  const carts = await Promise.all(Array.from({ length: 30 }, () => makeCart(crowd.db)))
  await Promise.all(carts.map((cartId) => held(shop.hold(tuesday('09:30'), cartId))))
  const outcomes = await Promise.all(
    carts.map((cartId) => holdSlot(deps, { ...installation, shopId: wanted, cartId, choice: tuesday('11:00') })),
  )
  expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
  const holds = await Promise.all(carts.map((cartId) => findHold(deps, cartId)))
  expect(holds.filter((hold) => hold?.shopId === shop.shopId)).toHaveLength(29)
})

test('two tabs of one cart end up with one hold', async () => {
  await using shop = await oneBay({ bays: 3 })
  const cartId = await makeCart(shop.db)
  const outcomes = await Promise.all(
    ['08:00', '09:30', '11:00', '12:30'].map((time) => shop.hold(tuesday(time), cartId)),
  )
  expect(outcomes.some((outcome) => outcome.ok)).toBe(true)
  expect(await live(shop.db)).toHaveLength(1)
})

test('of many concurrent moves to one time, one succeeds and the others don’t lose their times', async () => {
  await using shop = await oneBay({ bays: 1, slot_minutes: 60 })
  await using crowd = crowdOf(shop.url, 8)
  const { db } = crowd
  const deps = { db, clock: shop.clock }
  const bookings = await Promise.all(
    ['08:00', '09:00', '10:00', '11:00', '12:00', '13:00'].map((time) =>
      makeBooking(deps, { ...installation, shopId: shop.shopId, choice: tuesday(time) }),
    ),
  )
  const moved = await Promise.all(
    bookings.map(({ bookingId }) => moveBooking(deps, { ...installation, bookingId, choice: tuesday('16:00') })),
  )
  expect(moved.filter((outcome) => outcome.ok)).toHaveLength(1)
  expect(await live(db)).toHaveLength(6)
})
