import { expect, test } from 'vitest'
import { createCardLimits } from '#adapters/limits/card-limits.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { abandonAfterMinutes, voidPayment, openCharge, openHostedPage, refreshPayment, releaseAbandonedCharges, voidCharge } from './payments.server.ts'

const [port = 0] = await freePorts(3)
const card = '4242424242424242'

/** A till with one open cart. */
async function openTill() {
  const database = await createTestDatabase()
  const sandbox = await startTestSandbox(port)
  const { clock } = sandbox
  const cartId = newId()
  await database.db.insertInto('cart').values({ id: cartId, created_at: clock.now(), updated_at: clock.now() }).execute()
  const payments = createStripePayments({ apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey, webhookSecret: testSecrets.webhookSecret, clock })
  return {
    db: database.db,
    clock,
    sandbox,
    payments,
    cardLimits: createCardLimits({ db: database.db, networkFactor: 1 }),
    cartId,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
type Till = Awaited<ReturnType<typeof openTill>>

async function openFields(till: Till, amountCents = 76_614) {
  const opened = await openCharge(till, { cartId: till.cartId, amountCents, email: null })
  if (!opened.ok) throw new Error(opened.reason)
  return opened.value
}

async function openPage(till: Till) {
  const opened = await openHostedPage(till, {
    cartId: till.cartId,
    amountCents: 76_614,
    email: null,
    description: '4 tires',
    returnUrl: 'http://127.0.0.1/back?payment={payment}',
    cancelUrl: 'http://127.0.0.1/back',
  })
  if (!opened.ok) throw new Error(opened.reason)
  return opened.value
}

function payOnPage({ origin }: TestSandbox, url: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ number: card, expiry: '12/30', cvc: '123', zip: '60614', email: '' }),
  })
}

/** The jobs that letting go asked for. */
async function runVoids(till: Till): Promise<void> {
  const payments = await till.db.selectFrom('payment').select('id').where('state', '=', 'voided').execute()
  for (const { id } of payments) expect(await voidCharge(till, id, 'store')).toEqual({ ok: true, value: null })
}

function states(till: Till) {
  return till.db.selectFrom('payment').select(['flow', 'state']).orderBy('created_at').orderBy('flow').execute()
}

test('a declined card is followed by another on the same charge, and a new total changes its amount', async () => {
  await using till = await openTill()
  const first = await openFields(till)
  expect(await payWithFields(till.sandbox, first.clientSecret, '4000000000000002')).toMatchObject({ status: 'failed' })
  expect(await refreshPayment(till, { cartId: till.cartId })).toMatchObject({
    ok: true,
    value: { payment: { state: 'failed' }, failure: 'The bank declined this card. Try another card, or call the bank.', isProcessing: false },
  })

  const second = await openFields(till, 80_000)
  expect(second.payment.id).toBe(first.payment.id)
  expect(await payWithFields(till.sandbox, second.clientSecret, card)).toMatchObject({ status: 'authorized' })
  expect(await refreshPayment(till, { cartId: till.cartId })).toMatchObject({ ok: true, value: { payment: { state: 'authorized', amountCents: 80_000 } } })
})

test('a bank that has not answered is said to be processing', async () => {
  await using till = await openTill()
  const { clientSecret } = await openFields(till)
  const answer = payWithFields(till.sandbox, clientSecret, '4000000000020000')
  await expect
    .poll(async () => refreshPayment(till, { cartId: till.cartId }))
    .toMatchObject({ ok: true, value: { payment: { state: 'pending' }, isProcessing: true } })
  await till.sandbox.pass({ seconds: 20 })
  expect(await answer).toMatchObject({ status: 'authorized' })
})

test('who pays on the page instead leaves no charge behind in the fields', async () => {
  await using till = await openTill()
  const fields = await openFields(till)
  const page = await openPage(till)
  expect(await states(till)).toEqual([
    { flow: 'fields', state: 'voided' },
    { flow: 'hosted', state: 'pending' },
  ])
  await runVoids(till)
  expect(await payWithFields(till.sandbox, fields.clientSecret, card)).toMatchObject({ status: 'failed' })
  expect((await payOnPage(till.sandbox, page.url)).status).toBe(303)
  expect(await refreshPayment(till, { cartId: till.cartId })).toMatchObject({ ok: true, value: { payment: { id: page.paymentId, state: 'authorized' } } })
})

test('a page that is let go is closed, so that nobody pays there any more', async () => {
  await using till = await openTill()
  const page = await openPage(till)
  await voidPayment(till, { cartId: till.cartId })
  await runVoids(till)
  expect(await (await payOnPage(till.sandbox, page.url)).text()).toContain('This payment page has closed')
  expect(await refreshPayment(till, { cartId: till.cartId })).toEqual({ ok: true, value: undefined })
})

test('a payment made on a page before it is closed is given back', async () => {
  await using till = await openTill()
  const page = await openPage(till)
  await payOnPage(till.sandbox, page.url)
  await voidPayment(till, { cartId: till.cartId })
  await runVoids(till)
  const { provider_ref } = await till.db.selectFrom('payment').select('provider_ref').executeTakeFirstOrThrow()
  expect(await till.payments.readCharge(provider_ref ?? '')).toMatchObject({ ok: true, value: { state: 'voided' } })
})

test('a charge nobody comes back for is let go, one the shopper was just seen with is kept', async () => {
  await using till = await openTill()
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
  const { provider_ref, state } = await till.db.selectFrom('payment').select(['provider_ref', 'state']).executeTakeFirstOrThrow()
  expect(state).toBe('voided')
  expect(await till.payments.readCharge(provider_ref ?? '')).toMatchObject({ ok: true, value: { state: 'voided' } })
})
