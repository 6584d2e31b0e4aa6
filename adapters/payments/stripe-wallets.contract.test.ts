/** Tests card charges with device wallets and the store's domain in the sandbox with the official library. */
import { Script } from 'node:vm'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { payWithWallet, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { registerPaymentDomain } from './stripe-domains.ts'
import { createStripePayments } from './stripe.ts'

const [port = 0] = await freePorts(3)

const library = () => new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })

/** A charge of $640.00 of the store, waiting for a sheet. */
async function openSheet({ origin, clock }: TestSandbox) {
  const { stripeSecretKey: secretKey, webhookSecret } = testSecrets
  const payments = createStripePayments({ apiOrigin: origin, secretKey, webhookSecret, clock })
  const opened = await payments.openCharge({ amountCents: 64_000, reference: 'p-1', email: null, key: 'open-1' })
  if (!opened.ok) throw new Error(opened.message)
  return { payments, ...opened.value }
}

test.for([
  ['apple_pay', 'google_pay'],
  ['google_pay', 'apple_pay'],
] as const)('%s pays a charge of a card, held until a named moment and captured later', async ([wallet, other]) => {
  await using sandbox = await startTestSandbox(port)
  const { payments, ref, clientSecret } = await openSheet(sandbox)
  const paid = await payWithWallet(sandbox, { clientSecret, amount: 64_000, wallet, person: 'dana' })
  expect(paid).toMatchObject({ paymentIntent: { id: ref, status: 'requires_capture' } })

  const { latest_charge: charge } = await library().paymentIntents.retrieve(ref, { expand: ['latest_charge'] })
  const details = typeof charge === 'object' ? charge?.payment_method_details : null
  expect(details).toMatchObject({ type: 'card', card: { wallet: { type: wallet, [wallet]: {} } } })
  expect(details?.card?.wallet).not.toHaveProperty(other)
  expect(await payments.readCharge(ref)).toMatchObject({
    value: { state: 'authorized', captureBefore: sandbox.clock.now().add({ hours: 168 }) },
  })
  expect(await payments.captureCharge({ ref, amountCents: 64_000, key: 'capture-1' })).toMatchObject({
    value: { state: 'captured', capturedCents: 64_000 },
  })
})

test('a wallet’s card may be declined, and the same charge paid by another', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, ref, clientSecret } = await openSheet(sandbox)
  const sheet = { clientSecret, amount: 64_000, wallet: 'apple_pay' as const }
  const declined = await payWithWallet(sandbox, { ...sheet, person: 'lee' })
  expect(declined).toMatchObject({
    error: {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      payment_intent: { status: 'requires_payment_method' },
    },
  })
  expect(await payments.readCharge(ref)).toMatchObject({ value: { state: 'failed' } })
  expect(await payWithWallet(sandbox, { ...sheet, person: 'mia' })).toHaveProperty('paymentIntent')
  // A second sheet for the same charge.
  expect(await payWithWallet(sandbox, { ...sheet, person: 'dana' })).toMatchObject({
    error: { code: 'payment_intent_unexpected_state', payment_intent: { status: 'requires_capture' } },
  })
})

test('rejects a wallet sheet with a different amount or immediate capture', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, ref, clientSecret } = await openSheet(sandbox)
  const sheet = { clientSecret, amount: 64_000, wallet: 'google_pay' as const, person: 'dana' }
  for (const wrong of [{ amount: 63_999 }, { captureMethod: 'automatic' }, { clientSecret: `${ref}_secret_guessed` }])
    expect(await payWithWallet(sandbox, { ...sheet, ...wrong })).toMatchObject({
      error: { type: 'invalid_request_error' },
    })
  expect(await payments.readCharge(ref)).toMatchObject({ value: { state: 'open' } })
  await payments.voidCharge({ ref, key: 'void-1' })
  expect(await payWithWallet(sandbox, sheet)).toMatchObject({ error: { payment_intent: { status: 'canceled' } } })
})

test('the store’s domain is registered once and validated', async () => {
  await using sandbox = await startTestSandbox(port)
  const account = { apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey }
  const before = await library().paymentMethodDomains.create({ domain_name: 'store.example' })
  expect(before).toMatchObject({ apple_pay: { status: 'inactive' }, enabled: true })
  for (const _ of ['once', 'again'])
    expect(await registerPaymentDomain(account, 'store.example')).toEqual({
      ok: true,
      value: [
        { name: 'Apple Pay', isActive: true, problem: null },
        { name: 'Google Pay', isActive: true, problem: null },
      ],
    })
  const { data } = await library().paymentMethodDomains.list({ domain_name: 'store.example' })
  expect(data.map(({ id }) => id)).toEqual([before.id])
  expect(await registerPaymentDomain(account, 'https://store.example')).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
})

test('wallet scripts are self-contained and only the store can frame them', async () => {
  await using sandbox = await startTestSandbox(port)
  for (const name of ['stripe', 'buttons', 'sheet']) {
    const answer = await fetch(`${sandbox.origin}/wallets/${name}.js`)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const text = await answer.text()
    expect(() => new Script(text)).not.toThrow()
  }
  const frame = (path: string, origin: string) =>
    fetch(`${sandbox.origin}/wallets/${path}origin=${encodeURIComponent(origin)}`)
  for (const path of ['buttons?', 'sheet?wallet=apple_pay&']) {
    const framed = await frame(path, sandbox.storeOrigin)
    expect(framed.status).toBe(200)
    expect(framed.headers.get('content-security-policy')).toContain(`frame-ancestors ${sandbox.storeOrigin}`)
    expect((await frame(path, 'http://other.example')).status).toBe(400)
  }
})

test.for([
  ['apple-pay', 'apple_pay'],
  ['google-pay', 'google_pay'],
  ['none', ''],
] as const)('a browser that plays %s has this wallet: %s', async ([device, wallets]) => {
  await using sandbox = await startTestSandbox(port)
  const chosen = await fetch(`${sandbox.origin}/wallets`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: sandbox.origin },
    body: new URLSearchParams({ device }),
  })
  const cookie = chosen.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const address = `${sandbox.origin}/wallets/buttons?origin=${encodeURIComponent(sandbox.storeOrigin)}`
  expect(await (await fetch(address, { headers: { cookie } })).text()).toContain(`data-wallets="${wallets}"`)
})
