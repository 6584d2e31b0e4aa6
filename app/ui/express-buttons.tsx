import type { ExpressCheckoutSetup } from '#app/ui/express-checkout.ts'

/** What the buttons of wallets need before there is a sheet; the amount is never shown there. */
export type ExpressView = ExpressCheckoutSetup & { amountCents: number }

/**
 * The device's wallets as buttons of the form around them: pressing one submits the form with its `wallet`. On a device
 * without wallets they stay away.
 */
export function ExpressButtons(view: ExpressView) {
  return (
    <div
      className="express-box"
      ref={(box) => void import('#app/ui/wallet-buttons.ts').then(({ showOnce }) => showOnce(box, view))}
    />
  )
}
