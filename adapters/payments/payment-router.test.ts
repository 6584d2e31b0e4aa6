import { expect, test } from 'vitest'
import type {
  ChargeView,
  PagePaymentProvider,
  PaymentProvider,
  ProviderAnswer,
} from '#domain/payments/payments/payment-provider.port.ts'
import { routePayments } from './payment-router.ts'

/** Returns a provider that records the requested references and responds with its own. */
function noting(own: string): { asked: string[]; provider: PaymentProvider } {
  const asked: string[] = []
  const charge = (ref: string): ChargeView => ({
    ref,
    state: 'authorized',
    amountCents: 100,
    capturedCents: 0,
    refundedCents: 0,
    clientSecret: null,
    cardFingerprint: null,
    failure: null,
  })
  const say = <Value>(ref: string, value: Value): Promise<ProviderAnswer<Value>> => {
    asked.push(ref)
    return Promise.resolve({ ok: true, value })
  }
  return {
    asked,
    provider: {
      openCharge: () => say('open', { ref: own, clientSecret: 'secret' }),
      changeAmount: ({ ref }) => say(ref, charge(ref)),
      readCharge: (ref) => say(ref, charge(ref)),
      captureCharge: ({ ref }) => say(ref, charge(ref)),
      voidCharge: ({ ref }) => say(ref, charge(ref)),
      refundCharge: ({ ref }) => say(ref, { refundRef: 'refund' }),
      openHostedPage: ({ method }) => say(method, { hostedRef: own, url: 'https://pay.example/' }),
      readHostedPage: (ref) => say(ref, { completed: true, charge: charge(own) }),
      closeHostedPage: ({ hostedRef }) => say(hostedRef, { completed: false, charge: null }),
      readEvent: () =>
        Promise.resolve({
          ok: true,
          event: { id: 'event-1', kind: 'done', charge: charge(own), hostedRef: own, body: {} },
        }),
    },
  }
}

function routed() {
  const stripe = noting('pi_1')
  const paypal = noting('5O1:A')
  const further: PagePaymentProvider = paypal.provider
  return {
    stripe,
    paypal,
    payments: routePayments(stripe.provider, { paypal: further }, (method) =>
      method === 'card' ? 'stripe' : 'paypal',
    ),
  }
}

test('a reference with a provider prefix routes every call to that provider', async () => {
  const { stripe, paypal, payments } = routed()
  expect(await payments.readHostedPage('paypal:5O1:A')).toMatchObject({ value: { charge: { ref: 'paypal:5O1:A' } } })
  const ref = 'paypal:5O1:A'
  expect(await payments.readCharge(ref)).toMatchObject({ value: { ref } })
  expect(await payments.captureCharge({ ref, amountCents: 100, key: 'k' })).toMatchObject({ value: { ref } })
  expect(await payments.voidCharge({ ref, key: 'k' })).toMatchObject({ value: { ref } })
  expect(await payments.refundCharge({ ref, amountCents: 1, key: 'k' })).toMatchObject({
    value: { refundRef: 'refund' },
  })
  expect(await payments.closeHostedPage({ hostedRef: ref, key: 'k' })).toMatchObject({ ok: true })
  expect(paypal.asked).toEqual(Array.from({ length: 6 }, () => '5O1:A'))
  expect(stripe.asked).toEqual([])
})

test('a page is opened at the provider of its method', async () => {
  const { stripe, paypal, payments } = routed()
  const page = { amountCents: 1, reference: 'r', email: null, description: 'Tires', order: null, key: 'k' }
  const addresses = { returnUrl: 'https://store.example/', cancelUrl: 'https://store.example/' }
  expect(await payments.openHostedPage({ ...page, ...addresses, method: 'paypal' })).toMatchObject({
    value: { hostedRef: 'paypal:5O1:A' },
  })
  expect(await payments.openHostedPage({ ...page, ...addresses, method: 'card' })).toMatchObject({
    value: { hostedRef: 'pi_1' },
  })
  expect(paypal.asked).toEqual(['paypal'])
  expect(stripe.asked).toEqual(['card'])
})

test('Stripe references have no prefix', async () => {
  const { stripe, paypal, payments } = routed()
  expect(await payments.readCharge('pi_1')).toMatchObject({ value: { ref: 'pi_1' } })
  expect(await payments.readHostedPage('cs_1')).toMatchObject({ value: { charge: { ref: 'pi_1' } } })
  expect(stripe.asked).toEqual(['pi_1', 'cs_1'])
  expect(paypal.asked).toEqual([])
})

test('an event’s charge and page are named by the provider it came from', async () => {
  const { payments } = routed()
  const message = { body: '', header: () => '' }
  expect(await payments.readEvent({ ...message, provider: 'paypal' })).toMatchObject({
    event: { hostedRef: 'paypal:5O1:A', charge: { ref: 'paypal:5O1:A' } },
  })
  expect(await payments.readEvent({ ...message, provider: 'stripe' })).toMatchObject({ event: { hostedRef: 'pi_1' } })
  // A provider that the store doesn't use has no valid signature.
  expect(await payments.readEvent({ ...message, provider: 'lender' })).toEqual({ ok: false, reason: 'bad-signature' })
})

test('a refund that ends later, and a charge not named yet, find their way back', async () => {
  const stripe = noting('pi_1')
  const resolve = noting('ORD1')
  const further: PagePaymentProvider = {
    ...resolve.provider,
    refBefore: ({ reference }) => `number:${reference}`,
    refundCharge: async ({ ref }) => {
      resolve.asked.push(ref)
      return { ok: true, value: { refundRef: 'note-1', isPending: true } }
    },
    readRefund: async (ref) => {
      resolve.asked.push(ref)
      return { ok: true, value: { state: 'done', message: '' } }
    },
  }
  const payments = routePayments(stripe.provider, { resolve: further }, (method) =>
    method === 'resolve' ? 'resolve' : 'stripe',
  )
  expect(payments.refBefore?.({ method: 'resolve', reference: 'a1' })).toBe('resolve:number:a1')
  expect(payments.refBefore?.({ method: 'card', reference: 'a1' })).toBeUndefined()
  const refunded = await payments.refundCharge({ ref: 'resolve:ORD1', amountCents: 1, key: 'k' })
  expect(refunded).toMatchObject({ value: { refundRef: 'resolve:note-1' } })
  expect(await payments.readRefund?.('resolve:note-1')).toMatchObject({ value: { state: 'done' } })
  expect(resolve.asked).toEqual(['ORD1', 'note-1'])
})
