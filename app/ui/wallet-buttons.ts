/** The buttons of wallets outside the checkout, loaded apart from the page that has them. */
import type { ExpressView } from '#app/ui/express-buttons.tsx'

const known = new WeakSet<HTMLElement>()

/**
 * Shows the buttons in `box` once it is visible, on a device that may have wallets; until then, no script is loaded.
 * Harmless if repeated.
 */
export function showOnce(box: HTMLElement | null, view: ExpressView): void {
  if (!box || known.has(box) || !('ApplePaySession' in window || 'PaymentRequest' in window)) return
  known.add(box)
  const reached = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return
    reached.disconnect()
    void show(box, view)
  })
  reached.observe(box)
}

/** These buttons open no sheet. The form's next page first settles the price and required consents. */
async function show(box: HTMLElement, { amountCents, ...setup }: ExpressView): Promise<void> {
  const { openExpressCheckout } = await import('#app/ui/express-checkout.ts')
  openExpressCheckout(
    box,
    {
      setup,
      order: { amountCents, lines: [] },
      only: null,
      returnUrl: location.href,
      mayOpen(wallet) {
        const form = box.closest('form')
        const pressed = document.createElement('button')
        Object.assign(pressed, { type: 'submit', name: 'wallet', value: wallet, hidden: true })
        form?.append(pressed)
        form?.requestSubmit(pressed)
        // If the shopper returns, the form is unchanged.
        pressed.remove()
        return false
      },
    },
    (event) => {
      if (event.type === 'offered') box.classList.toggle('is-offered', event.wallets.length > 0)
    },
  )
}
