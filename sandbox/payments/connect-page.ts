import { Hono } from 'hono'
import { html } from 'hono/html'
import { formFields } from '../body.ts'
import { field, shopperPage } from '../pages/layout.ts'
import { closedBankAccount, enterBank, getAccount, type ConnectLedger, type StoredLink } from './connect-ledger.ts'
import { unixSeconds } from './ledger.ts'

/** The provider's page where a shop's owner submits bank details. One form without JavaScript. */
export function createConnectPage(connect: ConnectLedger): Hono {
  const app = new Hono()
  const isOpen = (link: StoredLink) => !link.isUsed && unixSeconds(connect.ledger.now()) < link.expiresAt

  app.get('/:token', (c) => {
    const link = connect.links.get(c.req.param('token'))
    if (link && isOpen(link)) return c.html(bankPage(getAccount(connect, link.account).bank?.last4 ?? null, null))
    return link?.refreshUrl ? c.redirect(link.refreshUrl, 303) : c.html(gonePage(), 404)
  })

  app.post('/:token', async (c) => {
    const token = c.req.param('token')
    const link = connect.links.get(token)
    if (!link || !isOpen(link)) return link?.refreshUrl ? c.redirect(link.refreshUrl, 303) : c.html(gonePage(), 404)
    const form = await formFields(c)
    const accountNumber = (form.get('account') ?? '').replaceAll(/\D/g, '')
    const routing = (form.get('routing') ?? '').replaceAll(/\D/g, '')
    if (routing.length !== 9 || accountNumber.length < 4 || accountNumber.length > 17)
      return c.html(bankPage(null, 'Enter a routing number of 9 digits, and an account number of 4 to 17.'), 422)
    connect.ledger.store.transaction(() => {
      connect.links.put(token, { ...link, isUsed: true })
      enterBank(connect, link.account, accountNumber)
    })
    if (link.returnUrl) return c.redirect(link.returnUrl, 303)
    return c.html(
      shopperPage(
        'Bank details',
        html`<h1>Saved</h1>
          <p>You can go back to the portal.</p>`,
        'page',
      ),
    )
  })
  return app
}

function bankPage(last4: string | null, fault: string | null) {
  return shopperPage(
    'Bank details',
    html`<h1>Where should we pay you?</h1>
      ${last4 === null ? '' : html`<p>Now: account ending in ${last4}.</p>`}
      <p class="muted">A test bank: routing 110000000, account 000123456789. Payouts to ${closedBankAccount} fail.</p>
      ${fault === null ? '' : html`<p class="error" role="alert">${fault}</p>`}
      <form method="post">
        ${field({ name: 'routing', label: 'Routing number', autocomplete: 'off', inputmode: 'numeric', value: '' })}
        ${field({ name: 'account', label: 'Account number', autocomplete: 'off', inputmode: 'numeric', value: '' })}
        <button class="button primary wide">Save bank details</button>
      </form>`,
    'page',
  )
}

function gonePage() {
  return shopperPage(
    'Bank details',
    html`<h1>This page has closed</h1>
      <p>Open it again in the portal.</p>`,
    'page',
  )
}
