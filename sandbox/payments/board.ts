import { Hono } from 'hono'
import { html } from 'hono/html'
import { dollars, page, stateTag, unixMoment, type Html } from '../pages/layout.ts'
import type { Ledger, StoredEvent, StoredIntent } from './ledger.ts'

/** The provider's records for viewing: all payments, and one with its refunds, events and webhooks. */
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
    if (!stored) return c.html(page('Payments', html`<p>There is no such payment.</p>`), 404)
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
          <h2>Events and their webhooks</h2>
          ${eventTable(ledger, events)}`,
      ),
    )
  })
  return app
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
