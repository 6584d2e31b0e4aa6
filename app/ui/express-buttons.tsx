import { useEffect, useRef } from 'react'
import type { ExpressCheckoutSetup } from '#app/ui/express-checkout.ts'

/** What the buttons of wallets need before there is a sheet; the amount is never shown there. */
export type ExpressView = ExpressCheckoutSetup & { amountCents: number }

/**
 * The device's wallets as buttons of the form around them: pressing one submits the form with its `wallet`. Nothing is
 * loaded before they are reached, and on a device without wallets they stay away.
 */
export function ExpressButtons({ scriptUrl, publishableKey, amountCents }: ExpressView) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element || !('ApplePaySession' in window || 'PaymentRequest' in window)) return undefined
    let remove: (() => void) | undefined
    const reached = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      reached.disconnect()
      void import('#app/ui/wallet-buttons.ts').then(({ showWalletButtons }) => {
        remove = showWalletButtons(element, { scriptUrl, publishableKey, amountCents })
      })
    })
    reached.observe(element)
    return () => {
      reached.disconnect()
      remove?.()
    }
  }, [scriptUrl, publishableKey, amountCents])
  return <div className="express-box" ref={box} />
}
