/**
 * The buttons of wallets outside the checkout, as a script without the framework (app/ui/express-buttons.tsx). It shows
 * the buttons in each `.express-box` of the document, and in those that send it the event `express-box` later.
 */
import type { ExpressView } from '#app/ui/express-buttons.tsx'
import { openExpressCheckout } from '#app/ui/express-checkout.ts'

const known = new WeakSet<HTMLElement>()

/**
 * Shows the buttons in `box` once it is visible, on a device that may have wallets; until then, no script is loaded.
 * Harmless if repeated.
 */
function showOnce(box: HTMLElement): void {
  if (known.has(box) || !('ApplePaySession' in window || 'PaymentRequest' in window)) return
  known.add(box)
  const reached = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return
    reached.disconnect()
    show(box, JSON.parse(box.dataset['setup'] ?? '{}') as ExpressView)
  })
  reached.observe(box)
}

/** These buttons open no sheet. The form's next page first settles the price and required consents. */
function show(box: HTMLElement, { amountCents, ...setup }: ExpressView): void {
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

document.addEventListener('express-box', ({ target }) => {
  if (target instanceof HTMLElement) showOnce(target)
})
for (const box of document.querySelectorAll<HTMLElement>('.express-box')) showOnce(box)
