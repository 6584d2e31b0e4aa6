import { Hono } from 'hono'
import { html } from 'hono/html'
import { dollars, moment, page, stateTag, type Html } from '../pages/layout.ts'
import {
  authorizationsOf,
  capturesOf,
  refundsOf,
  type PayPalEvent,
  type PayPalLedger,
  type PayPalOrder,
} from './ledger.ts'
import { checkedAmount } from './requests.ts'

/** PayPal's records for viewing: all orders, and one with its payments, events and webhooks. */
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
    if (!order) return c.html(page('PayPal', html`<p>There is no such order.</p>`), 404)
    return c.html(
      page(
        `${order.wallet === 'venmo' ? 'Venmo' : 'PayPal'}, ${dollars(checkedAmount(order.unit))}`,
        detail(ledger, order),
      ),
    )
  })
  return app
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
