import type { ExpressCheckoutSetup } from '#app/ui/express-checkout.ts'

/** What the buttons of wallets need before there is a sheet; the amount is never shown there. */
export type ExpressView = ExpressCheckoutSetup & { amountCents: number }

/**
 * Device wallets as buttons in the surrounding form; pressing one submits the form with its `wallet`. Hidden on devices
 * without wallets.
 */
export function ExpressButtons(view: ExpressView) {
  return (
    <div
      className="express-box"
      ref={(box) => void import('#app/ui/wallet-buttons.ts').then(({ showOnce }) => showOnce(box, view))}
    />
  )
}
