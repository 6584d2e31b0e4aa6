import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { dollars, moment, page, stateTag, type Html } from '../pages/layout.ts'
import { decideDispute, disputeReasons, openDispute } from './disputes.ts'
import {
  authorizationsOf,
  capturesOf,
  refundsOf,
  type PayPalEvent,
  type PayPalLedger,
  type PayPalOrder,
} from './ledger.ts'
import { checkedAmount } from './requests.ts'

/** PayPal's read-only list of orders, and an order with its payments, events, and webhooks. */
export function createPayPalBoard(ledger: PayPalLedger): Hono {
  const app = new Hono()

  app.get('/', (c) => {
    const orders = ledger.orders.list({ limit: 200 })
    return c.html(
      page('PayPal', orders.length === 0 ? html`<p>No order yet. Pay with PayPal in the store.</p>` : table(orders)),
    )
  })

  app.get('/orders/:id', (c) => {
    const order = ledger.orders.get(c.req.param('id'))
    if (!order) return c.html(page('PayPal', html`<p>Order not found.</p>`), 404)
    return c.html(
      page(
        `${order.wallet === 'venmo' ? 'Venmo' : 'PayPal'}, ${dollars(checkedAmount(order.unit))}`,
        detail(ledger, order),
      ),
    )
  })
  app.post('/orders/:id/dispute', async (c) => {
    const id = c.req.param('id')
    const form = await formFields(c)
    ledger.store.transaction(() => {
      const { act = '', of = '', reason = '' } = Object.fromEntries(form)
      if (act === 'dispute') openDispute(ledger, of, { reason, channel: 'INTERNAL' })
      else if (act === 'chargeback') openDispute(ledger, of, { reason, channel: 'EXTERNAL' })
      else if (act === 'won') decideDispute(ledger, of, 'RESOLVED_SELLER_FAVOUR')
      else if (act === 'lost') decideDispute(ledger, of, 'RESOLVED_BUYER_FAVOUR')
    })
    return c.redirect(`/paypal/orders/${id}`, 303)
  })
  return app
}

/** What payers, their banks and PayPal do about a capture. */
function disputeForms(ledger: PayPalLedger, orderId: string, captureId: string): Html {
  const dispute = ledger.disputes.list({ limit: 10_000 }).find((one) => one.captureId === captureId)
  if (!dispute)
    return html`<form method="post" action="/paypal/orders/${orderId}/dispute">
      <input type="hidden" name="of" value="${captureId}" />
      <label
        >Reason
        <select name="reason">
          ${disputeReasons.map((reason) => html`<option>${reason}</option>`)}
        </select>
      </label>
      <button class="button" name="act" value="dispute">Dispute at PayPal</button>
      <button class="button" name="act" value="chargeback">Charge back at the bank</button>
    </form>`
  const { id, cents, status, reason, evidences, files } = dispute
  return html`<p>${dollars(cents)} ${stateTag(status)} ${reason} <code>${id}</code></p>
    <p>
      ${evidences.length === 0 ? 'No evidence yet.' : `${evidences.length} pieces of evidence`}
      ${files.map(({ name, type, size }) => html`<br />${name}, ${type}, ${size} bytes`)}
    </p>
    ${
      status === 'RESOLVED'
        ? ''
        : html`<form method="post" action="/paypal/orders/${orderId}/dispute">
            <input type="hidden" name="of" value="${id}" />
            <button class="button" name="act" value="won">The store wins</button>
            <button class="button" name="act" value="lost">The store loses</button>
          </form>`
    }`
}

function detail(ledger: PayPalLedger, order: PayPalOrder): Html {
  const events = ledger.events.list({ limit: 10_000 }).filter((event) => JSON.stringify(event).includes(order.id))
  return html`<dl>
      <dt>Order</dt>
      <dd><code>${order.id}</code></dd>
      <dt>State</dt>
      <dd>${stateTag(order.status)}</dd>
      <dt>Store’s invoice</dt>
      <dd>${order.unit.invoice_id ?? 'none'}</dd>
      ${authorizationsOf(ledger, order.id).map(
        (one) =>
          html`<dt>${one.parentId === null ? 'Authorization' : 'Authorization, renewed'}</dt>
            <dd>
              ${dollars(one.cents)} ${stateTag(one.status)} <code>${one.id}</code> until
              ${moment(Temporal.Instant.from(one.expiresAt))}
            </dd>`,
      )}
      ${capturesOf(ledger, order.id).map(
        (one) =>
          html`<dt>Captured</dt>
            <dd>${dollars(one.cents)}, ${dollars(one.refundedCents)} refunded <code>${one.id}</code></dd>`,
      )}
      ${refundsOf(ledger, order.id).map(
        (one) =>
          html`<dt>Refund</dt>
            <dd>${dollars(one.cents)} <code>${one.id}</code></dd>`,
      )}
    </dl>
    <h2>Disputes</h2>
    ${capturesOf(ledger, order.id).map(({ id }) => disputeForms(ledger, order.id, id))}
    <h2>Events and their webhooks</h2>
    ${eventTable(ledger, events)}`
}

function table(orders: PayPalOrder[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Order</th>
          <th scope="col" class="num">Amount</th>
          <th scope="col">State</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        ${orders.map(
          (order) =>
            html`<tr>
              <td>${moment(Temporal.Instant.from(order.createdAt))}</td>
              <td>
                <a href="/paypal/orders/${order.id}"><code>${order.id}</code></a>
              </td>
              <td class="num">${dollars(checkedAmount(order.unit))}</td>
              <td>${stateTag(order.status)}</td>
              <td>${order.wallet}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function eventTable(ledger: PayPalLedger, events: PayPalEvent[]): Html {
  const deliveries = Map.groupBy(ledger.deliveries.list('paypal'), ({ about }) => about)
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
              <td>${moment(Temporal.Instant.from(event.create_time))}</td>
              <td>${event.event_type}<br /><code>${event.id}</code></td>
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
