import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { moment, page, type Html } from '../pages/layout.ts'
import { nameOf, type Merchant, type StoredProduct } from './merchant.ts'

const shown = 200
const maxFaults = 1_000
const faultTexts = { 401: 'The token expired', 429: 'Too many calls', 503: 'Unavailable' } as const

/** The products of the store at Google, with buttons to disapprove one, and to let the next calls fail. */
export function createMerchantBoard(merchant: Merchant): Hono {
  const app = new Hono()
  app.get('/', (c) => c.html(page('Google Merchant Center', board(merchant.products.list({ limit: shown })))))
  app.get('/products.json', (c) => c.json({ products: merchant.products.list({ limit: 100_000 }) }))
  app.post('/products/:name', async (c) => {
    const product = merchant.products.get(c.req.param('name'))
    const disapproval = (await formFields(c)).get('disapproval') || null
    if (!product) return c.html(page('Google Merchant Center', html`<p>Product not found.</p>`), 404)
    merchant.products.put(nameOf(product), { ...product, disapproval })
    return c.redirect('/google', 303)
  })
  app.post('/faults', async (c) => {
    const fields = await formFields(c)
    const status = Number(fields.get('status'))
    const calls = Number(fields.get('calls'))
    if ((status !== 401 && status !== 429 && status !== 503) || !(calls >= 1 && calls <= maxFaults))
      return c.html(page('That did not work', html`<p>Choose an answer and a number of calls.</p>`), 422)
    merchant.addFaults({ status, retryAfter: fields.get('retryAfter') || null }, calls)
    return c.redirect('/google', 303)
  })
  return app
}

function board(products: StoredProduct[]): Html {
  return html`<p>Products that the store sends over the Merchant API. Reload to see new ones.</p>
    <form class="row" method="post" action="/google/faults">
      <label for="status">Next answers</label>
      <select id="status" name="status">
        ${Object.entries(faultTexts).map(([status, text]) => html`<option value="${status}">${text}</option>`)}
      </select>
      <label for="calls">Calls</label>
      <input id="calls" name="calls" inputmode="numeric" value="1" />
      <label for="retryAfter">Retry after seconds</label>
      <input id="retryAfter" name="retryAfter" inputmode="numeric" />
      <button class="button small">Fail</button>
    </form>
    ${
      products.length === 0
        ? html`<p>No products yet.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Product</th>
                  <th scope="col" class="num">Price</th>
                  <th scope="col">Sent</th>
                  <th scope="col">Disapproved because</th>
                </tr>
              </thead>
              <tbody>
                ${products.map(row)}
              </tbody>
            </table>
          </div>`
    }`
}

function row(product: StoredProduct): Html {
  const { attributes, offerId, updatedAt, disapproval } = product
  const { salePrice, price } = attributes
  const { amountMicros, currencyCode } = salePrice ?? price
  return html`<tr>
    <td><a href="${attributes.link}">${attributes.title}</a><br />${offerId}</td>
    <td class="num">${(Number(amountMicros) / 1_000_000).toFixed(2)} ${currencyCode}</td>
    <td>${moment(Temporal.Instant.from(updatedAt))}</td>
    <td>
      <form class="row" method="post" action="/google/products/${nameOf(product)}">
        <input name="disapproval" aria-label="Disapproved because" value="${disapproval ?? ''}" />
        <button class="button small">Save</button>
      </form>
    </td>
  </tr>`
}
