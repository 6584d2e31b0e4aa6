/** Business terms and orders. An order retains the terms of its time, regardless of later changes. */
import { expect, test } from 'vitest'
import {
  makePaidCart,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { canCancel, standardOrderTerms } from '#domain/ordering/orders/orders.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { readRefundable } from '#domain/ordering/refunds/refunds.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  cancelTermChange,
  changePhoneHours,
  changeTerms,
  createLiveSettings,
  readScheduledHours,
  readSettings,
} from './settings.server.ts'
import {
  businessTerms,
  hoursForm,
  standardTerms,
  termHistory,
  termNames,
  termsAt,
  type TermGroup,
  type TermName,
} from './settings.ts'
import { selectScheduledTerms } from './business-terms.sql.server.ts'
import { selectState } from './store-state.sql.server.ts'

const [port = 0] = await freePorts(3)
const owner = { via: 'command line', name: 'owner' } as const

async function change(
  store: TestStore,
  group: TermGroup,
  values: Partial<Record<TermName, number>>,
  startsAt: Temporal.Instant | null = null,
) {
  const { termsVersion: seen } = await selectState(store.db)
  return changeTerms(store, owner, { group, input: { values, startsAt, seen } })
}

const orderOf = async (store: TestStore, orderId: number) => {
  const order = await readOrder(store.db, orderId)
  return order ?? expect.unreachable('no order')
}

test('an order keeps its price, cancellation window, return window and fee, and a new one has the changed ones', async () => {
  await using store = await openTestStore(port)
  const first = await makePlacedOrder(store)
  const stale = await makePaidCart(store, { openingAt: 1, email: 'stale@example.com' })
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  must(
    await change(store, 'orders', {
      'cancel-minutes': 10,
      'return-days': 45,
      'return-fee-cents': 1_250,
      'damage-days': 2,
    }),
  )
  must(await change(store, 'discounts', { 'install-discount-cents': 4_000 }))

  // Priced before the change, so it is priced again, although this process has not read the change.
  expect(await placeOrder(store, stale)).toMatchObject({ ok: false })
  const second = await makePlacedOrder(store, { openingAt: 2, email: 'new@example.com' })
  expect(first.totalCents - second.totalCents).toBeGreaterThanOrEqual(1_500)

  const [old, fresh] = [await orderOf(store, first.orderId), await orderOf(store, second.orderId)]
  expect(old.terms).toEqual(standardOrderTerms)
  expect(fresh.terms).toEqual({ cancelMinutes: 10, returnDays: 45, returnFeeCents: 1_250, damageDays: 2 })
  expect([old, fresh].map(({ breakdown }) => breakdown.totals.installDiscountCents)).toEqual([2_500, 4_000])
  expect(await readRefundable(store.db, first.orderId)).toMatchObject({ feeCents: 2_000 })
  expect(await readRefundable(store.db, second.orderId)).toMatchObject({ feeCents: 1_250 })
  const late = old.placedAt.add({ minutes: 60 })
  expect(canCancel(old, late)).toMatchObject({ reason: expect.stringContaining('30 minutes') as unknown })
  expect(canCancel(fresh, late)).toMatchObject({ reason: expect.stringContaining('within 45 days') as unknown })
})

test('a scheduled change applies from its time on, and cannot be canceled once it has started', async () => {
  await using store = await openTestStore(port)
  const start = store.clock.now().add({ hours: 2 })
  must(await change(store, 'orders', { 'return-days': 20 }, start))
  must(await change(store, 'orders', { 'return-days': 10 }, start.add({ hours: 1 })))
  expect(await change(store, 'orders', { 'return-days': 12 }, start)).toMatchObject({ reason: 'starts-taken' })
  expect(
    await change(store, 'orders', { 'return-days': 12 }, store.clock.now().subtract({ minutes: 1 })),
  ).toMatchObject({
    reason: 'starts-in-past',
  })
  await store.businessTerms.read()
  expect(store.businessTerms.current['return-days']).toBe(30)
  const [soon, later] = await selectScheduledTerms(store.db, store.clock.now(), termNames)
  must(await cancelTermChange(store, owner, later?.id ?? 0))
  expect(await cancelTermChange(store, owner, later?.id ?? 0)).toMatchObject({ reason: 'gone' })
  store.clock.set(start)
  expect(store.businessTerms.current['return-days']).toBe(20)
  expect(await cancelTermChange(store, owner, soon?.id ?? 0)).toMatchObject({ reason: 'started' })
  await store.businessTerms.read()
  expect(store.businessTerms.at(start.add({ hours: 5 }))['return-days']).toBe(20)
  // Two users edit concurrently. The second is notified.
  const seen = (await selectState(store.db)).termsVersion - 1
  const input = { values: { 'return-days': 15 }, startsAt: null, seen }
  expect(await changeTerms(store, owner, { group: 'orders', input })).toMatchObject({ reason: 'changed-meanwhile' })
  await expect(store.db.updateTable('business_term').set({ value: 1 }).execute()).rejects.toThrow('only added to')
})

test('scheduled phone hours start on time and can be replaced', async () => {
  await using store = await openTestStore(port)
  const configured = { name: 'Sidewall', phone: '(800) 555-0142', email: 'help@sidewall.example', address: 'Chicago' }
  const deps = { ...store, configured }
  const start = store.clock.now().add({ hours: 48 })
  const save = async (opens: string, startsAt: Temporal.Instant | null) => {
    const { version } = await readSettings(deps)
    const typed = { zone: 'America/Chicago', seen: String(version), 'opens-1': opens, 'closes-1': '17:00' }
    return changePhoneHours(deps, owner, { ...hoursForm.parse(typed), startsAt })
  }
  const weekNow = async () => (await readSettings(deps)).settings['phone-week']
  const live = createLiveSettings(deps, configured)
  let reads = 0
  live.onChange(() => {
    reads += 1
  })
  expect(await save('08:00', store.clock.now().subtract({ minutes: 1 }))).toMatchObject({ reason: 'starts-in-past' })
  must(await save('09:00', null))
  must(await save('10:00', start))
  must(await save('11:00', start))
  await live.read()
  expect(await weekNow()).toBe('1 09:00-17:00')
  const later = await readScheduledHours(deps)
  expect(later.map(({ validFrom }) => validFrom)).toEqual([start])
  expect(later[0]?.settings['phone-week']).toBe('1 11:00-17:00')
  // An immediate change doesn't affect the schedule.
  must(await save('09:30', null))
  await live.read()
  const before = reads
  store.clock.set(start)
  await live.read()
  expect(reads).toBe(before + 1)
  expect(await weekNow()).toBe('1 11:00-17:00')
  expect(live.store.phoneHours?.week).toMatchObject([{ opens: '11:00' }])
  expect(await readScheduledHours(deps)).toEqual([])
  store.clock.set(start.add({ hours: 1 }))
  must(await save('12:00', null))
  expect(await weekNow()).toBe('1 12:00-17:00')
})

test('the history has the terms of every time, and every declared term is within its range', () => {
  const at = (hour: number) => Temporal.Instant.from('2026-11-20T00:00:00Z').add({ hours: hour })
  const history = termHistory([
    { name: 'return-days', value: 10, validFrom: at(4) },
    { name: 'cancel-minutes', value: 5, validFrom: at(2) },
    { name: 'return-fee-cents', value: 0, validFrom: at(4) },
  ])
  expect(termsAt(history, at(1))).toBe(standardTerms)
  expect(termsAt(history, at(3))).toMatchObject({ 'cancel-minutes': 5, 'return-days': 30 })
  expect(termsAt(history, at(4))).toMatchObject({ 'cancel-minutes': 5, 'return-days': 10, 'return-fee-cents': 0 })
  for (const { min, max, standard, zeroText } of Object.values(businessTerms)) {
    if (zeroText !== undefined && standard === 0) continue
    expect(standard).toBeGreaterThanOrEqual(min)
    expect(standard).toBeLessThanOrEqual(max)
  }
})
