/**
 * Closing a shop after a scheduled last day. Later days take no new bookings, and the shop closes once each later
 * appointment is moved, canceled, or kept.
 */
import { expect, test } from 'vitest'
import { changeBay, confirmHold, holdSlot, moveBooking, offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import {
  at,
  crowdOf,
  installation,
  makeBooking,
  makeCart,
  makeOrder,
  oneBay,
} from '#domain/scheduling/booking/booking.testing.ts'
import { must, untilWaiting } from '#domain/ordering/checkout/checkout.testing.ts'
import { findShop, lockShopRecord, selectKept, setClosing } from '#domain/scheduling/installers/installers.server.ts'
import { dana } from '#domain/ordering/orders/staff-acts.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { closeDueShops, listUndecidedClosings, type StatusInput } from './shops.server.ts'
import type { AppointmentChoice } from './shops.ts'
import { press, recordOf } from './status.testing.ts'

const lastDay = Temporal.PlainDate.from('2026-11-24')
const closing = { to: 'closing', lastDay, reason: 'The lease ends', keepReason: '' } as const
const decide = (keepReason = '') => ({ to: 'decided', keepReason }) as const
type Shop = Awaited<ReturnType<typeof oneBay>>

const book = ({ deps, shopId }: Shop, wall: string) =>
  makeBooking(deps, { ...installation, shopId, choice: { start: at(wall) } })
const change = ({ deps, shopId }: Shop, input: StatusInput, rest: AppointmentChoice = 'later') =>
  press(deps, shopId, input, rest)
const stateOf = async ({ db }: Shop, bookingId: string) =>
  (await db.selectFrom('booking').select('state').where('id', '=', bookingId).executeTakeFirstOrThrow()).state
const undecided = async ({ deps }: Shop) => (await listUndecidedClosings(deps, 10)).map((each) => each.undecided)

test('a scheduled closing blocks bookings after the last day and changes nothing before it', async () => {
  await using shop = await oneBay({ bays: 2 })
  const { deps, shopId } = shop
  const early = await book(shop, '2026-11-24T09:30')
  const late = await book(shop, '2026-11-25T09:30')
  const held = must(await shop.hold({ start: at('2026-11-25T12:30') })) as unknown as { cartId: string }
  expect(must(await change(shop, closing))).toEqual({ affected: 1 })
  expect(await recordOf(deps, shopId)).toMatchObject({
    status: 'open',
    isActive: true,
    closing: { lastDay: '2026-11-24', reason: 'The lease ends' },
  })

  const days = must(await offerTimes(deps, { ...installation, shopId })).days
  const offered = (date: string) => days.find((day) => day.date.toString() === date)?.state
  expect(['2026-11-24', '2026-11-25', '2026-11-27'].map(offered)).toEqual(['free', 'holiday', 'holiday'])
  await book(shop, '2026-11-24T11:00')
  const orderId = await makeOrder(shop.db, held.cartId, shopId)
  expect(await confirmHold(deps, { cartId: held.cartId, orderId })).toMatchObject({ ok: false, reason: 'slot-lost' })
  const move = { ...installation, bookingId: early.bookingId, choice: { start: at('2026-11-25T12:30') } }
  expect(await moveBooking(deps, move)).toMatchObject({ ok: false })
  expect(await stateOf(shop, late.bookingId)).toBe('confirmed')
  expect(await undecided(shop)).toEqual([1])
})

test('the shop closes after its last day only once no appointment is undecided', async () => {
  await using shop = await oneBay({ bays: 2 })
  const { deps, shopId, clock, db } = shop
  const { code } = await recordOf(deps, shopId)
  const moved = await book(shop, '2026-11-25T09:30')
  await book(shop, '2026-11-27T11:00')
  must(await change(shop, closing))
  const choice = { start: at('2026-11-24T12:30') }
  must(await moveBooking(deps, { ...installation, bookingId: moved.bookingId, choice }))
  expect(await undecided(shop)).toEqual([1])
  await closeDueShops(deps)
  expect(await recordOf(deps, shopId)).toMatchObject({ status: 'open', isActive: true })

  clock.set(at('2026-11-25T00:00'))
  await closeDueShops(deps)
  expect(await recordOf(deps, shopId)).toMatchObject({ status: 'open', isActive: false })
  expect(await findShop(deps, { code })).toBeUndefined()
  expect(await undecided(shop)).toEqual([1])
  const force = db.updateTable('shop').set({ status: 'closed', status_reason: 'x' }).where('id', '=', shopId)
  const violated = await force.execute().then(() => undefined, violatedConstraint)
  expect(violated).toBe('shop_closes_decided')

  expect(await change(shop, decide(), 'keep')).toMatchObject({ reason: 'no-keep-reason' })
  must(await change(shop, decide('Fleet van with a deadline'), 'keep'))
  expect(await recordOf(deps, shopId)).toMatchObject({ status: 'closed', statusReason: 'The lease ends' })
  expect(await undecided(shop)).toEqual([])
})

test('a kept appointment has a reason, may change its bay, and stays when the shop closes', async () => {
  await using shop = await oneBay({ bays: 2 })
  const { deps, shopId, db, clock } = shop
  const kept = await book(shop, '2026-11-25T09:30')
  must(await change(shop, { ...closing, keepReason: 'Promised to the customer' }, 'keep'))
  expect((await selectKept(db, shopId)).get(kept.bookingId)).toEqual({ reason: 'Promised to the customer', by: 'dana' })
  const { bay_id } = await db
    .selectFrom('booking')
    .select('bay_id')
    .where('id', '=', kept.bookingId)
    .executeTakeFirstOrThrow()
  const bays = await db.selectFrom('shop_bay').select('id').where('kind', '=', 'bay').execute()
  const bayId = bays.find(({ id }) => id !== bay_id)?.id ?? 0
  must(await changeBay(deps, { bookingId: kept.bookingId, bayId, actor: 'shop', alongside: async () => {} }))

  const { code } = await recordOf(deps, shopId)
  const readClosings = () =>
    db
      .selectFrom('audit_entry')
      .select(['actor', 'subject', 'reason', 'before', 'after'])
      .where('act', '=', 'shop.closed-after-last-day')
      .execute()
  await closeDueShops(deps)
  expect(await readClosings()).toEqual([])
  clock.set(at('2026-11-25T00:05'))
  await closeDueShops(deps)
  await closeDueShops(deps)
  expect(await recordOf(deps, shopId)).toMatchObject({ status: 'closed' })
  expect(await readClosings()).toEqual([
    {
      actor: 'worker',
      subject: code,
      reason: 'The lease ends',
      before: { status: 'open through 2026-11-24' },
      after: { status: 'closed' },
    },
  ])
  expect(await stateOf(shop, kept.bookingId)).toBe('confirmed')
  must(await press(deps, shopId, { to: 'open' }))
  expect((await selectKept(db, shopId)).size).toBe(0)
  await book(shop, '2026-11-27T09:30')
})

test('an offer ends a later appointment and emails the customer', async () => {
  await using shop = await oneBay()
  const late = await book(shop, '2026-11-25T09:30')
  must(await change(shop, closing))
  must(await change(shop, decide(), 'offer'))
  expect(await stateOf(shop, late.bookingId)).toBe('canceled')
  const mails = await shop.db.selectFrom('message').select('kind').where('order_id', '=', late.orderId).execute()
  expect(mails.map(({ kind }) => kind)).toContain('job-refused')
  expect(await undecided(shop)).toEqual([])
})

test('withdrawing reopens the later days, and another last day replaces the first', async () => {
  await using shop = await oneBay({ bays: 2 })
  const { deps, shopId, clock, db } = shop
  await book(shop, '2026-11-25T09:30')
  must(await change(shop, { ...closing, keepReason: 'Promised' }, 'keep'))
  must(await change(shop, { ...closing, lastDay: lastDay.add({ days: 1 }) }))
  expect((await selectKept(db, shopId)).size).toBe(0)
  await book(shop, '2026-11-25T12:30')
  expect(await change(shop, { ...closing, lastDay: lastDay.subtract({ days: 30 }) })).toMatchObject({
    reason: 'last-day',
  })
  expect(await change(shop, { ...closing, lastDay: lastDay.add({ days: 400 }) })).toMatchObject({ reason: 'last-day' })
  must(await change(shop, { to: 'withdrawn' }))
  await book(shop, '2026-11-27T09:30')
  expect(await change(shop, { to: 'withdrawn' })).toMatchObject({ reason: 'no-change' })
  expect(await change(shop, decide())).toMatchObject({ reason: 'no-change' })
  clock.set(at('2026-11-26T08:00'))
  await closeDueShops(deps)
  expect(await recordOf(deps, shopId)).toMatchObject({ status: 'open', isActive: true, closing: null })
})

test('a pause that ends leaves the scheduled closing in place', async () => {
  await using shop = await oneBay()
  const { deps, shopId } = shop
  must(await change(shop, closing))
  must(await press(deps, shopId, { to: 'paused', from: lastDay, through: lastDay, reason: 'Lift repair' }))
  must(await press(deps, shopId, { to: 'open' }))
  expect(await recordOf(deps, shopId)).toMatchObject({ pause: null, closing: { lastDay: '2026-11-24' } })
  must(await press(deps, shopId, { to: 'suspended', reason: 'Quality' }))
  expect(await recordOf(deps, shopId)).toMatchObject({ status: 'suspended', closing: null })
})

test('a hold calculated before a closing waits for it, and the database rejects it', async () => {
  await using shop = await oneBay({ bays: 2 })
  await using crowd = crowdOf(shop.url, 2)
  const { shopId } = shop
  const tx = await shop.db.startTransaction().execute()
  await lockShopRecord(tx, { id: shopId })
  await setClosing(tx, shopId, { lastDay: '2026-11-24', reason: 'The lease ends', setAt: shop.clock.now() })
  const choice = { start: at('2026-11-25T09:30') }
  const cartId = await makeCart(crowd.db)
  const holding = holdSlot({ db: crowd.db, clock: shop.clock }, { ...installation, shopId, choice, cartId })
  await untilWaiting(shop.db, 1)
  await tx.commit().execute()
  expect(await holding).toMatchObject({ ok: false, reason: 'slot-taken' })
})

test('an appointment booked after the page loaded is shown before the closing is scheduled', async () => {
  await using shop = await oneBay()
  const { deps, shopId } = shop
  const between = () => book(shop, '2026-11-25T09:30')
  expect(await press(deps, shopId, closing, 'later', dana, between)).toMatchObject({ reason: 'changed-meanwhile' })
  expect((await recordOf(deps, shopId)).closing).toBeNull()
})

test('only managers and owners schedule, decide, and withdraw a closing', async () => {
  await using shop = await oneBay()
  const { deps, shopId } = shop
  const [sales, manager] = [await signInStaff(deps, 'sales'), await signInStaff(deps, 'manager')]
  const as = (by: typeof sales, input: StatusInput) => press(deps, shopId, input, 'later', by)
  expect(await as(sales, closing)).toMatchObject({ reason: 'not-allowed' })
  must(await as(manager, closing))
  expect(await as(sales, decide())).toMatchObject({ reason: 'not-allowed' })
  expect(await as(sales, { to: 'withdrawn' })).toMatchObject({ reason: 'not-allowed' })
  must(await as(manager, { to: 'withdrawn' }))
  const acts = await shop.db.selectFrom('audit_entry').select('act').where('act', 'like', 'shop.closing%').execute()
  expect(acts.map(({ act }) => act).toSorted()).toEqual(['shop.closing-scheduled', 'shop.closing-withdrawn'])
})
