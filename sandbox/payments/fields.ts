import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { z } from 'zod'
import { breakConnection } from '../broken-connection.ts'
import { cardFields, shopperPage } from '../pages/layout.ts'
import { cardFaults } from './card-entry.ts'
import { openCardForm, runFields, type ConfirmAnswer } from './fields-script.ts'
import { confirmIntent, findIntentBySecret, whenSettled } from './intents.ts'
import type { Ledger } from './ledger.ts'
import { enteredCard } from './test-cards.ts'

const short = z.string().max(300)
const confirmBody = z.object({
  clientSecret: short,
  origin: short,
  number: short,
  expiry: short,
  cvc: short,
  zip: short,
})

/**
 * The card fields' page for a frame in the store's checkout. A card number goes from the shopper's keyboard to the
 * sandbox's origin and nowhere else. The messages between frame and store are documented in fields-script.ts.
 */
export function createFields(ledger: Ledger, storeOrigin: string): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  const script = `(${runFields.toString()})((${openCardForm.toString()})(${cardFaults.toString()}))`

  app.get('/script.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }))

  app.get('/', (c) => {
    const stored = findIntentBySecret(ledger, c.req.query('client_secret') ?? '')
    if (c.req.query('origin') !== storeOrigin || !stored) {
      return c.html(
        shopperPage('Card', html`<p class="error">This page belongs into the store's checkout.</p>`, 'frame'),
        400,
      )
    }
    const outcome = outcomeOf(stored.intent, c.req.query('answered') !== undefined)
    const body =
      outcome?.status === 'authorized'
        ? html`<p class="panel">The card ending in ${stored.card?.last4} is approved.</p>`
        : // Not a form: without script it would put the card number into a URL.
          html`${outcome && html`<p class="error" role="alert">${outcome.error}</p>`}
            <div class="fields">${cardFields({}, {})}</div>
            <noscript><p class="error">These fields need JavaScript. Choose the payment page instead.</p></noscript>`
    return c.html(
      shopperPage(
        'Card',
        html`<div
            id="frame"
            data-parent-origin="${storeOrigin}"
            data-client-secret="${stored.intent.client_secret}"
            data-outcome="${outcome?.status ?? ''}"
            data-outcome-error="${outcome?.error ?? ''}"
          >
            ${body}
          </div>
          <script src="/fields/script.js" defer></script>`,
        'frame',
      ),
    )
  })

  app.post('/confirm', async (c) => {
    const parsed = confirmBody.safeParse(await c.req.json().catch(() => null))
    const stored = parsed.success ? findIntentBySecret(ledger, parsed.data.clientSecret) : undefined
    if (!parsed.success || !stored)
      return c.json({ status: 'failed', error: 'This payment is not known here. Reload the page.' }, 400)

    const already = outcomeOf(stored.intent, false)
    if (already) return c.json(already)
    const today = ledger.now().toZonedDateTimeISO('UTC')
    const faults = Object.values(cardFaults(parsed.data, today.year, today.month))
    if (faults.length > 0) return c.json({ status: 'failed', error: faults[0] })
    if (stored.intent.status === 'canceled')
      return c.json({ status: 'failed', error: 'This payment was canceled. Reload the page.' })

    const card = enteredCard(parsed.data)
    const query = new URLSearchParams({ client_secret: parsed.data.clientSecret, origin: storeOrigin, answered: '1' })
    const returnUrl = `${ledger.publicOrigin}/fields?${query.toString()}`
    if (stored.intent.status !== 'processing') {
      ledger.store.transaction(() => confirmIntent(ledger, null, stored.intent.id, card, returnUrl))
    }
    const intent = await whenSettled(ledger, stored.intent.id)
    if (card.behavior.kind === 'drops-response') return breakConnection(c)
    const challengeUrl = intent.next_action?.redirect_to_url?.url
    const answer: ConfirmAnswer = challengeUrl
      ? { status: 'challenge', url: challengeUrl }
      : (outcomeOf(intent, true) ?? { status: 'unknown', error: null })
    return c.json(answer)
  })
  return app
}

type Outcome = { status: 'authorized'; error: null } | { status: 'failed'; error: string }

/**
 * Returns the payment's result for the shopper, or null if it's pending. A failed attempt counts only directly after
 * it.
 */
function outcomeOf(intent: Stripe.PaymentIntent, isJustTried: boolean): Outcome | null {
  if (intent.status === 'requires_capture' || intent.status === 'succeeded')
    return { status: 'authorized', error: null }
  const error = intent.last_payment_error?.message
  return isJustTried && error ? { status: 'failed', error } : null
}
