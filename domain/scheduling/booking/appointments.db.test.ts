import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import {
  cancelBooking,
  confirmHold,
  expireHolds,
  extendHold,
  findAppointment,
  findChosenTime,
  findHold,
  moveBooking,
  releaseHold,
} from './booking.server.ts'
import { updateState } from './booking.sql.server.ts'
import {
  at,
  held,
  history,
  installation,
  live,
  makeBooking,
  makeCart,
  makeOrder,
  offered,
  oneBay,
  tuesday,
} from './booking.testing.ts'

async function confirm(shop: Awaited<ReturnType<typeof oneBay>>, cartId: string, orderId?: number) {
  const order = orderId ?? (await makeOrder(shop.db, cartId, shop.shopId))
  return {
    orderId: order,
    outcome: await shop.db
      .transaction()
      .execute((tx) => confirmHold({ db: tx, clock: shop.clock }, { cartId, orderId: order })),
  }
}

test('an order confirms its hold once; until an order is placed, the hold stays held', async () => {
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
  expect(outcome).toMatchObject({
    ok: true,
    value: { id: hold.id, state: 'confirmed', orderId: order, holdExpiresAt: null },
  })
  expect((await confirm(shop, cartId, order)).outcome).toEqual(outcome)
  expect(await findAppointment(shop.deps, { orderId: order })).toEqual(outcome.ok && outcome.value)
  expect(await history(shop.db, hold.id)).toEqual(['null held customer', 'held confirmed customer'])
  shop.clock.set('2026-11-21T16:00:00Z')
  expect(await offered(shop)).toMatchObject({ free: 6 })
})

test('confirms an expired hold while its slot is free, swept or not', async () => {
  await using shop = await oneBay()
  const unswept = await held(shop.hold(tuesday('09:30')))
  const swept = await held(shop.hold(tuesday('11:00')))
  shop.clock.set('2026-11-20T16:30:00Z')
  expect((await confirm(shop, unswept.cartId ?? '')).outcome).toMatchObject({
    ok: true,
    value: { id: unswept.id, state: 'confirmed' },
  })
  await expireHolds(shop.deps)
  const renewed = (await confirm(shop, swept.cartId ?? '')).outcome
  expect(renewed).toMatchObject({
    ok: true,
    value: { start: at('2026-11-24T11:00'), bayId: swept.bayId, state: 'confirmed' },
  })
  expect(renewed.ok && (await history(shop.db, renewed.value.id))).toEqual([
    'null held customer',
    'held confirmed customer',
  ])
  expect(await live(shop.db)).toHaveLength(2)
})

test('renews a lost slot on another bay at the same time, or refuses it as lost', async () => {
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

test('reports whether a cart’s time was held again or taken', async () => {
  await using shop = await oneBay()
  const mine = await held(shop.hold(tuesday('09:30')))
  const cartId = mine.cartId ?? ''
  const status = async () => (await findChosenTime(shop.deps, cartId))?.status
  expect(await status()).toBe('held')
  shop.clock.set('2026-11-20T16:30:00Z')
  expect(await status()).toBe('ended')
  await expireHolds(shop.deps)
  expect(await status()).toBe('ended')
  expect(await extendHold(shop.deps, { cartId })).toMatchObject({
    ok: true,
    value: { start: mine.start, state: 'held' },
  })
  expect(await status()).toBe('held')

  shop.clock.set('2026-11-20T17:00:00Z')
  await held(shop.hold(tuesday('09:30')))
  expect(await status()).toBe('lost')
  expect(await extendHold(shop.deps, { cartId })).toEqual({ ok: false, reason: 'slot-lost' })
  expect(await findChosenTime(shop.deps, newId())).toBeUndefined()
})

test('a past time is lost, and a cart with a released time has no time', async () => {
  await using shop = await oneBay()
  const past = await held(shop.hold(tuesday('09:30')))
  const given = await held(shop.hold(tuesday('11:00')))
  await releaseHold(shop.deps, { cartId: given.cartId ?? '' })
  shop.clock.set(at('2026-11-24T09:30'))
  expect((await confirm(shop, past.cartId ?? '')).outcome).toMatchObject({ ok: false, reason: 'slot-lost' })
  expect((await confirm(shop, given.cartId ?? '')).outcome).toMatchObject({ ok: false, reason: 'no-hold' })
  expect((await confirm(shop, await makeCart(shop.db))).outcome).toMatchObject({ ok: false, reason: 'no-hold' })
})

test('canceling frees the slot, once', async () => {
  await using shop = await oneBay()
  const { bookingId, orderId } = await makeBooking(shop.deps, {
    ...installation,
    shopId: shop.shopId,
    choice: tuesday('09:30'),
  })
  expect(await shop.hold(tuesday('09:30'))).toMatchObject({ ok: false, reason: 'slot-taken' })
  expect(await cancelBooking(shop.deps, { orderId, actor: 'staff:dana', note: 'asked by phone' })).toMatchObject({
    ok: true,
    value: { id: bookingId, state: 'canceled', changes: 1 },
  })
  expect(await cancelBooking(shop.deps, { bookingId })).toMatchObject({ ok: false, reason: 'already-over' })
  expect(await cancelBooking(shop.deps, { bookingId: newId() })).toMatchObject({ ok: false, reason: 'not-found' })
  expect(await held(shop.hold(tuesday('09:30')))).toMatchObject({ state: 'held' })
  expect(await history(shop.db, bookingId)).toEqual([
    'null held customer',
    'held confirmed customer',
    'confirmed canceled staff:dana',
  ])
})

test('an order with a canceled appointment gets another from a new hold', async () => {
  await using shop = await oneBay()
  const { cartId, orderId } = await makeBooking(shop.deps, {
    ...installation,
    shopId: shop.shopId,
    choice: tuesday('09:30'),
  })
  await cancelBooking(shop.deps, { orderId })
  shop.clock.set('2026-11-20T16:05:00Z')
  const hold = await held(shop.hold(tuesday('14:00'), cartId))
  expect((await confirm(shop, cartId, orderId)).outcome).toMatchObject({ ok: true, value: { id: hold.id } })
  expect(await findAppointment(shop.deps, { orderId })).toMatchObject({ id: hold.id, state: 'confirmed' })
})

test('rescheduling updates the appointment and frees the old time', async () => {
  await using shop = await oneBay()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  const moved = await moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('11:00') })
  expect(moved).toMatchObject({
    ok: true,
    value: { id: bookingId, start: at('2026-11-24T11:00'), state: 'confirmed', changes: 1 },
  })
  expect(await findAppointment(shop.deps, { bookingId })).toEqual(moved.ok && moved.value)
  expect(await history(shop.db, bookingId)).toEqual([
    'null held customer',
    'held confirmed customer',
    'confirmed confirmed customer',
  ])
  await held(shop.hold(tuesday('09:30')))

  const toDropOff = await moveBooking(shop.deps, {
    ...installation,
    bookingId,
    choice: { date: Temporal.PlainDate.from('2026-11-25'), window: 'AM' },
  })
  expect(toDropOff).toMatchObject({
    ok: true,
    value: { kind: 'drop-off', dropOff: { code: '20261125-AM' }, changes: 2 },
  })
})

test('moves an appointment to a time that overlaps its current one', async () => {
  await using shop = await oneBay({ slot_minutes: 30 })
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  expect(await moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('10:00') })).toMatchObject({
    ok: true,
    value: { start: at('2026-11-24T10:00') },
  })
})

test('an appointment that cannot be moved stays where it is', async () => {
  await using shop = await oneBay()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  await held(shop.hold(tuesday('11:00')))
  const move = (choice: Parameters<typeof moveBooking>[1]['choice'], id = bookingId) =>
    moveBooking(shop.deps, { ...installation, bookingId: id, choice })
  expect(await move(tuesday('11:00'))).toMatchObject({
    ok: false,
    reason: 'slot-taken',
    detail: { next: [{ start: at('2026-11-24T12:30') }, {}, {}, {}, {}, {}] },
  })
  expect(await move(tuesday('11:10'))).toMatchObject({ ok: false, reason: 'outside-hours' })
  expect(await move({ start: at('2026-12-21T08:00') })).toMatchObject({ ok: false, reason: 'too-late' })
  expect(await move(tuesday('14:00'), newId())).toMatchObject({ ok: false, reason: 'not-found' })
  shop.clock.set(at('2026-11-24T08:31'))
  expect(await move({ start: at('2026-11-25T08:00') })).toMatchObject({ ok: false, reason: 'too-late-to-change' })
  expect(await findAppointment(shop.deps, { bookingId })).toMatchObject({ start: at('2026-11-24T09:30'), changes: 0 })
  await cancelBooking(shop.deps, { bookingId })
  expect(await move({ start: at('2026-11-25T08:00') })).toMatchObject({ ok: false, reason: 'not-confirmed' })
})

test('an expired hold gives way to a move', async () => {
  await using shop = await oneBay()
  const { bookingId } = await makeBooking(shop.deps, { ...installation, shopId: shop.shopId, choice: tuesday('09:30') })
  const lapsed = await held(shop.hold(tuesday('11:00')))
  shop.clock.set('2026-11-20T16:10:00Z')
  expect(await moveBooking(shop.deps, { ...installation, bookingId, choice: tuesday('11:00') })).toMatchObject({
    ok: true,
  })
  expect(await history(shop.db, lapsed.id)).toEqual(['null held customer', 'held expired customer'])
})

test('doesn’t overwrite a state changed by someone else', async () => {
  await using shop = await oneBay()
  const hold = await held(shop.hold(tuesday('09:30')))
  const change = { now: shop.clock.now(), actor: 'customer' }
  expect(await updateState(shop.db, { id: hold.id, from: 'held', to: 'canceled' }, change)).toBe(true)
  expect(await updateState(shop.db, { id: hold.id, from: 'held', to: 'expired' }, change)).toBe(false)
  expect(await history(shop.db, hold.id)).toHaveLength(2)
})
