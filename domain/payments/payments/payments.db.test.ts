import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { expect, test } from 'vitest'
import { ok } from '#platform/outcome.ts'
import { payWithFields, startReceiver, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  beginSubmission,
  endSubmission,
  openCharge,
  openChargeOnPage,
  openHostedPage,
  receiveProviderEvent,
  refreshPayment,
  releaseAbandonedCharges,
  releaseCutOffCharges,
  voidCharge,
  voidPayment,
} from './payments.server.ts'
import { findLivePayment } from './payments.sql.server.ts'
import { abandonAfterMinutes, cutOffAfterSeconds } from './payments.ts'
import { card, nextTo, openFields, openPage, openTill, payOnPage, type Till } from './payments.testing.ts'
import { fromStripe } from '../../../tests/support/provider-message.ts'

const [port = 0] = await freePorts(3)
const stateOf = async (till: Till) =>
  (
    await till.db
      .selectFrom('payment')
      .select('state')
      .where('cart_id', '=', till.cartId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
  ).state

function tell(till: Till, { body, headers }: Received) {
  return receiveProviderEvent(till, fromStripe(body, String(headers['stripe-signature'])))
}

/** Runs the void jobs that were enqueued. */
async function runVoids(till: Till): Promise<void> {
  const payments = await till.db.selectFrom('payment').select('id').where('state', '=', 'voided').execute()
  for (const { id } of payments) expect(await voidCharge(till, id, 'store')).toEqual({ ok: true, value: null })
}

function states(till: Till) {
  return till.db.selectFrom('payment').select(['flow', 'state']).orderBy('created_at').orderBy('flow').execute()
}

test('a declined card can be followed by another on the same charge, and a new total changes its amount', async () => {
  await using till = await openTill(port)
  const first = await openFields(till)
  expect(await payWithFields(till.sandbox, first.clientSecret, '4000000000000002')).toMatchObject({ status: 'failed' })
  expect(await refreshPayment(till, { cartId: till.cartId })).toMatchObject({
    ok: true,
    value: {
      payment: { state: 'failed' },
      failure: 'The bank declined this card. Try another card, or call the bank.',
      isProcessing: false,
    },
  })

  const second = await openFields(till, 80_000)
  expect(second.payment.id).toBe(first.payment.id)
  expect(await payWithFields(till.sandbox, second.clientSecret, card)).toMatchObject({ status: 'authorized' })
  expect(await refreshPayment(till, { cartId: till.cartId })).toMatchObject({
    ok: true,
    value: { payment: { state: 'authorized', amountCents: 80_000 } },
  })
})

test('a bank that has not answered shows as processing', async () => {
  await using till = await openTill(port)
  const other = await nextTo(till)
  await openFields(other)
  const { clientSecret } = await openFields(till)
  const answer = payWithFields(till.sandbox, clientSecret, '4000000000020000')
  await expect
    .poll(async () => refreshPayment(till, { cartId: till.cartId }))
    .toMatchObject({ ok: true, value: { payment: { state: 'pending' }, isProcessing: true } })
  expect(await findLivePayment(till.db, { cartId: other.cartId })).toMatchObject({ processingSince: null })
  await till.sandbox.pass({ seconds: 20 })
  expect(await answer).toMatchObject({ status: 'authorized' })
})

test('paying on the hosted page voids the charge in the fields', async () => {
  await using till = await openTill(port)
  const fields = await openFields(till)
  const page = await openPage(till)
  expect(await states(till)).toEqual([
    { flow: 'fields', state: 'voided' },
    { flow: 'hosted', state: 'pending' },
  ])
  await runVoids(till)
  expect(await payWithFields(till.sandbox, fields.clientSecret, card)).toMatchObject({ status: 'failed' })
  expect((await payOnPage(till.sandbox, page.url)).status).toBe(303)
  expect(await refreshPayment(till, { cartId: till.cartId })).toMatchObject({
    ok: true,
    value: { payment: { id: page.paymentId, state: 'authorized' } },
  })
})

test('voiding a hosted page closes it to payments', async () => {
  await using till = await openTill(port)
  const page = await openPage(till)
  await voidPayment(till, { cartId: till.cartId })
  await runVoids(till)
  expect(await (await payOnPage(till.sandbox, page.url)).text()).toContain('This payment page has closed')
  expect(await refreshPayment(till, { cartId: till.cartId })).toEqual({ ok: true, value: undefined })
})

test('refunds a payment made on a hosted page before it closed', async () => {
  await using till = await openTill(port)
  const page = await openPage(till)
  await payOnPage(till.sandbox, page.url)
  await voidPayment(till, { cartId: till.cartId })
  await runVoids(till)
  const { provider_ref } = await till.db.selectFrom('payment').select('provider_ref').executeTakeFirstOrThrow()
  expect(await till.payments.readCharge(provider_ref ?? '')).toMatchObject({ ok: true, value: { state: 'voided' } })
})

test('voids an abandoned charge, unless its shopper was active recently', async () => {
  await using till = await openTill(port)
  const { clientSecret } = await openFields(till)
  await payWithFields(till.sandbox, clientSecret, card)
  await refreshPayment(till, { cartId: till.cartId })
  till.clock.set(till.clock.now().add({ minutes: abandonAfterMinutes - 1 }))
  await refreshPayment(till, { cartId: till.cartId })
  till.clock.set(till.clock.now().add({ minutes: abandonAfterMinutes - 1 }))
  expect(await releaseAbandonedCharges(till)).toBe(0)

  till.clock.set(till.clock.now().add({ minutes: 2 }))
  expect(await releaseAbandonedCharges(till)).toBe(1)
  await runVoids(till)
  const { provider_ref, state } = await till.db
    .selectFrom('payment')
    .select(['provider_ref', 'state'])
    .executeTakeFirstOrThrow()
  expect(state).toBe('voided')
  expect(await till.payments.readCharge(provider_ref ?? '')).toMatchObject({ ok: true, value: { state: 'voided' } })
})

test('accepts a signed provider message, once, for its own charge', async () => {
  await using receiver = await startReceiver(port + 2)
  await using till = await openTill(port, `http://127.0.0.1:${port + 2}/webhooks/payments`)
  const other = await nextTo(till)
  const [mine, theirs] = [await openFields(till), await openFields(other)]
  await payWithFields(till.sandbox, mine.clientSecret, card)
  await till.sandbox.catchUp()
  const message = receiver.received.find(({ body }) => body.includes('amount_capturable_updated'))
  if (!message) throw new Error('The provider told nothing.')

  expect(
    await receiveProviderEvent(
      till,
      fromStripe(message.body.replace('76614', '1'), String(message.headers['stripe-signature'])),
    ),
  ).toEqual({
    ok: false,
    reason: 'bad-signature',
  })
  expect(await stateOf(till)).toBe('pending')
  expect(await stateOf(other)).toBe('pending')
  for (let time = 1; time <= 2; time += 1) expect(await tell(till, message)).toEqual(ok(null))
  expect(await stateOf(till)).toBe('authorized')
  expect(await stateOf(other)).toBe('pending')
  expect(theirs.payment.id).not.toBe(mine.payment.id)
  // The provider is queried again when the shopper returns. A known result is not recorded twice.
  await refreshPayment(till, { cartId: till.cartId })
  const noted = await till.db
    .selectFrom('payment_event')
    .select(['to_state', 'actor'])
    .where('payment_id', '=', mine.payment.id)
    .execute()
  expect(noted).toEqual([{ to_state: 'authorized', actor: 'provider' }])
})

test('a hosted page webhook finds that page’s charge', async () => {
  await using receiver = await startReceiver(port + 2)
  await using till = await openTill(port, `http://127.0.0.1:${port + 2}/webhooks/payments`)
  const other = await nextTo(till)
  await openPage(other)
  const page = await openPage(till)
  await openPage(await nextTo(till))
  await payOnPage(till.sandbox, page.url)
  await till.sandbox.catchUp()
  for (const message of receiver.received) expect(await tell(till, message)).toEqual(ok(null))
  expect(await stateOf(till)).toBe('authorized')
  expect(await stateOf(other)).toBe('pending')
})

test('a decline is reported with its reason and counted for its cart and network', async () => {
  await using receiver = await startReceiver(port + 2)
  await using till = await openTill(port, `http://127.0.0.1:${port + 2}/webhooks/payments`)
  const declines: unknown[] = []
  const counted = {
    ...till,
    rateLimits: {
      ...till.rateLimits,
      take: (...[name, keys]: Parameters<RateLimits['take']>) => (
        declines.push([name, keys]),
        till.rateLimits.take(name, keys)
      ),
    },
  }
  await openFields(await nextTo(till))
  const opened = await openCharge(till, { cartId: till.cartId, amountCents: 76_614, email: null, from: 'office' })
  await openFields(await nextTo(till))
  await payWithFields(till.sandbox, opened.ok ? opened.value.clientSecret : '', '4000000000000002')
  await till.sandbox.catchUp()
  for (const message of receiver.received) expect(await tell(counted, message)).toEqual(ok(null))
  expect(declines).toEqual([['card-decline', { payer: till.cartId, network: 'office' }]])
  const { note } = await till.db
    .selectFrom('payment_event')
    .select('note')
    .where('to_state', '=', 'failed')
    .executeTakeFirstOrThrow()
  expect(note).toContain('declined')
})

test('doesn’t open or drop charges during an outage, and replaces charges unknown to the provider', async () => {
  await using till = await openTill(port)
  const first = await openFields(till)
  const away = { ok: false, reason: 'unavailable', message: 'away' } as const
  const payer = { cartId: till.cartId, amountCents: 76_614, email: null }
  expect(await openCharge({ ...till, payments: { ...till.payments, readCharge: async () => away } }, payer)).toEqual({
    ok: false,
    reason: 'payment-unavailable',
  })
  expect(await states(till)).toEqual([{ flow: 'fields', state: 'pending' }])
  expect(
    await voidCharge(
      { ...till, payments: { ...till.payments, voidCharge: async () => away } },
      first.payment.id,
      'store',
    ),
  ).toEqual({
    ok: false,
    reason: 'payment-unavailable',
  })
  expect(await states(till)).toEqual([{ flow: 'fields', state: 'pending' }])

  const unknown = { ok: false, reason: 'refused-input', message: 'unknown' } as const
  till.clock.set(till.clock.now().add({ seconds: 1 }))
  const second = await openCharge({ ...till, payments: { ...till.payments, readCharge: async () => unknown } }, payer)
  expect(second.ok && second.value.payment.id).not.toBe(first.payment.id)
  expect(await states(till)).toEqual([
    { flow: 'fields', state: 'voided' },
    { flow: 'fields', state: 'pending' },
  ])
  // If the provider has no charge to void, the void succeeds.
  const gone = { ...till, payments: { ...till.payments, voidCharge: async () => unknown } }
  expect(await voidCharge(gone, second.ok ? second.value.payment.id : '', 'store')).toEqual(ok(null))
})

test('a late request for card fields does not close the page that the shopper opened since, but a later page may', async () => {
  await using till = await openTill(port)
  const payer = { cartId: till.cartId, amountCents: 10_000, email: null }
  const shownAt = till.clock.now()
  till.clock.set(shownAt.add({ seconds: 1 }))
  await openPage(till)
  till.clock.set(shownAt.add({ seconds: 2 }))
  expect(await openChargeOnPage(till, payer, shownAt)).toMatchObject({ ok: false, reason: 'superseded' })
  expect(await states(till)).toEqual([
    { flow: 'hosted', state: 'pending' },
    { flow: 'fields', state: 'voided' },
  ])
  expect(await findLivePayment(till.db, payer)).toMatchObject({ flow: 'hosted' })

  // The shopper went back, so the page was rendered again.
  till.clock.set(shownAt.add({ seconds: 3 }))
  expect(await openChargeOnPage(till, payer, till.clock.now())).toMatchObject({ ok: true })
  expect(await findLivePayment(till.db, payer)).toMatchObject({ flow: 'fields' })
  expect((await states(till))[0]).toEqual({ flow: 'hosted', state: 'voided' })
})

test("reports a charge the provider declines to open in the provider's words", async () => {
  await using till = await openTill(port)
  const declined = { ok: false, reason: 'declined', message: 'Too small an amount.' } as const
  const deps = {
    ...till,
    payments: { ...till.payments, openCharge: async () => declined, openHostedPage: async () => declined },
  }
  const input = { cartId: till.cartId, amountCents: 10, email: null }
  const page = { ...input, description: '', returnUrl: 'http://127.0.0.1/', cancelUrl: 'http://127.0.0.1/' }
  for (const opened of [await openCharge(deps, input), await openHostedPage(deps, page)])
    expect(opened).toEqual({ ok: false, reason: 'declined', detail: { message: 'Too small an amount.' } })
  const away = { ok: false, reason: 'unavailable', message: 'away' } as const
  expect(
    await openHostedPage({ ...till, payments: { ...till.payments, openHostedPage: async () => away } }, page),
  ).toMatchObject({
    reason: 'payment-unavailable',
  })
})

test('looking at a charge answers no submission of another', async () => {
  await using till = await openTill(port)
  const other = await nextTo(till)
  for (const each of [till, other]) await payWithFields(till.sandbox, (await openFields(each)).clientSecret, card)
  for (const each of [till, other]) await refreshPayment(each, { cartId: each.cartId })
  await beginSubmission(other, { cartId: other.cartId })
  await refreshPayment(till, { cartId: till.cartId })
  till.clock.set(till.clock.now().add({ seconds: cutOffAfterSeconds + 1 }))
  expect(await releaseCutOffCharges(till)).toBe(1)
  expect(await stateOf(till)).toBe('authorized')
  expect(await stateOf(other)).toBe('voided')
})

test('retains the charge of an answered submission and voids an unanswered one’s', async () => {
  await using till = await openTill(port)
  const other = await nextTo(till)
  for (const each of [till, other]) await payWithFields(till.sandbox, (await openFields(each)).clientSecret, card)
  for (const each of [till, other]) await refreshPayment(each, { cartId: each.cartId })

  const answered = await beginSubmission(till, { cartId: till.cartId })
  if (!answered) throw new Error('There is no charge to claim.')
  await endSubmission(till, answered)
  till.clock.set(till.clock.now().add({ seconds: cutOffAfterSeconds + 1 }))
  expect(await releaseCutOffCharges(till)).toBe(0)

  const first = await beginSubmission(till, { cartId: till.cartId })
  till.clock.set(till.clock.now().add({ seconds: 1 }))
  await beginSubmission(till, { cartId: till.cartId })
  if (first) await endSubmission(till, first)
  till.clock.set(till.clock.now().add({ seconds: cutOffAfterSeconds + 1 }))
  expect(await releaseCutOffCharges(till)).toBe(1)
  expect(await stateOf(till)).toBe('voided')
  expect(await stateOf(other)).toBe('authorized')
})
