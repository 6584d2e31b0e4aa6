/** The store's domain at Stripe. Devices offer their wallet only on a registered domain. */
import { answer, openStripe } from './stripe-client.ts'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'

/** A wallet's status on the domain, either `active` or the problem. */
export type WalletOnDomain = { name: string; isActive: boolean; problem: string | null }

/** Registers a domain, and has it validated again. Harmless if it is registered already. */
export function registerPaymentDomain(
  account: { apiOrigin: string; secretKey: string },
  domain: string,
): Promise<ProviderAnswer<WalletOnDomain[]>> {
  const stripe = openStripe(account)
  return answer(async () => {
    const { id } = await stripe.paymentMethodDomains.create({ domain_name: domain })
    const { apple_pay: applePay, google_pay: googlePay } = await stripe.paymentMethodDomains.validate(id)
    return [walletOf('Apple Pay', applePay), walletOf('Google Pay', googlePay)]
  })
}

function walletOf(
  name: string,
  { status, status_details: details }: { status: string; status_details?: { error_message: string } },
): WalletOnDomain {
  return { name, isActive: status === 'active', problem: details?.error_message ?? null }
}
