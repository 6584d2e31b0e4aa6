import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { dollars, field, moment, page, stateTag, type Html } from '../pages/layout.ts'
import {
  availableCents,
  capturedCents,
  statuses,
  type Customer,
  type NetTermsLedger,
  type NetTermsOrder,
  type Status,
} from './ledger.ts'
import { decide, notesOf } from './orders.ts'

/** Resolve's customers with an editable status, and orders with review decisions. Works without JavaScript. */
export function createNetTermsBoard(ledger: NetTermsLedger): Hono {
  const app = new Hono()
  app.get('/', (c) => c.html(page('Resolve', html`${customers(ledger)}${orders(ledger)}`)))
  app.get('/customers/:id', (c) => {
    const one = ledger.customers.get(c.req.param('id'))
    return one
      ? c.html(page(one.name, customerForm(one)))
      : c.html(page('Resolve', html`<p>Customer not found.</p>`), 404)
  })
  app.post('/customers/:id', async (c) => {
    const one = ledger.customers.get(c.req.param('id'))
    const fields = await formFields(c)
    const status = fields.get('status') ?? ''
    const line = Number(fields.get('line'))
    if (!one || !isStatus(status) || !Number.isFinite(line) || line < 0 || line > 10_000_000)
      return c.html(page('That did not work', html`<p>Choose a status and a line in dollars.</p>`), 422)
    ledger.customers.put(one.id, { ...one, status, approvedCents: Math.round(line * 100) })
    return c.redirect('/resolve', 303)
  })
  app.get('/orders/:id', (c) => {
    const order = ledger.orders.get(c.req.param('id'))
    return order
      ? c.html(page(`Resolve, ${dollars(order.authorizedCents)}`, orderDetail(ledger, order)))
      : c.html(page('Resolve', html`<p>Order not found.</p>`), 404)
  })
  app.post('/orders/:id', async (c) => {
    const order = ledger.orders.get(c.req.param('id'))
    const answer = (await formFields(c)).get('answer')
    if (!order || (answer !== 'authorized' && answer !== 'declined'))
      return c.html(page('That did not work', html`<p>Choose an answer.</p>`), 422)
    ledger.store.transaction(() => decide(ledger, order, answer))
    return c.redirect(`/resolve/orders/${order.id}`, 303)
  })
  return app
}

function isStatus(text: string): text is Status {
  return text in statuses
}

function customers(ledger: NetTermsLedger): Html {
  return html`<h2>Customers</h2>
    <p>A company buys on these terms once its page in the office has the ID of one.</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Customer</th>
            <th scope="col">ID</th>
            <th scope="col">Status</th>
            <th scope="col" class="num">Available</th>
          </tr>
        </thead>
        <tbody>
          ${ledger.customers.list({ limit: 200 }).map(
            (one) =>
              html`<tr>
                <td><a href="/resolve/customers/${one.id}">${one.name}</a></td>
                <td><code>${one.id}</code></td>
                <td>${stateTag(one.status)}</td>
                <td class="num">${dollars(availableCents(ledger, one))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function customerForm(one: Customer): Html {
  return html`<form method="post">
    <div class="field">
      <label for="status">Status</label>
      <select id="status" name="status">
        ${Object.entries(statuses).map(([value, words]) =>
          value === one.status
            ? html`<option value="${value}" selected>${words}</option>`
            : html`<option value="${value}">${words}</option>`,
        )}
      </select>
    </div>
    ${field({ name: 'line', label: 'Line in dollars', autocomplete: 'off', value: String(one.approvedCents / 100), maxlength: 12 })}
    <button class="button primary">Save</button>
  </form>`
}

function orders(ledger: NetTermsLedger): Html {
  const all = ledger.orders.list({ limit: 200 })
  if (all.length === 0)
    return html`<h2>Orders</h2>
      <p>None yet.</p>`
  return html`<h2>Orders</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Order</th>
            <th scope="col">PO number</th>
            <th scope="col" class="num">Amount</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            (order) =>
              html`<tr>
                <td>${moment(Temporal.Instant.from(order.createdAt))}</td>
                <td>
                  <a href="/resolve/orders/${order.id}"><code>${order.id}</code></a>
                </td>
                <td>${order.poNumber ?? ''}</td>
                <td class="num">${dollars(order.authorizedCents)}</td>
                <td>${stateTag(order.status)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function orderDetail(ledger: NetTermsLedger, order: NetTermsOrder): Html {
  const deliveries = ledger.deliveries.list('resolve').filter(({ about }) => about === order.id)
  return html`<dl>
      <dt>Order</dt>
      <dd><code>${order.id}</code></dd>
      <dt>State</dt>
      <dd>${stateTag(order.status)}</dd>
      <dt>Store’s number</dt>
      <dd>${order.number ?? 'none'}</dd>
      <dt>PO number</dt>
      <dd>${order.poNumber ?? 'none'}</dd>
      <dt>Captured</dt>
      <dd>${dollars(capturedCents(order))}, ${dollars(order.canceledCents)} canceled</dd>
      ${order.captures.flatMap(({ invoiceId }) =>
        notesOf(ledger, { invoiceId }).map(
          (note) =>
            html`<dt>Credit note</dt>
              <dd>${dollars(note.cents)} <code>${note.number}</code></dd>`,
        ),
      )}
      ${deliveries.map(
        ({ type, state, attempts, lastAnswer }) =>
          html`<dt>Webhook ${type}</dt>
            <dd>${stateTag(state)} tried ${attempts} times, last answer: ${lastAnswer ?? 'none'}</dd>`,
      )}
    </dl>
    ${
      order.status === 'pending'
        ? html`<form method="post" class="row">
            <button class="button primary" name="answer" value="authorized">Authorize</button>
            <button class="button" name="answer" value="declined">Decline</button>
          </form>`
        : ''
    }`
}
