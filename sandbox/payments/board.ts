import { Hono } from 'hono'
import { html } from 'hono/html'
import { dollars, page, stateTag, unixMoment, type Html } from '../pages/layout.ts'
import { formFields } from '../body.ts'
import { decideDispute, openDispute, warnOfFraud } from './disputes.ts'
import type { Ledger, StoredEvent, StoredIntent } from './ledger.ts'

/**
 * The provider's list of payments, and a payment with its refunds, events, and webhooks. Payments can be disputed here.
 */
export function createPaymentsBoard(ledger: Ledger): Hono {
  const app = new Hono()

  app.get('/', (c) => {
    const intents = ledger.intents.list({ limit: 200 })
    return c.html(
      page(
        'Payments',
        intents.length === 0 ? html`<p>No payment yet. Pay for something in the store.</p>` : table(intents),
      ),
    )
  })

  app.get('/:id', (c) => {
    const stored = ledger.intents.get(c.req.param('id'))
    if (!stored) return c.html(page('Payments', html`<p>Payment not found.</p>`), 404)
    const { intent, card } = stored
    const refunds = ledger.refunds.list({ limit: 10_000 }).filter(({ refund }) => refund.payment_intent === intent.id)
    const events = ledger.events.list({ limit: 10_000 }).filter((event) => isAbout(event, intent.id))
    return c.html(
      page(
        `Payment of ${dollars(intent.amount)}`,
        html`<dl>
            <dt>Payment</dt>
            <dd><code>${intent.id}</code></dd>
            <dt>State</dt>
            <dd>${stateTag(intent.status)}</dd>
            <dt>Card</dt>
            <dd>${card ? `${card.brand} ending in ${card.last4}` : 'none yet'}</dd>
            <dt>Capturable</dt>
            <dd>${dollars(intent.amount_capturable)}</dd>
            <dt>Captured</dt>
            <dd>${dollars(intent.amount_received)}</dd>
            <dt>Last refusal</dt>
            <dd>${intent.last_payment_error?.message ?? 'none'}</dd>
            <dt>Description</dt>
            <dd>${intent.description ?? 'none'}</dd>
            <dt>Metadata</dt>
            <dd><code>${JSON.stringify(intent.metadata)}</code></dd>
          </dl>
          <h2>Refunds</h2>
          ${
            refunds.length === 0
              ? html`<p>None.</p>`
              : html`<ul>
                  ${refunds.map(({ refund }) => html`<li>${dollars(refund.amount)} ${stateTag(refund.status ?? '')} <code>${refund.id}</code></li>`)}
                </ul>`
          }
          <h2>Disputes</h2>
          ${disputeForms(ledger, intent)}
          <h2>Events and their webhooks</h2>
          ${eventTable(ledger, events)}`,
      ),
    )
  })

  app.post('/:id/dispute', async (c) => {
    const id = c.req.param('id')
    const form = await formFields(c)
    ledger.store.transaction(() => {
      const { act = '', dispute = '' } = Object.fromEntries(form)
      if (act === 'dispute') openDispute(ledger, id, form.get('reason') || undefined)
      else if (act === 'warn') warnOfFraud(ledger, id)
      else if (act === 'won' || act === 'lost') decideDispute(ledger, null, dispute, act)
    })
    return c.redirect(`/payments/${id}`, 303)
  })
  return app
}

/** What cardholders and banks do about a captured payment. */
function disputeForms(ledger: Ledger, intent: StoredIntent['intent']): Html {
  const dispute = ledger.disputes.list({ limit: 10_000 }).find(({ payment_intent: of }) => of === intent.id)
  if (!dispute)
    return intent.status === 'succeeded'
      ? html`<form method="post" action="/payments/${intent.id}/dispute">
          <label
            >Reason
            <select name="reason">
              ${['fraudulent', 'product_not_received', 'product_unacceptable', 'duplicate', 'general'].map((reason) => html`<option>${reason}</option>`)}
            </select>
          </label>
          <button class="button" name="act" value="dispute">Dispute this payment</button>
          <button class="button" name="act" value="warn">Warn of fraud</button>
        </form>`
      : html`<p>Only a captured payment is disputed.</p>`
  const evidence = Object.entries(dispute.evidence).filter(([, value]) => typeof value === 'string')
  return html`<p>${dollars(dispute.amount)} ${stateTag(dispute.status)} ${dispute.reason} <code>${dispute.id}</code></p>
    ${
      evidence.length === 0
        ? html`<p>No evidence yet.</p>`
        : html`<dl>
            ${evidence.map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${String(value)}</dd>`,
            )}
          </dl>`
    }
    ${
      dispute.status === 'won' || dispute.status === 'lost'
        ? ''
        : html`<form method="post" action="/payments/${intent.id}/dispute">
            <input type="hidden" name="dispute" value="${dispute.id}" />
            <button class="button" name="act" value="won">The store wins</button>
            <button class="button" name="act" value="lost">The store loses</button>
          </form>`
    }`
}

function table(intents: StoredIntent[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Payment</th>
          <th scope="col" class="num">Amount</th>
          <th scope="col" class="num">Captured</th>
          <th scope="col">State</th>
          <th scope="col">Card</th>
        </tr>
      </thead>
      <tbody>
        ${intents.map(
          ({ intent, card }) =>
            html`<tr>
              <td>${unixMoment(intent.created)}</td>
              <td>
                <a href="/payments/${intent.id}"><code>${intent.id}</code></a>
              </td>
              <td class="num">${dollars(intent.amount)}</td>
              <td class="num">${dollars(intent.amount_received)}</td>
              <td>${stateTag(intent.status)}</td>
              <td>${card ? `${card.brand} ${card.last4}` : ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function eventTable(ledger: Ledger, events: StoredEvent[]): Html {
  const deliveries = Map.groupBy(ledger.deliveries.list('payments'), ({ about }) => about)
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Event</th>
          <th scope="col">Webhooks</th>
        </tr>
      </thead>
      <tbody>
        ${events.map(
          (event) =>
            html`<tr>
              <td>${unixMoment(event.created)}</td>
              <td>${event.type}<br /><code>${event.id}</code></td>
              <td>
                ${(deliveries.get(event.id) ?? []).map(
                  ({ state, attempts, lastAnswer }) =>
                    html`<div>${stateTag(state)} tried ${attempts} times, last answer: ${lastAnswer ?? 'none'}</div>`,
                )}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function isAbout(event: StoredEvent, intentId: string): boolean {
  const { object } = event.data
  if (typeof object !== 'object' || object === null) return false
  return Reflect.get(object, 'id') === intentId || Reflect.get(object, 'payment_intent') === intentId
}
