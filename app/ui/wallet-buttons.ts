/** The buttons of wallets outside the checkout. Loaded once they are reached. */
import { openExpressCheckout } from '#app/ui/express-checkout.ts'
import type { ExpressView } from '#app/ui/express-buttons.tsx'

/**
 * Shows the buttons in `box`. No sheet opens from them: what the order costs and what must be accepted is settled first,
 * by the page that the form leads to. Returns what removes them.
 */
export function showWalletButtons(box: HTMLElement, { amountCents, ...setup }: ExpressView): () => void {
  const opened = openExpressCheckout(
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
        // Whoever comes back finds the form as it was.
        pressed.remove()
        return false
      },
    },
    (event) => {
      if (event.type === 'offered') box.classList.toggle('is-offered', event.wallets.length > 0)
    },
  )
  return () => opened.remove()
}
