import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { dollars, shopperPage, type Html } from '../pages/layout.ts'
import { answerChallenge, findIntentBySecret } from './intents.ts'
import type { Ledger } from './ledger.ts'
import { answerSetup, findSetupBySecret } from './setups.ts'

/**
 * The bank's page where a customer approves a payment. Works without JavaScript, in the card fields' frame and as a
 * separate page.
 */
export function createChallenge(ledger: Ledger): Hono {
  const app = new Hono()

  app.get('/:secret', (c) => {
    const stored = findIntentBySecret(ledger, c.req.param('secret'))
    const setup = findSetupBySecret(ledger, c.req.param('secret'))
    if (setup?.status === 'requires_action') return c.html(question('You want to save this card for later.'))
    if (stored?.intent.status !== 'requires_action') {
      return c.html(
        shopperPage('Your bank', html`<p class="panel">Your bank is not asking for an approval now.</p>`, 'page'),
        404,
      )
    }
    return c.html(
      question(
        html`A payment of <strong>${dollars(stored.intent.amount)}</strong> with the card ending in
          ${stored.card?.last4}.`,
      ),
    )
  })

  app.post('/:secret', async (c) => {
    const secret = c.req.param('secret')
    const isApproved = (await formFields(c)).get('answer') === 'approve'
    const setup = findSetupBySecret(ledger, secret)
    if (setup) {
      ledger.store.transaction(() => answerSetup(ledger, setup, isApproved))
      return c.redirect(setup.next_action?.redirect_to_url?.return_url ?? '/', 303)
    }
    const before = findIntentBySecret(ledger, secret)
    if (!before)
      return c.html(
        shopperPage('Your bank', html`<p class="panel">Your bank does not know this payment.</p>`, 'page'),
        404,
      )
    const { intent } = ledger.store.transaction(() => answerChallenge(ledger, before.intent.id, isApproved))
    const returnUrl = before.intent.next_action?.redirect_to_url?.return_url
    if (!returnUrl)
      return c.html(
        shopperPage('Your bank', html`<p class="panel">Thank you. You can go back to the store.</p>`, 'page'),
      )
    const url = new URL(returnUrl)
    url.searchParams.set('payment_intent', intent.id)
    url.searchParams.set('redirect_status', intent.last_payment_error ? 'failed' : 'succeeded')
    return c.redirect(url.href, 303)
  })
  return app
}

function question(what: Html | string): Html {
  return shopperPage(
    'Your bank',
    html`<h1>Your bank asks: is this you?</h1>
      <p>${what}</p>
      <form method="post" class="row">
        <button class="button primary" name="answer" value="approve">Approve</button>
        <button class="button" name="answer" value="refuse">It is not me</button>
      </form>`,
    'page',
  )
}
