import type { ExpressCheckoutSetup } from '#app/ui/express-checkout.ts'
import walletButtons from '#app/ui/wallet-buttons.ts?worker&url'

/** What the buttons of wallets need before there is a sheet; the amount is never shown there. */
export type ExpressView = ExpressCheckoutSetup & { amountCents: number }

/**
 * Device wallets as buttons in the surrounding form; pressing one submits the form with its `wallet`. Hidden on devices
 * without wallets. Their script starts when the box is visible (app/ui/load-late.js) or the page is hydrated, and React
 * leaves the box to it.
 */
export function ExpressButtons(view: ExpressView) {
  return (
    <div
      className="express-box"
      data-acts={walletButtons}
      data-setup={JSON.stringify(view)}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: '' }}
      ref={(box) =>
        void import(/* @vite-ignore */ walletButtons).then(() =>
          box?.dispatchEvent(new Event('express-box', { bubbles: true })),
        )
      }
    />
  )
}
