import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { makeShop } from '#domain/scheduling/installers/installers.testing.ts'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { createDatabase, isDeadlock, type Database } from '#platform/db.ts'
import {
  cancelBooking,
  confirmHold,
  createCalendars,
  earliestTimes,
  expireHolds,
  extendHold,
  holdSlot,
  moveBooking,
  releaseHold,
} from './booking.server.ts'
import { selectShops } from './shop-calendar.sql.server.ts'
import {
  at,
  crowdOf,
  held,
  installation,
  makeBooking,
  makeCart,
  makeOrder,
  oneBay,
  tuesday,
} from './booking.testing.ts'
import { firstOpenings } from './slots.ts'

type Shop = Awaited<ReturnType<typeof oneBay>>
type Change = (shop: Shop) => Promise<unknown>

/** Returns the shop's first times from a process with a separate cache, and counts its queries. */
function asProcess(shop: Shop, db: Database) {
  const counted = counting(db)
  const calendars = createCalendars(counted.db)
  return {
    count: counted.count,
    async times() {
      const [openings] = await earliestTimes(
        { calendars, clock: shop.clock },
        { asks: [{ ...installation, shopId: shop.shopId }] },
      )
      return (openings ?? []).map(
        ({ kind, start, end }) => `${kind} ${start.toString()} ${end.since(start).total('minutes')}`,
      )
    },
  }
}

/** Calculates the same times directly from the database. */
async function calculated(shop: Shop): Promise<string[]> {
  return asProcess(shop, shop.db).times()
}

const statement =
  (text: string): Change =>
  ({ db, shopId }) =>
    sql.raw(text.replaceAll(':shop', String(shopId))).execute(db)

const hold: Change = (shop) => held(shop.hold(tuesday('08:00')))
const heldCart = async (shop: Shop) => (await held(shop.hold(tuesday('08:00')))).cartId ?? ''
const booked = (shop: Shop) =>
  makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('08:00') })

/** The store takes bookings only for today and tomorrow, from `startsAt` on, or now. */
const takeFewerDays = (shop: Shop, startsAt: Temporal.Instant | null = null) =>
  changeTerms(
    shop,
    { via: 'command line', name: 'owner' },
    { group: 'orders', input: { values: { 'bookable-days': 1 }, startsAt, seen: 0 } },
  )

const changes: [what: string, before: Change, change: Change][] = [
  ['a hold', () => Promise.resolve(), hold],
  ['a hold that is given up', heldCart, async (shop) => releaseHold(shop.deps, { cartId: await cartOf(shop) })],
  [
    'a hold that is moved to another time',
    heldCart,
    async (shop) => held(shop.hold(tuesday('09:30'), await cartOf(shop))),
  ],
  [
    'a booking that is moved',
    booked,
    async (shop) =>
      moveBooking(shop.deps, { ...installation, bookingId: await bookingOf(shop), choice: tuesday('09:30') }),
  ],
  [
    'a booking that is canceled',
    booked,
    async (shop) => cancelBooking(shop.deps, { bookingId: await bookingOf(shop) }),
  ],
  ['a booking that is deleted', booked, statement('delete from booking where shop_id = :shop')],
  ['a closure', () => Promise.resolve(), statement("insert into shop_closure values (:shop, '2026-11-24', 'Flood')")],
  [
    'a closure on another day',
    statement("insert into shop_closure values (:shop, '2026-11-24', 'Flood')"),
    statement("update shop_closure set closed_on = '2026-11-25'"),
  ],
  [
    'a closure taken back',
    statement("insert into shop_closure values (:shop, '2026-11-24', 'Flood')"),
    statement('delete from shop_closure'),
  ],
  ['later hours', () => Promise.resolve(), statement("update shop_hours set opens = '10:00' where weekday = 2")],
  ['no hours on Tuesdays', () => Promise.resolve(), statement('delete from shop_hours where weekday = 2')],
  [
    'hours on Sundays, too',
    statement('delete from shop_hours where weekday < 7'),
    statement("insert into shop_hours values (:shop, 7, '08:00', '12:00')"),
  ],
  ['another bay', hold, statement("insert into shop_bay (shop_id, kind, number) values (:shop, 'bay', 2)")],
  [
    'a bay that becomes a drop-off place',
    () => Promise.resolve(),
    statement("update shop_bay set kind = 'drop-off', number = 9 where kind = 'bay'"),
  ],
  ['no bay any more', () => Promise.resolve(), statement("delete from shop_bay where kind = 'bay'")],
  [
    'a bay that another shop gets',
    async ({ db }) => makeShop(db, { bays: 0 }),
    statement("update shop_bay set shop_id = (select max(id) from shop) where kind = 'bay'"),
  ],
  ['slower work', () => Promise.resolve(), statement('update shop_rate set minutes_per_tire = 60')],
  ['no price any more', () => Promise.resolve(), statement('delete from shop_rate')],
  [
    'a price for this work',
    statement("delete from shop_rate where job = 'standard'"),
    statement("insert into shop_rate values (:shop, 'standard', 12, 22, 1, 1, 1, 12)"),
  ],
  ['another grid', () => Promise.resolve(), statement('update shop_capacity set slot_minutes = 60')],
  ['more time to receive tires', () => Promise.resolve(), statement('update shop set receiving_minutes = 1440')],
  ['another zone', () => Promise.resolve(), statement("update shop set time_zone = 'America/Denver'")],
  ['tires that are not taken any more', () => Promise.resolve(), statement('update shop set rim_max_in = 16')],
  ['no orders any more', () => Promise.resolve(), statement('update shop set active = false')],
  ['orders again', statement('update shop set active = false'), statement('update shop set active = true')],
  ['fewer bookable days', () => Promise.resolve(), (shop) => takeFewerDays(shop)],
  ['no such shop any more', () => Promise.resolve(), statement('delete from shop')],
]

test.for(changes)('every process sees %s at once, in one statement each', async ([, before, change]) => {
  await using shop = await oneBay()
  await using other = crowdOf(shop.url, 1)
  await before(shop)
  const processes = [asProcess(shop, shop.db), asProcess(shop, other.db)]
  const first = await calculated(shop)
  for (const process of processes) for (const _ of [1, 2]) expect(await process.times()).toEqual(first)
  await change(shop)
  const now = await calculated(shop)
  expect(now).not.toEqual(first)
  for (const process of processes) {
    expect(await process.times()).toEqual(now)
    expect(await process.times()).toEqual(now)
    expect(process.count()).toBe(4)
  }
})

test('a newly opened shop is seen by processes that asked for it before', async () => {
  await using shop = await oneBay()
  const calendars = createCalendars(shop.db)
  const { id: next } = await shop.db
    .selectFrom('shop')
    .select((eb) => eb(eb.fn.max('id'), '+', 1).as('id'))
    .executeTakeFirstOrThrow()
  const ask = () => earliestTimes({ calendars, clock: shop.clock }, { asks: [{ ...installation, shopId: next }] })
  expect(await ask()).toEqual([[]])
  expect(await makeShop(shop.db)).toBe(next)
  expect(await ask()).toMatchObject([[{ start: at('2026-11-24T08:00') }, {}, {}, {}]])
})

test('an unchanged calendar returns the same array and is not read again', async () => {
  await using shop = await oneBay()
  const other = await makeShop(shop.db)
  const calendars = createCalendars(shop.db)
  const asks = [shop.shopId, other].map((shopId) => ({ ...installation, shopId }))
  const first = await earliestTimes({ calendars, clock: shop.clock }, { asks })
  await hold(shop)
  const second = await earliestTimes({ calendars, clock: shop.clock }, { asks })
  expect(second[0]).not.toEqual(first[0])
  expect(second[1]).toBe(first[1])
})

test('answers change over time as holds expire or extend, notice periods end, and dates change', async () => {
  await using shop = await oneBay()
  const process = asProcess(shop, shop.db)
  const { cartId } = await held(shop.hold(tuesday('08:00')))
  const seen = async (now: string | Temporal.Instant) => {
    shop.clock.set(now)
    const times = await process.times()
    expect(times).toEqual(await calculated(shop))
    return times[0]
  }
  expect(await seen('2026-11-20T16:09:59.999Z')).toBe('wait 2026-11-24T15:30:00Z 60')
  await extendHold(shop.deps, { cartId: cartId ?? '' })
  expect(await seen('2026-11-20T16:10:00Z')).toBe('wait 2026-11-24T15:30:00Z 60')
  expect(await seen('2026-11-20T16:20:00Z')).toBe('wait 2026-11-24T14:00:00Z 60')
  expect(await expireHolds(shop.deps)).toBe(1)
  expect(await seen('2026-11-20T16:20:01Z')).toBe('wait 2026-11-24T14:00:00Z 60')
  expect(await seen('2026-11-24T13:00:00Z')).toBe('wait 2026-11-24T14:00:00Z 60')
  expect(await seen('2026-11-24T13:00:00.001Z')).toBe('wait 2026-11-24T15:30:00Z 60')
  expect(await seen('2026-11-24T12:00:00Z')).toBe('wait 2026-11-24T14:00:00Z 60')

  await statement("delete from shop_hours where weekday < 6; update shop_hours set opens = '08:00', closes = '09:00'")(
    shop,
  )
  shop.clock.set('2026-11-26T05:59:59.999Z')
  expect(await process.times()).toHaveLength(3)
  shop.clock.set('2026-11-26T06:00:00Z')
  expect(await process.times()).toEqual(await calculated(shop))
  expect(await process.times()).toHaveLength(4)
})

test('a scheduled number of bookable days applies from its time on', async () => {
  await using shop = await oneBay()
  const process = asProcess(shop, shop.db)
  const start = shop.clock.now().add({ minutes: 5 })
  expect(await takeFewerDays(shop, start)).toMatchObject({ ok: true })
  expect(await process.times()).toHaveLength(4)
  shop.clock.set(start)
  expect(await process.times()).toEqual([])
  expect(await shop.hold(tuesday('08:00'))).toMatchObject({ reason: 'too-late' })
})

test('two changes to one shop don’t block each other and are visible on commit', async () => {
  await using shop = await oneBay({ bays: 2 })
  await using crowd = crowdOf(shop.url, 3)
  const process = asProcess(shop, shop.db)
  const first = await process.times()
  const slow = await crowd.db.startTransaction().execute()
  await sql`insert into shop_closure values (${shop.shopId}, '2026-11-24', 'Flood')`.execute(slow)
  expect(await process.times()).toEqual(first)

  // Waiting here would deadlock the test, since the other transaction ends only after this one.
  await sql`insert into shop_closure values (${shop.shopId}, '2026-11-25', 'Storm')`.execute(crowd.db)
  const second = await process.times()
  expect(second).toEqual(await calculated(shop))
  await slow.commit().execute()
  const third = await process.times()
  expect(third[0]).toBe('wait 2026-11-26T14:00:00Z 60')
  expect(third).toEqual(await calculated(shop))

  // The next reader adds up the versions.
  expect(await shop.db.selectFrom('shop_calendar_late').selectAll().execute()).toHaveLength(1)
  await sql`delete from shop_closure`.execute(shop.db)
  expect(await shop.db.selectFrom('shop_calendar_late').selectAll().execute()).toEqual([])
  expect(await process.times()).toEqual(first)
})

test('two changes to the same shops in opposite order don’t block each other', async () => {
  await using shop = await oneBay()
  const other = await makeShop(shop.db)
  await using crowd = crowdOf(shop.url, 2)
  const close = (db: Database, shopId: number, day: string) =>
    sql`insert into shop_closure values (${shopId}, ${day}, 'Flood')`.execute(db)
  const [one, two] = [await crowd.db.startTransaction().execute(), await crowd.db.startTransaction().execute()]
  await close(one, shop.shopId, '2026-11-24')
  await close(two, other, '2026-11-24')
  await close(one, other, '2026-11-25')
  await close(two, shop.shopId, '2026-11-25')
  await two.commit().execute()
  await one.commit().execute()
  const process = asProcess(shop, shop.db)
  expect(await process.times()).toEqual(await calculated(shop))
  expect(await shop.db.selectFrom('shop_calendar_late').select('shop_id').orderBy('shop_id').execute()).toEqual([
    { shop_id: shop.shopId },
    { shop_id: other },
  ])
})

test('under concurrent changes, cached calendars match the same snapshot of the database', async () => {
  await using shop = await oneBay({ bays: 2, dropOffs: 1 })
  await using crowd = crowdOf(shop.url, 8)
  const shopIds = [
    shop.shopId,
    await makeShop(shop.db, { bays: 1 }),
    await makeShop(shop.db, { bays: 1, time_zone: 'America/Denver' }),
  ]
  const deps = { db: crowd.db, clock: shop.clock }
  const snapshot = createDatabase(shop.url, { size: 1 })
  let reader: Database = snapshot
  // Routes every query to the current transaction.
  const throughReader = new Proxy(snapshot, {
    get: (_, name) =>
      name === 'executeQuery'
        ? reader.executeQuery.bind(reader)
        : name === 'getExecutor'
          ? reader.getExecutor.bind(reader)
          : undefined,
  })
  const calendars = createCalendars(throughReader)

  const draw = drawing(7)
  const working = new AbortController()
  const work = Array.from({ length: 6 }, async () => {
    for (let round = 0; round < 15; round += 1) {
      const cartId = await makeCart(deps.db)
      const input = () => ({
        ...installation,
        shopId: shopIds[draw(3)] ?? 0,
        choice: tuesday(['08:00', '09:30', '11:00', '12:30'][draw(4)] ?? ''),
      })
      const first = input()
      if (!(await holdSlot(deps, { ...first, cartId })).ok) continue
      if (draw(3) === 0) await holdSlot(deps, { ...input(), cartId })
      if (draw(3) === 0) await releaseHold(deps, { cartId })
      const orderId = await makeOrder(deps.db, cartId, first.shopId)
      const confirm = (): ReturnType<typeof confirmHold> =>
        deps.db
          .transaction()
          .execute((tx) => confirmHold({ db: tx, clock: shop.clock }, { cartId, orderId }))
          // Placing an order tries again after a deadlock, too.
          .catch((error: unknown) => {
            if (isDeadlock(error)) return confirm()
            throw error
          })
      const confirmed = await confirm()
      if (!confirmed.ok) continue
      await moveBooking(deps, { ...installation, bookingId: confirmed.value.id, choice: input().choice })
      if (draw(4) > 0) await cancelBooking(deps, { orderId })
      if (draw(5) === 0) shop.clock.set(shop.clock.now().add({ minutes: draw(30) }))
    }
  })
  const worked = Promise.all(work).finally(() => working.abort())
  let compared = 0
  while (!working.signal.aborted) {
    const tx = await snapshot.startTransaction().setIsolationLevel('repeatable read').execute()
    reader = tx
    const ask = { minutes: 60, arrivesOn: installation.arrivesOn, now: shop.clock.now() }
    const kept = await calendars.read(shopIds, ask.now)
    const plain = await selectShops(tx, shopIds, ask.now)
    for (const shopId of shopIds) expect(kept.get(shopId)?.shop).toEqual(plain.get(shopId))
    await tx.commit().execute()
    compared += 1
  }
  await worked
  await snapshot.destroy()
  expect(compared).toBeGreaterThan(5)
})

test('cached and fresh times match after random changes', async () => {
  await using shop = await oneBay({ bays: 1, dropOffs: 1 })
  const calendars = createCalendars(shop.db)
  const draw = drawing(11)
  const carts = await Promise.all(Array.from({ length: 5 }, () => makeCart(shop.db)))
  const day = () => `2026-${draw(2) ? '11-2' : '12-0'}${1 + draw(9)}`
  const change: Change[] = [
    () => shop.hold({ start: at(`${day()}T${['08:00', '09:30', '11:00', '14:00'][draw(4)]}`) }, carts[draw(5)]),
    () => shop.hold({ date: Temporal.PlainDate.from(day()), window: 'PM' }, carts[draw(5)]),
    () => releaseHold(shop.deps, { cartId: carts[draw(5)] ?? '' }),
    () => extendHold(shop.deps, { cartId: carts[draw(5)] ?? '' }),
    () => expireHolds(shop.deps),
    () =>
      sql`insert into shop_closure values (${shop.shopId}, ${day()}, 'Flood') on conflict do nothing`.execute(shop.db),
    () => sql`delete from shop_closure where closed_on = ${day()}`.execute(shop.db),
    () =>
      sql`update shop_hours set opens = ${`0${7 + draw(3)}:00`}::time where weekday = ${1 + draw(6)}`.execute(shop.db),
  ]
  for (let step = 0; step < 150; step += 1) {
    if (draw(2)) await change[draw(change.length)]?.(shop)
    else shop.clock.set(shop.clock.now().add({ minutes: [1, 3, 10, 45, 300][draw(5)] ?? 0 }))
    const now = shop.clock.now()
    const ask = { arrivesOn: Temporal.PlainDate.from('2026-11-23'), now }
    const [afresh] = (await selectShops(shop.db, [shop.shopId], now)).values()
    if (!afresh) throw new Error('The shop is gone.')
    for (const limit of [1, 4]) {
      const [kept] = await earliestTimes(
        { calendars, clock: shop.clock },
        { asks: [{ ...installation, ...ask, shopId: shop.shopId }], limit },
      )
      expect(kept).toEqual(firstOpenings(afresh, { ...ask, minutes: 60 }, limit).openings)
    }
  }
})

/** A seeded random sequence. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function cartOf({ db }: Shop): Promise<string> {
  return (
    (await db.selectFrom('booking').select('cart_id').where('state', '=', 'held').executeTakeFirstOrThrow()).cart_id ??
    ''
  )
}

async function bookingOf({ db }: Shop): Promise<string> {
  return (await db.selectFrom('booking').select('id').where('state', '=', 'confirmed').executeTakeFirstOrThrow()).id
}
