import { expect, test } from 'vitest'
import { bookingMessages } from '#content/messages/booking.ts'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { keepCart } from '#domain/payments/cart/cart.server.ts'
import { counting, makeZip } from '#domain/supply/delivery/delivery.testing.ts'
import { makeShop } from '#domain/scheduling/installers/installers.testing.ts'
import {
  cancelBooking,
  confirmHold,
  createCalendars,
  earliestTimes,
  expireHolds,
  extendHold,
  findChosenTime,
  findHold,
  holdSlot,
  keepHold,
  moveBooking,
  offerTimes,
  releaseHold,
} from './booking.server.ts'
import {
  at,
  crowdOf,
  held,
  history,
  installation,
  live,
  makeCart,
  offered,
  oneBay,
  tuesday,
} from './booking.testing.ts'

test("a shop's month counts booked times and gives a reason for days without times", async () => {
  await using shop = await oneBay({ closures: [['2026-11-26', 'Thanksgiving']] })
  await held(shop.hold(tuesday('09:30')))
  await held(shop.hold({ date: Temporal.PlainDate.from('2026-11-24'), window: 'AM' }))
  const counted = counting(shop.db)
  const month = await offerTimes({ db: counted.db, clock: shop.clock }, { ...installation, shopId: shop.shopId })
  expect(counted.count()).toBe(1)
  if (!month.ok) throw new Error(month.reason)
  expect(month.value.quote).toMatchObject({ minutes: 60, installCents: 8800 })
  expect(month.value.timeZone).toBe('America/Chicago')
  expect(month.value.days.map((day) => day.state).slice(0, 8)).toEqual([
    'too-soon',
    'too-soon',
    'closed',
    'too-soon',
    'free',
    'free',
    'holiday',
    'free',
  ])
  expect(await offered(shop)).toEqual({ free: 6, dropOffs: ['PM', 'EVE'], state: 'free' })
})

test('a hold lasts ten minutes, is recorded, and is unchanged after a reload or duplicate request', async () => {
  await using shop = await oneBay()
  const cartId = await makeCart(shop.db)
  const booking = await held(shop.hold(tuesday('09:30'), cartId))
  expect(booking).toMatchObject({
    kind: 'wait',
    state: 'held',
    timeZone: 'America/Chicago',
    dropOff: null,
    holdExpiresAt: Temporal.Instant.from('2026-11-20T16:10:00Z'),
  })
  expect(booking.end.since(booking.start).total('minutes')).toBe(60)
  expect(await findHold(shop.deps, cartId)).toEqual(booking)
  shop.clock.set('2026-11-20T16:04:00Z')
  expect(await held(shop.hold(tuesday('09:30'), cartId))).toEqual(booking)
  expect(await history(shop.db, booking.id)).toEqual(['null held customer'])
})

test('a drop-off takes a drop-off place and has its code', async () => {
  await using shop = await oneBay()
  const booking = await held(shop.hold({ date: Temporal.PlainDate.from('2026-11-24'), window: 'EVE' }))
  expect(booking).toMatchObject({
    kind: 'drop-off',
    dropOff: { window: 'EVE', code: '20261124-EVE' },
    start: at('2026-11-24T16:00'),
    end: at('2026-11-24T18:00'),
  })
  expect(await findHold(shop.deps, booking.cartId ?? '')).toEqual(booking)
  expect(await offered(shop)).toEqual({ free: 7, dropOffs: ['AM', 'PM'], state: 'free' })
})

test('each window has as many places as the shop offers', async () => {
  await using shop = await oneBay({ dropOffs: 2 })
  const morning = { date: Temporal.PlainDate.from('2026-11-24'), window: 'AM' } as const
  await held(shop.hold(morning))
  await held(shop.hold(morning))
  const third = await shop.hold(morning)
  expect(third).toMatchObject({
    ok: false,
    reason: 'slot-taken',
    detail: {
      next: [{ kind: 'drop-off', code: '20261124-PM' }, { code: '20261124-EVE' }, { code: '20261125-AM' }, {}, {}, {}],
    },
  })
})

test('choosing another time releases the first only once the new one is held', async () => {
  await using shop = await oneBay()
  const cartId = await makeCart(shop.db)
  const first = await held(shop.hold(tuesday('09:30'), cartId))
  await held(shop.hold(tuesday('14:00')))
  expect(await shop.hold(tuesday('14:00'), cartId)).toMatchObject({ ok: false, reason: 'slot-taken' })
  expect(await findHold(shop.deps, cartId)).toEqual(first)

  const second = await held(shop.hold(tuesday('11:00'), cartId, { actor: 'staff:dana' }))
  expect((await live(shop.db)).filter((booking) => booking.cart_id === cartId).map((booking) => booking.id)).toEqual([
    second.id,
  ])
  expect(await history(shop.db, first.id)).toEqual(['null held customer', 'held canceled staff:dana'])
  expect(await held(shop.hold(tuesday('09:30')))).toMatchObject({ state: 'held' })
})

test.for([
  [{ start: '2026-11-24T09:00' }, 'outside-hours'],
  [{ start: '2026-11-22T09:30' }, 'outside-hours'],
  [{ start: '2026-11-23T09:30' }, 'too-soon'],
  [{ start: '2026-12-21T09:30' }, 'too-late'],
] as const)('refuses %o as %s', async ([{ start }, reason]) => {
  await using shop = await oneBay()
  expect(await shop.hold({ start: at(start) })).toMatchObject({ ok: false, reason })
  expect(await live(shop.db)).toEqual([])
})

test('a shop that does not take the tires refuses the hold', async () => {
  await using shop = await oneBay({ rim_max_in: 16 })
  expect(await shop.hold(tuesday('09:30'))).toEqual({ ok: false, reason: 'shop-not-capable', detail: ['rim'] })
  expect(await offerTimes(shop.deps, { ...installation, shopId: shop.shopId })).toMatchObject({
    ok: false,
    reason: 'shop-not-capable',
  })
  expect(await shop.hold(tuesday('09:30'), undefined, { shopId: 0 })).toMatchObject({
    ok: false,
    reason: 'shop-not-found',
  })
})

test('a van comes only to its service area', async () => {
  await using shop = await oneBay({ kind: 'van', dropOffs: 0 })
  await makeZip(shop.db)
  await shop.db.insertInto('van_area').values({ shop_id: shop.shopId, zip: '60614' }).execute()
  expect(await shop.hold(tuesday('09:30'), undefined, { zip: '90001' })).toMatchObject({
    ok: false,
    reason: 'outside-area',
  })
  expect(await shop.hold(tuesday('09:30'))).toMatchObject({ ok: false, reason: 'outside-area' })
  expect(await held(shop.hold(tuesday('09:30'), undefined, { zip: '60614' }))).toMatchObject({ kind: 'mobile' })
})

const times = ['08:00', '09:30', '11:00', '12:30', '14:00', '15:30']

/** Holds times for this many new carts simultaneously from one network, for an account if given. */
async function holdMany(
  shop: Awaited<ReturnType<typeof oneBay>>,
  count: number,
  { heldBy, accountId }: { heldBy: string; accountId?: string },
) {
  await using crowd = crowdOf(shop.url, 20)
  const carts = await Promise.all(Array.from({ length: count }, () => makeCart(shop.db)))
  if (accountId !== undefined) for (const cartId of carts) await keepCart(shop.db, cartId, accountId)
  const outcomes = await Promise.all(
    carts.map((cartId, index) =>
      holdSlot(
        { db: crowd.db, clock: shop.clock },
        { ...installation, shopId: shop.shopId, cartId, choice: tuesday(times[index % times.length] ?? ''), heldBy },
      ),
    ),
  )
  return { carts, ends: outcomes.map((outcome) => (outcome.ok ? 'held' : outcome.reason)) }
}

test('limits a visitor to five holds across carts, concurrent requests, and networks', async () => {
  await using shop = await oneBay({ bays: 20 })
  const { accountId } = await signInAs(accountDeps(shop.db))
  const { ends } = await holdMany(shop, 24, { heldBy: 'home', accountId })
  expect(ends.toSorted()).toEqual([...Array<string>(5).fill('held'), ...Array<string>(19).fill('too-many-holds')])
  expect((await holdMany(shop, 1, { heldBy: 'phone', accountId })).ends).toEqual(['too-many-holds'])
  // People who share the network do not see the per-visitor refusal.
  expect((await holdMany(shop, 10, { heldBy: 'home' })).ends).toEqual(Array<string>(10).fill('held'))

  const mine = await shop.db
    .selectFrom('booking')
    .innerJoin('cart', 'cart.id', 'cart_id')
    .select('cart.id')
    .where('account_id', '=', accountId)
    .limit(1)
    .execute()
  expect(await shop.hold(tuesday('11:00'), mine[0]?.id, { heldBy: 'home' })).toMatchObject({ ok: true })
  shop.clock.set('2026-11-20T16:10:00Z')
  expect((await holdMany(shop, 1, { heldBy: 'home', accountId })).ends).toEqual(['held'])
})

test('limits a network to a hundred holds with a separate error', async () => {
  await using shop = await oneBay({ bays: 20 })
  const { carts, ends } = await holdMany(shop, 102, { heldBy: 'campus' })
  expect(ends.toSorted()).toEqual([
    ...Array<string>(100).fill('held'),
    ...Array<string>(2).fill('too-many-holds-of-network'),
  ])
  expect((await holdMany(shop, 1, { heldBy: 'elsewhere' })).ends).toEqual(['held'])
  // A visitor with one of them may switch to another time.
  const held = carts[ends.indexOf('held')]
  expect(await shop.hold(tuesday('15:30'), held, { heldBy: 'campus' })).toMatchObject({ ok: true })
})

test('an expired hold frees its slot before any sweep', async () => {
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

test('the sweeper marks expired holds and leaves the rest', async () => {
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

test('extends a hold ten times, also just after it expired, and then refuses', async () => {
  await using shop = await oneBay()
  const { cartId } = await held(shop.hold(tuesday('09:30')))
  const cart = { cartId: cartId ?? '' }
  const extended = await extendHold(shop.deps, cart)
  expect(extended).toMatchObject({
    ok: true,
    value: { holdExpiresAt: Temporal.Instant.from('2026-11-20T16:20:00Z'), holdExtensions: 1 },
  })
  shop.clock.set('2026-11-20T16:21:00Z')
  expect(await extendHold(shop.deps, cart)).toMatchObject({
    ok: true,
    value: { holdExpiresAt: Temporal.Instant.from('2026-11-20T16:31:00Z') },
  })
  for (let count = 3; count <= 10; count += 1)
    expect(await extendHold(shop.deps, cart)).toMatchObject({ ok: true, value: { holdExtensions: count } })
  expect(await extendHold(shop.deps, cart)).toMatchObject({ ok: false, reason: 'too-many-extensions' })
  expect(await extendHold(shop.deps, { cartId: await makeCart(shop.db) })).toMatchObject({
    ok: false,
    reason: 'no-hold',
  })
})

test('a payment in progress keeps a hold until its end without an extension, but doesn’t revive or shorten it', async () => {
  await using shop = await oneBay()
  const { cartId } = await held(shop.hold(tuesday('09:30')))
  const cart = { cartId: cartId ?? '' }
  const until = (time: string) => Temporal.Instant.from(`2026-11-20T${time}Z`)
  await keepHold(shop.deps, { ...cart, until: until('16:15:00') })
  expect(await findHold(shop.deps, cart.cartId)).toMatchObject({ holdExpiresAt: until('16:15:00'), holdExtensions: 0 })
  await keepHold(shop.deps, { ...cart, until: until('16:12:00') })
  expect(await findHold(shop.deps, cart.cartId)).toMatchObject({ holdExpiresAt: until('16:15:00') })
  shop.clock.set('2026-11-20T16:15:00Z')
  await keepHold(shop.deps, { ...cart, until: until('16:40:00') })
  expect(await findHold(shop.deps, cart.cartId)).toMatchObject({ holdExpiresAt: until('16:15:00') })
  // A cart without a hold is left as it is.
  const empty = await makeCart(shop.db)
  await keepHold(shop.deps, { cartId: empty, until: until('16:40:00') })
  expect(await findHold(shop.deps, empty)).toBeUndefined()
})

test('releasing the hold frees the slot', async () => {
  await using shop = await oneBay()
  const { cartId } = await held(shop.hold(tuesday('09:30')))
  await releaseHold(shop.deps, { cartId: cartId ?? '' })
  await releaseHold(shop.deps, { cartId: cartId ?? '' })
  expect(await offered(shop)).toMatchObject({ free: 7 })
})

test('returns the first times of many shops in one answer, in the order asked', async () => {
  await using shop = await oneBay()
  const small = await makeShop(shop.db, { rim_max_in: 16 })
  const dropOffOnly = await makeShop(shop.db, { bays: 0 })
  await held(shop.hold(tuesday('08:00')))
  const later = { ...installation, arrivesOn: Temporal.PlainDate.from('2026-11-24') }
  const asks = [
    { shopId: small, ...installation },
    { shopId: shop.shopId, ...installation },
    { shopId: shop.shopId, ...later },
    { shopId: dropOffOnly, ...installation },
    { shopId: 0, ...installation },
  ]
  const counted = counting(shop.db)
  const times = await earliestTimes({ calendars: createCalendars(counted.db), clock: shop.clock }, { asks, limit: 2 })
  expect(counted.count()).toBe(1)
  expect(
    times.map((openings) =>
      openings.map(
        (opening) =>
          `${opening.kind} ${opening.start.toZonedDateTimeISO('America/Chicago').toPlainDateTime().toString({ smallestUnit: 'minute' })}`,
      ),
    ),
  ).toEqual([
    [],
    ['wait 2026-11-24T09:30', 'wait 2026-11-24T11:00'],
    ['wait 2026-11-25T08:00', 'wait 2026-11-25T09:30'],
    ['drop-off 2026-11-24T08:00', 'drop-off 2026-11-24T12:00'],
    [],
  ])
})

test('every refusal has a message', () => {
  type Refusal = { ok: false; reason: string }
  type ReasonOf<UseCase extends (...args: never[]) => unknown> = Extract<
    Awaited<ReturnType<UseCase>>,
    Refusal
  >['reason']
  type Reason =
    | ReasonOf<typeof holdSlot>
    | ReasonOf<typeof offerTimes>
    | ReasonOf<typeof extendHold>
    | ReasonOf<typeof confirmHold>
    | ReasonOf<typeof moveBooking>
    | ReasonOf<typeof cancelBooking>
  // A reason without a message does not compile.
  const words: Record<Reason, string> = bookingMessages
  for (const sentence of Object.values(words)) expect(sentence).toMatch(/\.$/)
})

test('offers later times instead of a taken one, and earlier times instead of the very last', async () => {
  await using shop = await oneBay()
  const month = await offerTimes(shop.deps, { ...installation, shopId: shop.shopId })
  const free = month.ok ? month.value.days.flatMap(({ times }) => times.filter((time) => time.free)) : []
  const [last, one] = [free.at(-1), free[3]]
  if (!last || !one) throw new Error('The shop has no times.')
  for (const { start } of [last, one]) await held(shop.hold({ start }))
  const starts = async (start: Temporal.Instant) => {
    const refusal = await shop.hold({ start })
    return !refusal.ok && refusal.reason === 'slot-taken'
      ? refusal.detail.next.map((next) => ('start' in next ? next.start.toString() : ''))
      : []
  }
  expect(await starts(last.start)).toEqual([0, 1, 2, 4, 5, 6].map((index) => free[index]?.start.toString()))
  expect(await starts(one.start)).toEqual([4, 5, 6, 7, 8, 9].map((index) => free[index]?.start.toString()))
})

test('a hold ends exactly after ten minutes', async () => {
  await using shop = await oneBay()
  const cartId = await makeCart(shop.db)
  const { holdExpiresAt } = await held(shop.hold(tuesday('09:30'), cartId))
  if (!holdExpiresAt) throw new Error('A hold has an end.')
  shop.clock.set(holdExpiresAt.subtract({ seconds: 1 }))
  expect((await findChosenTime(shop.deps, cartId))?.status).toBe('held')
  shop.clock.set(holdExpiresAt)
  expect((await findChosenTime(shop.deps, cartId))?.status).toBe('ended')
})

test('a different start or length is a different hold', async () => {
  await using shop = await oneBay()
  const cartId = await makeCart(shop.db)
  const first = await held(shop.hold(tuesday('09:30'), cartId))
  const longer = await held(
    shop.hold(tuesday('09:30'), cartId, { tires: installation.tires.map((tire) => ({ ...tire, quantity: 6 })) }),
  )
  expect(longer.id).not.toBe(first.id)
  expect(Temporal.Instant.compare(longer.end, first.end)).toBe(1)
  const later = await held(shop.hold(tuesday('12:30'), cartId))
  expect(later).toMatchObject({ start: at('2026-11-24T12:30') })
  expect(await live(shop.db)).toMatchObject([{ id: later.id }])
})

test('a day without times to wait is free while a drop-off is left', async () => {
  await using shop = await oneBay()
  const month = await offerTimes(shop.deps, { ...installation, shopId: shop.shopId })
  const times = month.ok ? (month.value.days.find(({ date }) => date.toString() === '2026-11-24')?.times ?? []) : []
  for (const { start } of times) await shop.hold({ start })
  await held(shop.hold({ date: Temporal.PlainDate.from('2026-11-24'), window: 'AM' }))
  expect(await offered(shop)).toMatchObject({ free: 0, dropOffs: ['PM', 'EVE'], state: 'free' })
  for (const window of ['PM', 'EVE'] as const)
    await held(shop.hold({ date: Temporal.PlainDate.from('2026-11-24'), window }))
  expect(await offered(shop)).toMatchObject({ dropOffs: [], state: 'full' })
})
