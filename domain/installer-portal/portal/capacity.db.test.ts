/** A shop's capacity after opening, with versions by date, affected appointments, and concurrent bookings. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  confirmHold,
  earliestTimes,
  createCalendars,
  holdSlot,
  listCapacity,
  moveBooking,
  offerTimes,
} from '#domain/scheduling/booking/booking.server.ts'
import {
  at,
  crowdOf,
  installation,
  makeBooking,
  makeCart,
  makeOrder,
  tuesday,
} from '#domain/scheduling/booking/booking.testing.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { ownedShop, typedVersion } from './capacity.testing.ts'
import { changeCapacity, readCapacity, type CapacityChange } from './portal.server.ts'

type Shop = Awaited<ReturnType<typeof ownedShop>>

const change = ({ store, by, timeZone }: Shop, asked: CapacityChange, seen: string | null = null) =>
  changeCapacity(store, by, { timeZone, change: asked, seen })

/** The times to wait on a day as "08:00". */
async function waits({ deps, shopId }: Shop, date: string): Promise<string[]> {
  const { days } = must(await offerTimes(deps, { ...installation, shopId }))
  const day = days.find((each) => each.date.toString() === date)
  return (day?.times ?? [])
    .filter(({ free }) => free)
    .map(({ start }) => start.toZonedDateTimeISO('America/Chicago').toPlainTime().toString({ smallestUnit: 'minute' }))
}

/** Runs the `npm run verify` checks for bays and bookings. */
const brokenIn = async ({ db, clock }: Shop) =>
  (await verify(db, clock.now())).filter(({ name }) => ['booking-within-hours', 'bay-taken-once'].includes(name))

const book = (shop: Shop, wall: string) =>
  makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: { start: at(wall) } })

test('a version applies from its date, earlier dates use the old one, and caches follow', async () => {
  await using shop = await ownedShop()
  const calendars = createCalendars(shop.db)
  const first = async () =>
    (await earliestTimes({ calendars, clock: shop.clock }, { asks: [{ ...installation, shopId: shop.shopId }] }))[0]
  const before = await waits(shop, '2026-11-24')
  expect(before[0]).toBe('08:00')
  await first()
  must(
    await change(
      shop,
      typedVersion({ from: '2026-11-25', 'opens-3': '600', lunchFrom: '720', lunchTo: '780', slot: '60', lead: '120' }),
    ),
  )
  expect(await waits(shop, '2026-11-24')).toEqual(before)
  expect(await waits(shop, '2026-11-25')).toEqual(['10:00', '11:00', '13:00', '14:00', '15:00', '16:00', '17:00'])
  // The next Wednesday has it, too, and so have the cached calendars.
  expect(await waits(shop, '2026-12-02')).toContain('17:00')
  shop.clock.set(at('2026-11-24T23:30'))
  const [soonest] = (await first()) ?? []
  expect(soonest?.start.toString()).toBe(at('2026-11-25T10:00').toString())
  expect((await readCapacity(shop.store, { shopId: shop.shopId, timeZone: shop.timeZone })).plans).toMatchObject([
    { from: null, until: '2026-11-25', slotMinutes: 90, madeBy: null },
    { from: '2026-11-25', until: null, slotMinutes: 60, madeBy: 'Ona' },
  ])
})

test('versions may be made in any order and taken back, and every day has exactly one', async () => {
  await using shop = await ownedShop()
  const spans = async () =>
    (await listCapacity(shop.db, shop.shopId)).map(({ from, until, bays }) => [from, until, bays])
  must(await change(shop, typedVersion({ from: '2026-12-20', bays: '3' })))
  must(await change(shop, typedVersion({ from: '2026-12-01', bays: '2' })))
  must(await change(shop, typedVersion({ from: '2026-12-10', bays: '4' })))
  expect(await spans()).toEqual([
    [null, '2026-12-01', 1],
    ['2026-12-01', '2026-12-10', 2],
    ['2026-12-10', '2026-12-20', 4],
    ['2026-12-20', null, 3],
  ])
  // The same day again replaces it.
  must(await change(shop, typedVersion({ from: '2026-12-10', bays: '5' })))
  must(await change(shop, { kind: 'withdraw', day: Temporal.PlainDate.from('2026-12-01') }))
  expect(await spans()).toEqual([
    [null, '2026-12-10', 1],
    ['2026-12-10', '2026-12-20', 5],
    ['2026-12-20', null, 3],
  ])
  expect(await change(shop, { kind: 'withdraw', day: Temporal.PlainDate.from('2026-12-01') })).toMatchObject({
    reason: 'no-plan',
  })
  must(await change(shop, { kind: 'withdraw', day: Temporal.PlainDate.from('2026-12-20') }))
  expect(await spans()).toEqual([
    [null, '2026-12-10', 1],
    ['2026-12-10', null, 5],
  ])
  const numbers = await shop.db.selectFrom('shop_bay').select('number').where('kind', '=', 'bay').execute()
  expect(
    numbers
      .map(({ number }) => String(number))
      .toSorted()
      .join(' '),
  ).toBe('1 2 3 4 5')
  expect(await brokenIn(shop)).toEqual([])
})

test('the database prevents overlapping versions, gaps, and bookings outside them', async () => {
  await using shop = await ownedShop()
  const fails = async (run: Promise<unknown>) => run.then(() => 'done', violatedConstraint)
  const { db, shopId } = shop
  expect(
    await fails(db.insertInto('shop_capacity').values({ shop_id: shopId, during: '[2026-12-01,)' }).execute()),
  ).toBe('shop_capacity_once_a_day')
  expect(await fails(db.deleteFrom('shop_capacity').execute())).toBe('shop_capacity_every_day')
  expect(await fails(db.updateTable('shop_capacity').set({ during: '[2026-12-01,)' }).execute())).toBe(
    'shop_capacity_every_day',
  )
  const { bookingId } = await book(shop, '2026-11-24T08:00')
  expect(
    await fails(
      db
        .updateTable('booking')
        .set({ during: '[2026-11-24T03:00Z,2026-11-24T04:00Z)' })
        .where('id', '=', bookingId)
        .execute(),
    ),
  ).toBe('booking_within_capacity')
})

test('bookings that would not fit are shown before a change is kept, each with why, and stay where they are', async () => {
  await using shop = await ownedShop({ bays: 2 })
  const early = await book(shop, '2026-11-24T08:00')
  const other = await book(shop, '2026-11-24T08:00')
  const late = await book(shop, '2026-11-24T15:30')
  const asked = typedVersion({ 'opens-2': '480', 'closes-2': '960', lunchFrom: '', lunchTo: '' })
  const shown = await change(shop, asked)
  expect(shown).toMatchObject({ ok: false, reason: 'hurts' })
  if (shown.ok || shown.reason !== 'hurts') throw new Error('It hurts nothing.')
  const { hurt, seen } = shown.detail
  expect(hurt.map(({ bookingId, reason }) => [bookingId, reason])).toEqual([
    [other.bookingId, 'bay'],
    [late.bookingId, 'hours'],
  ])
  expect(hurt[0]?.job).toMatchObject({ firstName: 'Dana', lastInitial: 'R' })
  // The change isn't saved yet.
  expect(await listCapacity(shop.db, shop.shopId)).toHaveLength(1)

  // A new appointment wasn't shown, so the list is shown again.
  const more = await book(shop, '2026-11-24T17:00')
  const again = await change(shop, asked, seen)
  if (again.ok || again.reason !== 'hurts') throw new Error('It was kept.')
  expect(again.detail.hurt.map(({ bookingId }) => bookingId)).toEqual([other.bookingId, late.bookingId, more.bookingId])
  expect(must(await change(shop, asked, again.detail.seen))).toEqual({ hurt: 3 })
  expect(await brokenIn(shop)).toEqual([])

  const { hurt: open } = await readCapacity(shop.store, { shopId: shop.shopId, timeZone: shop.timeZone })
  expect(open.map(({ bookingId }) => bookingId)).toEqual([other.bookingId, late.bookingId, more.bookingId])
  must(await moveBooking(shop.deps, { ...installation, bookingId: late.bookingId, choice: tuesday('11:00') }))
  const { hurt: left } = await readCapacity(shop.store, { shopId: shop.shopId, timeZone: shop.timeZone })
  expect(left.map(({ bookingId }) => bookingId)).toEqual([other.bookingId, more.bookingId])
  expect(early.bookingId).not.toBe(other.bookingId)
})

test('lunch, drop-off windows, technicians and closed days hurt what they take away', async () => {
  await using shop = await ownedShop({ bays: 2 })
  await book(shop, '2026-11-24T11:00')
  await book(shop, '2026-11-24T11:00')
  await makeBooking(shop.deps, {
    ...installation,
    shopId: shop.shopId,
    choice: { date: Temporal.PlainDate.from('2026-11-24'), window: 'EVE' },
  })
  const reasons = async (asked: CapacityChange) => {
    const outcome = await change(shop, asked)
    return outcome.ok || outcome.reason !== 'hurts' ? outcome : outcome.detail.hurt.map(({ reason }) => reason)
  }
  const base = { bays: '2', technicians: '2' }
  expect(await reasons(typedVersion({ ...base, lunchFrom: '690', lunchTo: '750' }))).toEqual(['lunch', 'lunch'])
  expect(await reasons(typedVersion({ ...base, EVE: '' }))).toEqual(['drop-off'])
  expect(await reasons(typedVersion({ ...base, dropOffs: '0' }))).toEqual(['drop-off'])
  // Of two jobs for one technician the later one is too many.
  expect(await reasons(typedVersion({ bays: '2', technicians: '1' }))).toEqual(['technicians'])
  expect(await reasons({ kind: 'close', closure: { on: '2026-11-24', reason: 'Flood' } })).toEqual([
    'closed-day',
    'closed-day',
    'closed-day',
  ])
  expect(await reasons({ kind: 'close', closure: { on: '2026-11-25', reason: 'Flood' } })).toEqual({
    ok: true,
    value: { hurt: 0 },
  })
  expect(await waits(shop, '2026-11-25')).toEqual([])
  must(await change(shop, { kind: 'open', day: Temporal.PlainDate.from('2026-11-25') }))
  expect(await waits(shop, '2026-11-25')).not.toEqual([])
})

test('technicians, buffers, and walk-in capacity limit online times', async () => {
  await using shop = await ownedShop()
  must(
    await change(
      shop,
      typedVersion({ from: '2026-11-24', bays: '3', technicians: '2', slot: '60', buffer: '30', walkIn: '80' }),
    ),
  )
  await book(shop, '2026-11-24T10:00')
  await book(shop, '2026-11-24T10:00')
  // Both technicians are busy at 10 regardless of the third bay. Buffers leave 11 available only in the third bay.
  expect(await waits(shop, '2026-11-24')).toEqual([
    '08:00',
    '09:00',
    '11:00',
    '12:00',
    '13:00',
    '14:00',
    '15:00',
    '16:00',
    '17:00',
  ])
  await book(shop, '2026-11-24T11:00')
  expect(await waits(shop, '2026-11-24')).not.toContain('11:00')
  // A fifth of two technicians' ten hours is four hours.
  await book(shop, '2026-11-24T13:00')
  expect(await waits(shop, '2026-11-24')).toEqual([])
  expect(await waits(shop, '2026-11-25')).not.toEqual([])
})

test('of two concurrent owners the second is shown the first change, and a repeated form applies once', async () => {
  await using shop = await ownedShop()
  const { version } = await readCapacity(shop.store, { shopId: shop.shopId, timeZone: shop.timeZone })
  const save = (typed: Record<string, string>, basedOn: string) =>
    changeCapacity(shop.store, shop.by, {
      timeZone: shop.timeZone,
      change: typedVersion(typed),
      seen: null,
      basedOn,
    })
  const [first, second] = await Promise.all([save({ slot: '60' }, version), save({ slot: '30' }, version)])
  const refusals = [first, second].flatMap((each) => (each.ok ? [] : [each]))
  expect(refusals).toMatchObject([{ reason: 'changed-meanwhile', detail: { plan: { from: '2026-11-24' } } }])
  const after = await readCapacity(shop.store, { shopId: shop.shopId, timeZone: shop.timeZone })
  expect(refusals).toMatchObject([{ detail: { version: after.version } }])
  const kept = first.ok ? '60' : '30'
  expect(after.plans.at(-1)).toMatchObject({ slotMinutes: Number(kept) })
  expect(await save({ slot: kept }, version)).toMatchObject({ ok: true })
  expect(await save({ slot: '90', notice: '480' }, version)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await save({ slot: '90', notice: '480' }, after.version)).toMatchObject({ ok: true })
})

test('the rescheduling notice is the one in effect on the appointment’s day', async () => {
  await using shop = await ownedShop()
  must(await change(shop, typedVersion({ from: '2026-11-24', notice: '480' })))
  const { bookingId } = await book(shop, '2026-11-24T15:30')
  shop.clock.set(at('2026-11-24T07:31'))
  const move = () => moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('12:30') })
  expect(await move()).toMatchObject({ reason: 'too-late-to-change' })
  shop.clock.set(at('2026-11-24T07:30'))
  expect(await move()).toMatchObject({ ok: true })
})

test('a hold that a change leaves outside is not confirmed', async () => {
  await using shop = await ownedShop()
  const cartId = await makeCart(shop.db)
  must(await holdSlot(shop.deps, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('17:00') }))
  must(await change(shop, typedVersion({ 'closes-2': '900' })))
  const orderId = await makeOrder(shop.db, cartId, shop.shopId)
  expect(await confirmHold(shop.deps, { cartId, orderId })).toMatchObject({ reason: 'slot-lost' })
})

test('only a day to come, within a year, by an owner', async () => {
  await using shop = await ownedShop()
  expect(await change(shop, typedVersion({ from: '2026-11-20' }))).toMatchObject({ reason: 'past' })
  expect(await change(shop, typedVersion({ from: '2028-11-20' }))).toMatchObject({ reason: 'too-far' })
  expect(await change(shop, { kind: 'close', closure: { on: '2026-11-19', reason: 'x' } })).toMatchObject({
    reason: 'past',
  })
  await shop.db.updateTable('shop_member').set({ role: 'technician' }).execute()
  expect(await change(shop, typedVersion())).toMatchObject({ reason: 'not-allowed' })
})

test.for([1, 2, 3, 4])(
  'changes against bookings at once: none ends hurt without having been shown (%i)',
  async (seed) => {
    await using shop = await ownedShop({ bays: 3 })
    await using crowd = crowdOf(shop.url, 16)
    const store = { ...shop.store, db: crowd.db }
    const deps = { db: crowd.db, clock: shop.clock }
    const times = ['08:00', '09:30', '11:00', '12:30', '14:00', '15:30', '17:00']
    const one = async (index: number) => {
      const cartId = await makeCart(crowd.db)
      const choice = tuesday(times[(index * seed) % times.length] ?? '08:00')
      const hold = await holdSlot(deps, { ...installation, shopId: shop.shopId, cartId, choice })
      if (!hold.ok) return
      const orderId = await makeOrder(crowd.db, cartId, shop.shopId)
      const confirmed = await confirmHold(deps, { cartId, orderId })
      if (confirmed.ok && index % 3 === 0)
        await moveBooking(deps, { ...installation, bookingId: confirmed.value.id, choice: tuesday('14:00') })
    }
    const reduce = async (index: number) => {
      const asked = typedVersion({
        bays: String(1 + (index % 3)),
        technicians: String(1 + ((index + seed) % 2)),
        'closes-2': index % 2 ? '780' : '1080',
      })
      const first = await changeCapacity(store, shop.by, { timeZone: shop.timeZone, change: asked, seen: null })
      if (first.ok || first.reason !== 'hurts') return first.ok
      return (await changeCapacity(store, shop.by, { timeZone: shop.timeZone, change: asked, seen: first.detail.seen }))
        .ok
    }
    const outcomes = await Promise.all(
      Array.from({ length: 48 }, (_, index) => (index % 6 === 0 ? reduce(index) : one(index))),
    )
    expect(outcomes).toContain(true)
    expect(await brokenIn(shop)).toEqual([])
    const plans = await listCapacity(shop.db, shop.shopId)
    expect(plans.map(({ from, until }) => [from, until])).toEqual([
      [null, '2026-11-24'],
      ['2026-11-24', null],
    ])
  },
)

/** Resolves once this many queries are blocked on a lock, or `work` is done. */
async function untilBlocked({ db }: Shop, count: number, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const watched = work.finally(() => (isOver = true))
  await eventually('waiting statement', async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    return isOver || (rows[0]?.waiting ?? 0) >= count
  })
  if (isOver) await watched
}

test('a change waits for an order in progress, then shows its appointment', async () => {
  await using shop = await ownedShop()
  await using crowd = crowdOf(shop.url, 4)
  const cartId = await makeCart(shop.db)
  must(await holdSlot(shop.deps, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('17:00') }))
  const orderId = await makeOrder(shop.db, cartId, shop.shopId)
  const order = await crowd.db.startTransaction().execute()
  const { id } = must(await confirmHold({ db: order, clock: shop.clock }, { cartId, orderId }))
  const store = { ...shop.store, db: crowd.db }
  const asked = { timeZone: shop.timeZone, change: typedVersion({ 'closes-2': '900' }), seen: null }
  const outcome = changeCapacity(store, shop.by, asked)
  await untilBlocked(shop, 1, outcome)
  await order.commit().execute()
  expect(await outcome).toMatchObject({ reason: 'hurts', detail: { hurt: [{ bookingId: id, reason: 'hours' }] } })
})

test('an order waits for a change in progress, and its time is then rejected', async () => {
  await using shop = await ownedShop()
  await using crowd = crowdOf(shop.url, 4)
  const cartId = await makeCart(shop.db)
  must(await holdSlot(shop.deps, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('17:00') }))
  const orderId = await makeOrder(shop.db, cartId, shop.shopId)
  // The change has looked for appointments, and stops before it is written down.
  const before = await crowd.db.startTransaction().execute()
  await sql`lock table shop_event in exclusive mode`.execute(before)
  const store = { ...shop.store, db: crowd.db }
  const asked = { timeZone: shop.timeZone, change: typedVersion({ 'closes-2': '900' }), seen: null }
  const outcome = changeCapacity(store, shop.by, asked)
  await untilBlocked(shop, 1, outcome)
  const confirmed = confirmHold({ db: crowd.db, clock: shop.clock }, { cartId, orderId })
  await untilBlocked(shop, 2, confirmed)
  await before.commit().execute()
  expect(await outcome).toEqual({ ok: true, value: { hurt: 0 } })
  expect(await confirmed).toMatchObject({ reason: 'slot-lost' })
  expect(await brokenIn(shop)).toEqual([])
})
