/** Declines, cards, and states in the records of charges. */
import { expect, test } from 'vitest'
import { jobsOf } from '#domain/ordering/orders/supplier-orders.testing.ts'
import { makeFinancedOrder, makePlacedOrder, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { noteDecline } from './declines.server.ts'
import { selectFinanced, settleFinancedSoon } from './financed.sql.server.ts'
import { voidUnansweredCharge } from './open-charge-acts.server.ts'
import { markSaving } from './payment-notes.sql.server.ts'
import { refreshPayment, releaseCutOffCharges, voidCharge } from './payments.server.ts'
import { findLivePayment, findPayment } from './payments.sql.server.ts'
import { cutOffAfterSeconds } from './payments.ts'
import { card, nextTo, openFields, openTill, type Till } from './payments.testing.ts'
import { askProvider, settle } from './settle-charge.server.ts'

const [port = 0] = await freePorts(3)
const pendingCard = '4000000000020000'

async function declinesOf({ db }: Till) {
  return db.selectFrom('card_decline').select(['payment_id', 'card_fingerprint']).execute()
}

test('a decline is found by the provider’s reference or ours, and an unknown one is left out', async () => {
  await using till = await openTill(port)
  const { payment } = await openFields(till)
  await noteDecline(till, { ref: payment.providerRef ?? '', reference: null, cardFingerprint: 'by-ref' })
  await noteDecline(till, { ref: 'pi_unknown', reference: payment.id, cardFingerprint: 'by-reference' })
  await noteDecline(till, { ref: 'pi_unknown', reference: null, cardFingerprint: 'unknown' })
  await noteDecline(till, { ref: 'pi_unknown', reference: 'no-id', cardFingerprint: 'unknown' })
  await noteDecline(till, { ref: 'pi_unknown', reference: newId(), cardFingerprint: 'unknown' })
  expect(await declinesOf(till)).toEqual([
    { payment_id: payment.id, card_fingerprint: 'by-ref' },
    { payment_id: payment.id, card_fingerprint: 'by-reference' },
  ])
})

test('an authorized charge stores the bank’s checks and the card’s expiry', async () => {
  await using till = await openTill(port)
  const { payment, clientSecret } = await openFields(till)
  await payWithFields(till.sandbox, clientSecret, card)
  const charge = await askProvider(till, payment)
  if (!charge.ok || !charge.value?.card) throw new Error('The provider of a test has no card.')
  const paid = {
    ...charge.value.card,
    expiry: { month: 7, year: 2031 },
    checks: { street: 'fail', zip: 'pass', code: 'unchecked' },
  } as const
  await settle(till, payment, { ...charge.value, card: paid, cardFingerprint: 'fp_1' }, 'provider')
  const row = await till.db.selectFrom('payment').selectAll().where('id', '=', payment.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    state: 'authorized',
    card_street_check: 'fail',
    card_zip_check: 'pass',
    card_code_check: 'unchecked',
    card_exp_month: 7,
    card_exp_year: 2031,
    card_fingerprint: 'fp_1',
  })
})

test('settling a charge that is up to date changes nothing, and says so', async () => {
  await using till = await openTill(port)
  const { clientSecret } = await openFields(till)
  await payWithFields(till.sandbox, clientSecret, card)
  const settleNow = async () => {
    const payment = await findLivePayment(till.db, { cartId: till.cartId })
    const charge = payment && (await askProvider(till, payment))
    if (!payment || !charge?.ok || !charge.value) throw new Error('The charge of a test is gone.')
    return settle(till, payment, charge.value, 'provider')
  }
  expect(await settleNow()).toBe(true)
  expect(await settleNow()).toBe(false)
})

test('only the charge of the payer who asked saves its card', async () => {
  await using till = await openTill(port)
  const other = await nextTo(till)
  const [mine, theirs] = [(await openFields(till)).payment, (await openFields(other)).payment]
  await markSaving(till.db, mine.id, true)
  expect(await findPayment(till.db, { id: mine.id })).toMatchObject({ savesCard: true })
  expect(await findPayment(till.db, { id: theirs.id })).toMatchObject({ savesCard: false })
})

test('a voided charge is no longer processing, unless its provider can’t end it yet', async () => {
  await using till = await openTill(port)
  const other = await nextTo(till)
  const opened = [await openFields(till), await openFields(other)] as const
  const paying = opened.map(({ clientSecret }) => payWithFields(till.sandbox, clientSecret, pendingCard))
  for (const { cartId } of [till, other])
    await expect.poll(() => refreshPayment(till, { cartId })).toMatchObject({ value: { isProcessing: true } })
  const [mine, theirs] = opened.map(({ payment }) => payment.id)
  const refusing = {
    ...till,
    payments: {
      ...till.payments,
      voidCharge: () => Promise.resolve({ ok: false, reason: 'declined', message: 'It is being processed.' } as const),
    },
  }
  await voidCharge(refusing, theirs ?? '', 'store')
  expect(await findPayment(till.db, { id: theirs ?? '' })).toMatchObject({ state: 'voided' })
  expect((await findPayment(till.db, { id: theirs ?? '' }))?.processingSince).not.toBeNull()
  await till.sandbox.pass({ seconds: 20 })
  await Promise.all(paying)
  await voidCharge(till, mine ?? '', 'store')
  expect(await findPayment(till.db, { id: mine ?? '' })).toMatchObject({ state: 'voided', processingSince: null })
})

test('staff stop waiting for a bank only for a charge without an order', async () => {
  await using store = await openTestStore(port)
  const end = (paymentId: string) =>
    store.db
      .transaction()
      .execute((tx) => voidUnansweredCharge(tx, { paymentId, actor: 'staff:dana', at: store.clock.now() }))
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { id: claimed } = await store.db
    .selectFrom('payment')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(await end(claimed)).toBe(false)
  expect(await findPayment(store.db, { id: claimed })).toMatchObject({ state: 'authorized' })
  expect(await end(newId())).toBe(false)
  expect(await jobsOf(store, 'void-charge')).toEqual([])

  // An ordered cart’s charge is never cut off.
  store.clock.set(store.clock.now().add({ seconds: cutOffAfterSeconds * 10 }))
  expect(await releaseCutOffCharges(store)).toBe(0)
  expect(await findPayment(store.db, { id: claimed })).toMatchObject({ state: 'authorized' })
})

test('a charge without an answer is ended once, and its void is queued', async () => {
  await using till = await openTill(port)
  const { payment } = await openFields(till)
  const end = () =>
    till.db
      .transaction()
      .execute((tx) => voidUnansweredCharge(tx, { paymentId: payment.id, actor: 'staff:dana', at: till.clock.now() }))
  expect(await end()).toBe(true)
  expect(await findPayment(till.db, { id: payment.id })).toMatchObject({ state: 'voided' })
  expect(await end()).toBe(true)
  const voids = await till.db
    .selectFrom('payment_event')
    .select('to_state')
    .where('payment_id', '=', payment.id)
    .where('to_state', '=', 'voided')
    .execute()
  expect(voids).toHaveLength(1)
})

test('a lender is asked only about an order that it still pays for', async () => {
  await using store = await openTestStore(port)
  const { orderId: byCard } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { orderId, totalCents } = await makeFinancedOrder(store, { fulfillment: 'home' })
  for (const each of [byCard, orderId]) await settleFinancedSoon(store.db, each)
  expect(await jobsOf(store, 'settle-financed')).toEqual([{ orderId }])
  expect(await selectFinanced(store.db, byCard)).toBeUndefined()
  const financed = await selectFinanced(store.db, orderId)
  expect(financed).toMatchObject({ amountCents: totalCents, receivedCents: 0 })
  await voidCharge(store, financed?.paymentId ?? '', 'store')
  expect(await selectFinanced(store.db, orderId)).toBeUndefined()
})
