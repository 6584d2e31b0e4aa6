/** A store that takes every way to pay, and companies that buy on Resolve's net terms. */
import { createLenderRecords } from '#adapters/payments/lender-records.ts'
import { createLenderPayments } from '#adapters/payments/lender.ts'
import { routePayments } from '#adapters/payments/payment-router.ts'
import { createPayPalRecords } from '#adapters/payments/paypal-records.ts'
import { createPayPalPayments } from '#adapters/payments/paypal.ts'
import { createResolveRecords } from '#adapters/payments/resolve-movements.ts'
import { createResolve } from '#adapters/payments/resolve.ts'
import { createStripeRecords } from '#adapters/payments/stripe-records.ts'
import { setResolveCustomer } from '#domain/customers/companies/companies.server.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import type { Financing } from '#domain/payments/payments/financing.port.ts'
import { ruleOf } from '#domain/payments/payments/payments.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { paypalTest, resolveTest, testSecrets } from '#sandbox/test-sandbox.ts'
import { asOwner, must, type TestStore } from './checkout.testing.ts'
import { press } from './pages-to-pay.testing.ts'

type At = { sandbox: Pick<TestStore['sandbox'], 'origin'>; clock: Clock; financing: Financing }

const accessAt = ({ sandbox: { origin }, clock }: At) => ({
  paypal: { ...paypalTest, apiOrigin: `${origin}/paypal`, clock },
  resolve: { ...resolveTest, apiUrl: `${origin}/resolve/api`, clock },
})

/** All providers combined, with the given card provider. */
export function routeEveryProvider(cards: PaymentProvider, at: At) {
  const access = accessAt(at)
  const resolve = createResolve(access.resolve)
  const further = {
    paypal: createPayPalPayments(access.paypal),
    lender: createLenderPayments(at.financing),
    resolve: resolve.payments,
  }
  const payments = routePayments(cards, further, (method) => ruleOf(method)?.provider ?? 'stripe')
  return { payments, netTerms: resolve.netTerms }
}

/** The store with all of its providers, and their records. */
export function withEveryProvider<Store extends TestStore>(store: Store) {
  const { financing } = store
  const { origin } = store.sandbox
  const { paypal, resolve } = accessAt(store)
  return {
    ...store,
    ...routeEveryProvider(store.payments, store),
    paymentRecords: {
      stripe: createStripeRecords({ apiOrigin: origin, secretKey: testSecrets.stripeSecretKey }),
      paypal: createPayPalRecords(paypal),
      lender: createLenderRecords(financing),
      resolve: createResolveRecords(resolve),
    },
  }
}

/** Returns the store as seen by a new company's owner. The company is this Resolve customer. */
export async function asResolveCustomer<Store extends { db: Database; clock: Clock }>(
  store: Store,
  customerId: string,
) {
  const owner = await asOwner(store, `${customerId.toLowerCase()}@acme.example`)
  const by = { via: 'command line', name: 'tester' } as const
  must(await setResolveCustomer(owner, { id: owner.companyId, customerId, by }))
  return owner
}

/** Sets the credit status Resolve reports for a customer; `line` is in whole dollars. */
export function setCreditStatus(
  { sandbox: { origin } }: Pick<At, 'sandbox'>,
  customerId: string,
  { status, line = '25000' }: { status: string; line?: string },
): Promise<void> {
  return press({ origin }, `${origin}/resolve/customers/${customerId}`, { status, line })
}
