import type { ProviderMessage } from '#domain/payments/payments/payment-provider.port.ts'

/** A webhook of Stripe with its signature header. */
export function fromStripe(body: string, signature: string): ProviderMessage {
  return { provider: 'stripe', body, header: (name) => (name === 'stripe-signature' ? signature : '') }
}
