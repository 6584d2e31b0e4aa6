import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { dollars, shopperPage, type Html } from '../pages/layout.ts'
import { fundings, type Funding, type PayPalLedger, type PayPalOrder } from './ledger.ts'
import { approveOrder } from './orders.ts'
import { checkedAmount, readCents } from './requests.ts'

/** The page where the shopper approves an order or returns to the store. One form without JavaScript. */
export function createApprovalPage(ledger: PayPalLedger): Hono {
  const app = new Hono()

  app.get('/', (c) => {
    const order = ledger.orders.get(c.req.query('token') ?? '')
    if (order?.status !== 'PAYER_ACTION_REQUIRED') return c.html(closedPage(order), order ? 200 : 404)
    return c.html(openPage(order))
  })

  app.post('/', async (c) => {
    const order = ledger.orders.get(c.req.query('token') ?? '')
    if (order?.status !== 'PAYER_ACTION_REQUIRED') return c.html(closedPage(order), order ? 200 : 404)
    const form = await formFields(c)
    const funding = form.get('funding') ?? 'balance'
    if (form.get('act') === 'cancel')
      return order.cancelUrl === null
        ? c.html(leftPage('You went back', "You didn't approve the payment."))
        : c.redirect(withToken(order.cancelUrl, { token: order.id }), 303)
    const approved = ledger.store.transaction(() =>
      approveOrder(ledger, order.id, isFunding(funding) ? funding : 'balance'),
    )
    if (form.get('act') === 'vanish' || approved.returnUrl === null)
      return c.html(leftPage('Approved', 'You closed this page before going back to the store.'))
    return c.redirect(withToken(approved.returnUrl, { token: order.id, PayerID: payerId }), 303)
  })
  return app
}

const payerId = 'QYR5Z8XDVJNXQ'

function isFunding(text: string): text is Funding {
  return Object.hasOwn(fundings, text)
}

/** PayPal adds what it calls the order to the store's address. */
function withToken(address: string, given: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value)
  return url.href
}

function openPage({ unit, wallet }: PayPalOrder): Html {
  const total = dollars(checkedAmount(unit))
  const { full_name: name } = unit.shipping?.name ?? {}
  const address = unit.shipping?.address
  return shopperPage(
    wallet === 'venmo' ? 'Venmo' : 'PayPal',
    html`<h1>${wallet === 'venmo' ? 'Venmo' : 'PayPal'}: ${total}</h1>
      ${
        unit.items &&
        html`<div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col" class="num">Quantity</th>
                <th scope="col" class="num">Each</th>
              </tr>
            </thead>
            <tbody>
              ${unit.items.map(
                (item) =>
                  html`<tr>
                    <td>${item.name}</td>
                    <td class="num">${item.quantity}</td>
                    <td class="num">${dollars(readCents(item.unit_amount, 'items', 0))}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`
      }
      ${
        address &&
        html`<p class="muted">
          Goes to ${name}, ${address.address_line_1}, ${address.admin_area_2}, ${address.admin_area_1}
          ${address.postal_code}
        </p>`
      }
      <form method="post">
        <div class="field">
          <label for="funding">Pay with</label>
          <select id="funding" name="funding">
            ${Object.entries(fundings).map(([value, words]) => html`<option value="${value}">${words}</option>`)}
          </select>
        </div>
        <button class="button primary wide" name="act" value="approve">Continue to review the order</button>
        <p><button class="button" name="act" value="vanish">Approve and close this page</button></p>
        <p><button class="button" name="act" value="cancel">Cancel and go back to the store</button></p>
      </form>`,
    'page',
  )
}

function leftPage(title: string, words: string): Html {
  return shopperPage(
    'PayPal',
    html`<h1>${title}</h1>
      <p>${words}</p>`,
    'page',
  )
}

function closedPage(order: PayPalOrder | undefined): Html {
  if (!order) return leftPage('Order not found', 'Start again at the store.')
  const isGood = order.status !== 'VOIDED'
  const back = isGood ? order.returnUrl : order.cancelUrl
  return shopperPage(
    'PayPal',
    html`<h1>${isGood ? 'This has been approved' : 'This payment page has closed'}</h1>
      ${back && html`<p><a class="button primary" href="${withToken(back, { token: order.id })}">Back to the store</a></p>`}`,
    'page',
  )
}
