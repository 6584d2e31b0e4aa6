/** Stripe in its sandbox, for the contract tests. */
import { testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import type { PaymentProvider, ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import { createStripePayments } from './stripe.ts'

export function paymentsAt(
  { origin, clock }: Pick<TestSandbox, 'origin' | 'clock'>,
  secretKey = testSecrets.stripeSecretKey,
): PaymentProvider {
  return createStripePayments({ apiOrigin: origin, secretKey, webhookSecret: testSecrets.webhookSecret, clock })
}

export function valueOf<Value>(answer: ProviderAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.message}`)
  return answer.value
}
