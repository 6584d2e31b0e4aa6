import { Hono } from 'hono'
import { html } from 'hono/html'
import { newId } from '../ids.ts'
import { moment, page, stateTag, type Html } from '../pages/layout.ts'
import { buyerIdentity, buyerSecret, type Buyer, type BuyerVisit, type Notice } from './buyer.ts'
import { statusDocument } from './documents.ts'

/** Where the store posts its documents, and browsers bring carts back. */
function addDoors(app: Hono, buyer: Buyer): void {
  app.post('/cxml', async (c) => {
    const code = buyer.hear(await c.req.text())
    const body = statusDocument(code, { payloadId: newId('cxml_'), at: buyer.now() })
    return c.body(body, 200, { 'content-type': 'text/xml; charset=utf-8' })
  })
  app.post('/return', async (c) => {
    const fields = await c.req.parseBody()
    const encoded = fields['cxml-base64']
    const isTaken = typeof encoded === 'string' && buyer.takeBack(Buffer.from(encoded, 'base64').toString())
    return isTaken
      ? c.redirect('/buyer', 303)
      : c.html(page('Purchasing', html`<p class="error">This cart belongs to no visit.</p>`), 422)
  })
}

/** A buyer's page that opens the store, approves carts, and shows the store's messages. */
export function createBuyerBoard(buyer: Buyer): Hono {
  const app = new Hono()
  addDoors(app, buyer)
  app.get('/', (c) =>
    c.html(
      page(
        'Purchasing',
        html`${setup(buyer)}${visits(buyer.visits.list({ limit: 50 }))}${notices(buyer.notices.list({ limit: 100 }))}`,
      ),
    ),
  )
  app.post('/secret', async (c) => {
    const { secret } = await c.req.parseBody()
    if (typeof secret === 'string') buyer.keepSecret(secret.trim().slice(0, 200))
    return c.redirect('/buyer', 303)
  })
  app.post('/open', async (c) => {
    await buyer.open()
    return c.redirect('/buyer', 303)
  })
  app.post('/order/:cookie', async (c) => {
    await buyer.order(c.req.param('cookie'))
    return c.redirect('/buyer', 303)
  })
  return app
}

function setup(buyer: Buyer): Html {
  return html`<p>
      A company's purchasing system. In the store's office it is <code>${buyerIdentity.domain}</code>,
      <code>${buyerIdentity.identity}</code>; documents about its orders go to <code>/buyer/cxml</code> here with the
      secret <code>${buyerSecret}</code>.
    </p>
    <form method="post" action="/buyer/secret">
      <label for="secret">Secret that the store's staff issued${buyer.hasSecret() ? ' (kept)' : ''}</label>
      <input id="secret" name="secret" autocomplete="off" />
      <button class="button small">Keep</button>
    </form>
    <form method="post" action="/buyer/open"><button class="button">Open the store</button></form>`
}

function visits(all: BuyerVisit[]): Html {
  if (all.length === 0) return html`<p>No visit yet.</p>`
  return html`<h2>Visits</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Visit</th>
            <th scope="col">Lines</th>
            <th scope="col">Total</th>
            <th scope="col">State</th>
            <th scope="col">Next</th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            (visit) =>
              html`<tr>
                <td>${moment(Temporal.Instant.from(visit.startedAt))}<br /><code>${visit.orderId ?? ''}</code></td>
                <td>${lines(visit)}</td>
                <td>${visit.cart?.total ?? ''}</td>
                <td>${stateTag(visit.state)}<br />${visit.answer}</td>
                <td>${next(visit)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function lines({ cart }: BuyerVisit): string {
  return (cart?.lines ?? [])
    .map((line) => `${line['@quantity']} ${line.ItemID.SupplierPartID} at ${line.ItemDetail.UnitPrice.Money['#text']}`)
    .join(', ')
}

function next({ state, startUrl, cookie }: BuyerVisit): Html {
  if (state === 'open') return html`<a href="${startUrl}">Go shopping</a>`
  return state === 'returned'
    ? html`<form method="post" action="/buyer/order/${encodeURIComponent(cookie)}">
        <button class="button small">Approve and order</button>
      </form>`
    : html``
}

function notices(all: (Notice & { at: string })[]): Html {
  if (all.length === 0) return html``
  return html`<h2>From the store</h2>
    <ul>
      ${all.map(
        ({ kind, orderId, at }) =>
          html`<li>${moment(Temporal.Instant.from(at))}: ${kind} of <code>${orderId}</code></li>`,
      )}
    </ul>`
}
