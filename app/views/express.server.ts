/** The wallets of the shopper's device, for the pages that show their buttons. */
import type { ExpressView } from '#app/ui/express-buttons.tsx'
import type { ExpressCheckoutSetup } from '#app/ui/express-checkout.ts'
import { stripeScriptUrl } from '#app/ui/stripe-script.ts'
import { methodsFor, walletMethods, type WalletMethod } from '#domain/payments/payments/payments.ts'
import type { Application } from '#application'

/** Stripe.js, or the sandbox's. */
export function expressCheckoutSetup({
  config: { payments, sandbox },
}: Pick<Application, 'config'>): ExpressCheckoutSetup {
  return {
    scriptUrl: payments.kind === 'stripe' ? stripeScriptUrl : `${sandbox.origin}/wallets/stripe.js`,
    publishableKey: payments.publishableKey,
  }
}

/** The wallets that may pay this much for this buyer, if the device has them. */
export async function findWallets(app: Application, amountCents: number): Promise<WalletMethod[]> {
  const { companyId } = await app.buyer.priceTier()
  const order = { amountCents, isBusiness: companyId !== null, offered: app.paymentMethods, hasProviderTerms: false }
  const fitting = methodsFor(order).map(({ type }) => type)
  return walletMethods.filter((method) => fitting.includes(method))
}

/** The buttons on the page of a tire and in the cart, for about this much; null if no wallet may pay it. */
export async function readExpress(app: Application, amountCents: number): Promise<ExpressView | null> {
  const wallets = await findWallets(app, amountCents)
  return wallets.length === 0 ? null : { ...expressCheckoutSetup(app), amountCents }
}
