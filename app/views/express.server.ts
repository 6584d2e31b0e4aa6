/** The wallets of the shopper's device, for the pages that show their buttons. */
import type { ExpressView } from '#app/ui/express-buttons.tsx'
import type { ExpressCheckoutSetup } from '#app/ui/express-checkout.ts'
import { stripeScriptUrl } from '#app/ui/stripe-script.ts'
import { methodsFor, walletMethods, type WalletMethod } from '#domain/payments/payments/payments.ts'
import type { Shop } from '#shop'

/** Stripe.js, or the sandbox's. */
export function expressCheckoutSetup({ config: { payments, sandbox } }: Pick<Shop, 'config'>): ExpressCheckoutSetup {
  return {
    scriptUrl: payments.kind === 'stripe' ? stripeScriptUrl : `${sandbox.origin}/wallets/stripe.js`,
    publishableKey: payments.publishableKey,
  }
}

/** The wallets that may pay this much for this buyer, if the device has them. */
export async function findWallets(shop: Shop, amountCents: number): Promise<WalletMethod[]> {
  const { companyId } = await shop.buyer.priceTier()
  const order = { amountCents, isBusiness: companyId !== null, offered: shop.paymentMethods, hasProviderTerms: false }
  const fitting = methodsFor(order).map(({ type }) => type)
  return walletMethods.filter((method) => fitting.includes(method))
}

/** The buttons on the page of a tire and in the cart, for about this much; null if no wallet may pay it. */
export async function readExpress(shop: Shop, amountCents: number): Promise<ExpressView | null> {
  const wallets = await findWallets(shop, amountCents)
  return wallets.length === 0 ? null : { ...expressCheckoutSetup(shop), amountCents }
}
