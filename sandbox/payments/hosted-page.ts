import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { formFields } from '../body.ts'
import { breakConnection } from '../broken-connection.ts'
import { cardFields, dollars, field, shopperPage, type Html } from '../pages/layout.ts'
import { cardFaults, type CardEntry, type CardFaults } from './card-entry.ts'
import { getIntent, whenSettled } from './intents.ts'
import type { Ledger, StoredSession } from './ledger.ts'
import { answerLender, lenderPage } from './lender-page.ts'
import { payLaterOf } from './page-methods.ts'
import { getSession, payOnPage, successUrl } from './sessions.ts'
import { saveOnPage, setupOf } from './setups.ts'
import { enteredCard, type CardOnFile } from './test-cards.ts'

type Entry = CardEntry & { email: string }

/** A checkout session's payment page. One form without JavaScript. */
export function createHostedPage(ledger: Ledger): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()

  app.get('/:id', (c) => {
    const stored = ledger.sessions.get(c.req.param('id'))
    if (stored?.session.status !== 'open') return c.html(closedPage(stored), stored ? 200 : 404)
    const lender = payLaterOf(stored.session)
    if (lender) return c.html(lenderPage(stored, lender, failureOf(ledger, stored)))
    return c.html(
      openPage(stored, failureOf(ledger, stored), {}, { number: '', expiry: '', cvc: '', zip: '', email: '' }),
    )
  })

  app.post('/:id', async (c) => {
    const stored = ledger.sessions.get(c.req.param('id'))
    if (stored?.session.status !== 'open') return c.html(closedPage(stored), stored ? 200 : 404)
    const form = await formFields(c)
    const lender = payLaterOf(stored.session)
    if (lender) {
      const next = ledger.store.transaction(() => answerLender(ledger, stored, lender, form.get('answer') ?? ''))
      return next === null
        ? c.html(lenderPage(stored, lender, failureOf(ledger, getSession(ledger, stored.session.id))), 402)
        : c.redirect(next, 303)
    }
    const entry = entryOf(form)
    const today = ledger.now().toZonedDateTimeISO('UTC')
    const faults = cardFaults(entry, today.year, today.month)
    if (Object.keys(faults).length > 0) return c.html(openPage(stored, null, faults, entry), 422)

    const card = enteredCard(entry)
    if (stored.session.mode === 'setup') {
      const saved = savedOnPage(ledger, stored, card)
      return saved.url === null ? c.html(openPage(stored, saved.failure, {}, entry), 402) : c.redirect(saved.url, 303)
    }
    const started = startedOn(ledger, stored, card, entry)
    const intent = await whenSettled(ledger, started.id)
    if (card.behavior.kind === 'drops-response') return breakConnection(c)
    const { url, failure } = goalOf(intent, stored)
    return url === null ? c.html(openPage(stored, failure, {}, entry), 402) : c.redirect(url, 303)
  })

  /** Where the bank's page sends the shopper. */
  app.get('/:id/return', (c) => {
    const stored = ledger.sessions.get(c.req.param('id'))
    if (!stored) return c.html(closedPage(stored), 404)
    return c.redirect(stored.session.status === 'complete' ? successUrl(stored) : `/pay/${stored.session.id}`, 303)
  })
  return app
}

function entryOf(form: Map<string, string>): Entry {
  const text = (name: keyof Entry) => form.get(name) ?? ''
  return { number: text('number'), expiry: text('expiry'), cvc: text('cvc'), zip: text('zip'), email: text('email') }
}

/** Starts a card payment, or continues one in progress. */
function startedOn(ledger: Ledger, stored: StoredSession, card: CardOnFile, { email }: Entry): Stripe.PaymentIntent {
  const paid = intentOf(ledger, stored)
  return paid?.status === 'processing'
    ? paid
    : ledger.store.transaction(() => payOnPage(ledger, stored.session.id, card, email || null))
}

/** Returns the next URL, at the bank or the store, or the failure. */
function goalOf(intent: Stripe.PaymentIntent, stored: StoredSession): { url: string | null; failure: string } {
  const challengeUrl = intent.next_action?.redirect_to_url?.url
  if (challengeUrl) return { url: challengeUrl, failure: '' }
  const { last_payment_error: error } = intent
  return error ? { url: null, failure: error.message ?? '' } : { url: successUrl(stored), failure: '' }
}

/** Saves a card on its page. Returns the next URL or the refusal. */
function savedOnPage(ledger: Ledger, stored: StoredSession, card: CardOnFile): { url: string | null; failure: string } {
  const setup = ledger.store.transaction(() => saveOnPage(ledger, stored, card))
  if (setup.last_setup_error) return { url: null, failure: setup.last_setup_error.message ?? '' }
  return { url: setup.next_action?.redirect_to_url?.url ?? successUrl(stored), failure: '' }
}

function intentOf(ledger: Ledger, { session }: StoredSession): Stripe.PaymentIntent | null {
  return typeof session.payment_intent === 'string' ? getIntent(ledger, session.payment_intent).intent : null
}

function failureOf(ledger: Ledger, stored: StoredSession): string | null {
  if (stored.session.mode === 'setup') return setupOf(ledger, stored.session).last_setup_error?.message ?? null
  return intentOf(ledger, stored)?.last_payment_error?.message ?? null
}

function openPage({ session, lines }: StoredSession, failure: string | null, faults: CardFaults, entry: Entry): Html {
  if (session.mode === 'setup') return cardPage(session, failure, faults, entry)
  return shopperPage(
    'Pay',
    html`<h1>Pay ${dollars(session.amount_total ?? 0)}</h1>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col" class="num">Quantity</th>
              <th scope="col" class="num">Amount</th>
            </tr>
          </thead>
          <tbody>
            ${lines.map(
              (line) =>
                html`<tr>
                  <td>${line.name}${line.description && html`<br /><span class="muted">${line.description}</span>`}</td>
                  <td class="num">${line.quantity}</td>
                  <td class="num">${dollars(line.unitAmount * line.quantity)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
      ${Object.keys(faults).length > 0 ? html`<p class="error" role="alert">Some of the card is missing or not right. See below.</p>` : ''}
      <form method="post" novalidate>
        ${field({
          name: 'email',
          label: 'Email for the receipt',
          autocomplete: 'email',
          inputmode: 'email',
          value: entry.email || (session.customer_email ?? ''),
        })}
        ${cardFields(faults, entry)}
        <button class="button primary wide">Pay ${dollars(session.amount_total ?? 0)}</button>
      </form>
      ${session.cancel_url && html`<p><a href="${session.cancel_url}">Go back without paying</a></p>`}`,
    'page',
  )
}

/** Renders the page that saves a card without a charge. */
function cardPage(session: StoredSession['session'], failure: string | null, faults: CardFaults, entry: Entry): Html {
  return shopperPage(
    'Save a card',
    html`<h1>Save a card</h1>
      <p>Nothing is charged now.</p>
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
      ${Object.keys(faults).length > 0 ? html`<p class="error" role="alert">Some of the card is missing or not right. See below.</p>` : ''}
      <form method="post" novalidate>
        ${cardFields(faults, entry)}
        <button class="button primary wide">Save this card</button>
      </form>
      ${session.cancel_url && html`<p><a href="${session.cancel_url}">Go back without saving</a></p>`}`,
    'page',
  )
}

function closedPage(stored: StoredSession | undefined): Html {
  if (!stored) return shopperPage('Pay', html`<h1>Payment page not found</h1>`, 'page')
  const isPaid = stored.session.status === 'complete'
  const back = isPaid ? successUrl(stored) : stored.session.cancel_url
  return shopperPage(
    'Pay',
    html`<h1>${isPaid ? 'This has been paid' : 'This payment page has closed'}</h1>
      <p>${isPaid ? 'Nothing more is to be done here.' : 'Nothing was charged. Start again at the store.'}</p>
      ${back && html`<p><a class="button primary" href="${back}">Back to the store</a></p>`}`,
    'page',
  )
}
