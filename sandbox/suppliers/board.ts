import { Hono } from 'hono'
import { html } from 'hono/html'
import { moment, page, stateTag, type Html } from '../pages/layout.ts'
import type { SupplierOrder, Suppliers } from './suppliers.ts'

/** The suppliers' page with every order and a button for its next step. `edi` is the server for their files. */
export function createSuppliersBoard(
  suppliers: Suppliers,
  edi: { port: number; username: string; fingerprint: string } | null,
): Hono {
  const app = new Hono()
  app.get('/', (c) => c.html(page('Suppliers', html`${ediText(edi)}${table(suppliers.orders.list({ limit: 200 }))}`)))
  app.get('/edi.json', (c) => c.json(edi && { port: edi.port, username: edi.username, fingerprint: edi.fingerprint }))
  app.get('/orders.json', (c) =>
    c.json({
      orders: suppliers.orders.list({ limit: 1_000 }),
      posts: suppliers.posts.list({ limit: 1_000 }).map(({ about, attempts, lastAnswer }) => ({
        about,
        attempts,
        lastAnswer,
      })),
    }),
  )
  app.post('/advance/:payloadId', (c) => {
    const order = suppliers.orders.get(c.req.param('payloadId'))
    if (!order) return c.html(page('Suppliers', html`<p>Order not found.</p>`), 404)
    suppliers.advance(order)
    return c.redirect('/suppliers', 303)
  })
  return app
}

function ediText(edi: Parameters<typeof createSuppliersBoard>[1]): Html {
  return edi === null
    ? html``
    : html`<p>
        EDI files: <code>sftp://localhost:${edi.port}/SUPPLIER</code>, user name <code>${edi.username}</code>, key
        <code>${edi.fingerprint}</code>. Use the supplier’s identity as the folder.
      </p>`
}

const nextStep: Partial<Record<SupplierOrder['state'], string>> = { taken: 'Answer', accepted: 'Ship' }

function table(orders: SupplierOrder[]): Html {
  if (orders.length === 0) return html`<p>No order yet.</p>`
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Supplier</th>
          <th scope="col">Units</th>
          <th scope="col">For</th>
          <th scope="col">State</th>
          <th scope="col">Next</th>
        </tr>
      </thead>
      <tbody>
        ${orders.map(
          (order) =>
            html`<tr>
              <td><code>${order.orderId}</code><br />${moment(Temporal.Instant.from(order.receivedAt))}</td>
              <td>${order.supplier}</td>
              <td>${order.lines.map(({ sku, quantity }) => `${quantity} ${sku}`).join(', ')}</td>
              <td>${order.name}</td>
              <td>${stateTag(order.state)}</td>
              <td>${next(order)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function next({ state, payloadId, orderId }: SupplierOrder): Html {
  const words = nextStep[state]
  return words === undefined
    ? html``
    : html`<form method="post" action="/suppliers/advance/${encodeURIComponent(payloadId)}">
        <button class="button small" aria-label="${words} ${orderId}">${words}</button>
      </form>`
}
