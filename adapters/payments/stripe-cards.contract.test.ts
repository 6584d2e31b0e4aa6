/**
 * Saved cards through the official library, unchanged, against the sandbox. Test cards: https://docs.stripe.com/testing
 */
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import { payWithFields, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createStripeCards } from './stripe-cards.ts'
import { createStripePayments } from './stripe.ts'

const [port = 0] = await freePorts(3)

function openAt(sandbox: TestSandbox) {
  const access = { apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey }
  const url = new URL(sandbox.origin)
  return {
    vault: createStripeCards(access),
    payments: createStripePayments({ ...access, webhookSecret: testSecrets.webhookSecret, clock: sandbox.clock }),
    stripe: new Stripe(access.secretKey, {
      host: url.hostname,
      port: url.port,
      protocol: 'http',
      maxNetworkRetries: 0,
    }),
  }
}

function valueOf<Value>(answer: ProviderAnswer<Value>): Value {
  if (answer.ok) return answer.value
  throw new Error(answer.message)
}

test('creates one customer per key; attaches, lists, and permanently detaches methods; a deleted customer has no methods', async () => {
  await using sandbox = await startTestSandbox(port)
  const { vault, stripe } = openAt(sandbox)
  const create = () => vault.createCustomer({ accountId: 'a-1', email: 'dana@example.com', key: 'customer:a-1' })
  const customer = valueOf(await create())
  expect(valueOf(await create())).toBe(customer)
  expect(await stripe.customers.retrieve(customer)).toMatchObject({
    email: 'dana@example.com',
    metadata: { reference: 'a-1' },
  })

  const visa = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  expect(visa).toMatchObject({
    object: 'payment_method',
    type: 'card',
    customer,
    card: { last4: '4242', brand: 'visa' },
  })
  await expect(stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer })).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
  })
  expect((await stripe.paymentMethods.list({ customer, type: 'card' })).data.map(({ id }) => id)).toEqual([visa.id])
  for (const key of ['one', 'two']) valueOf(await vault.detachCard({ cardRef: visa.id, key }))
  expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
  for (const _ of [1, 2]) valueOf(await vault.deleteCustomer(customer))
  await expect(stripe.customers.retrieve(customer)).rejects.toMatchObject({ code: 'resource_missing' })
})

test('setup mode saves a card, including cards that require authentication', async () => {
  await using sandbox = await startTestSandbox(port)
  const { vault, stripe } = openAt(sandbox)
  const customerRef = valueOf(await vault.createCustomer({ accountId: 'a-1', email: null, key: 'c' }))
  const page = valueOf(
    await vault.openCardPage({
      customerRef,
      reference: 's-1',
      returnUrl: 'http://s.example/',
      cancelUrl: 'http://s.example/',
      key: 's',
    }),
  )
  expect(valueOf(await vault.readCardPage(page.hostedRef))).toBeNull()
  const enter = (number: string) =>
    fetch(page.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ number, expiry: '12/39', cvc: '123', zip: '60614' }),
    })
  expect((await enter('4000000000000002')).status).toBe(402)
  const challenge = (await enter('4000002500003155')).headers.get('location') ?? ''
  const answer = (words: string) =>
    fetch(challenge, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ answer: words }) })
  await answer('refuse')
  expect(valueOf(await vault.readCardPage(page.hostedRef))).toBeNull()
  await enter('4000002500003155')
  await answer('approve')
  const card = valueOf(await vault.readCardPage(page.hostedRef))
  expect(card).toMatchObject({ brand: 'visa', last4: '3155', expMonth: 12, expYear: 2039 })
  const session = await stripe.checkout.sessions.retrieve(page.hostedRef, { expand: ['setup_intent'] })
  expect(session).toMatchObject({
    mode: 'setup',
    status: 'complete',
    payment_status: 'no_payment_required',
    amount_total: null,
    setup_intent: { object: 'setup_intent', status: 'succeeded', usage: 'off_session', customer: customerRef },
  })
})

test('a payment saves its card only with current consent', async () => {
  await using sandbox = await startTestSandbox(port)
  const { vault, payments } = openAt(sandbox)
  const customerRef = valueOf(await vault.createCustomer({ accountId: 'a-1', email: null, key: 'c' }))
  for (const isWanted of [true, false]) {
    const opened = await payments.openCharge({
      amountCents: 5_000,
      reference: 'r',
      email: null,
      key: `open ${isWanted}`,
    })
    const { ref, clientSecret } = valueOf(opened)
    valueOf(await vault.saveCardOfCharge({ ref, customerRef, key: `save ${isWanted}` }))
    if (!isWanted) valueOf(await vault.saveCardOfCharge({ ref, customerRef: null, key: 'not' }))
    await payWithFields(sandbox, clientSecret, '4242424242424242')
    const card = valueOf(await vault.readCardOfCharge(ref))
    if (isWanted) expect(card).toMatchObject({ last4: '4242' })
    else expect(card).toBeNull()
  }
})

test.for([
  ['pm_card_visa', 'authorized', 'authorized', false],
  ['pm_card_chargeCustomerFail', 'failed', 'failed', false],
  ['pm_card_authenticationRequired', 'authorized', 'authorized', false],
  ['pm_card_authenticationRequiredAlways', 'open', 'failed', true],
] as const)('%s: %s with its owner here, %s away', async ([name, here, away, isUnapproved]) => {
  await using sandbox = await startTestSandbox(port)
  const { vault, stripe } = openAt(sandbox)
  const customerRef = valueOf(await vault.createCustomer({ accountId: 'a-1', email: null, key: 'c' }))
  const { id: cardRef } = await stripe.paymentMethods.attach(name, { customer: customerRef })
  const charge = async (returnUrl: string | null) => {
    const key = String(returnUrl)
    const ref = valueOf(
      await vault.openSavedCharge({ customerRef, amountCents: 3_900, reference: key, key: `open ${key}` }),
    )
    const confirm = (again: string) => vault.confirmSavedCharge({ ref, cardRef, returnUrl, key: `${again} ${key}` })
    const first = valueOf(await confirm('first'))
    // Confirming an authorized charge again has no effect, regardless of the key.
    if (first.charge.state === 'authorized') expect(valueOf(await confirm('again'))).toEqual(first)
    return first
  }
  const [present, absent] = [await charge('http://s.example/back'), await charge(null)]
  expect(present.charge.state).toEqual(here)
  expect(absent.charge.state).toEqual(away)
  expect(absent.isUnapproved).toEqual(isUnapproved)
  expect(present.approvalUrl !== null).toBe(here === 'open')
  if (isUnapproved) {
    const intent = await stripe.paymentIntents.retrieve(absent.charge.ref)
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code: 'authentication_required' },
    })
  }
})

test('rejects payments with a detached card or another customer’s card', async () => {
  await using sandbox = await startTestSandbox(port)
  const { vault, stripe } = openAt(sandbox)
  const [mine, other] = [
    valueOf(await vault.createCustomer({ accountId: 'a', email: null, key: 'a' })),
    valueOf(await vault.createCustomer({ accountId: 'b', email: null, key: 'b' })),
  ]
  const { id: cardRef } = await stripe.paymentMethods.attach('pm_card_visa', { customer: other })
  const open = (customerRef: string) =>
    vault.openSavedCharge({ customerRef, amountCents: 3_900, reference: customerRef, key: `open ${customerRef}` })
  const confirm = async (customerRef: string) =>
    vault.confirmSavedCharge({
      ref: valueOf(await open(customerRef)),
      cardRef,
      returnUrl: null,
      key: `pay ${customerRef}`,
    })
  expect(await confirm(mine)).toMatchObject({ ok: false, reason: 'refused-input' })
  valueOf(await vault.detachCard({ cardRef, key: 'gone' }))
  expect(await confirm(other)).toMatchObject({ ok: false, reason: 'refused-input' })
  await expect(stripe.paymentMethods.attach(cardRef, { customer: mine })).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  })
})
