/**
 * Tests the back office over HTTP: sign-in, each role's pages, and cookies. Over 400 lines: one table of permissions by
 * page.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { officePaths } from '#content/office-paths.ts'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'
import { inTurn } from '../../tools/rotation.testing.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
const shopper = createVisitor()
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  // The same person at the provider; an account all the same.
  await signInAt(store.origin, shopper, { email: 'owner@example.com', back: '/' })
})
afterAll(() => store[Symbol.asyncDispose]())

/** Every office page and its permission. */
const pages: Record<string, Permission> = {
  '/office': 'office.open',
  '/office/menu': 'office.open',
  '/office/counts': 'office.open',
  '/office/messages': 'requests.read',
  '/office/email-templates': 'requests.read',
  '/office/redirects': 'redirects.edit',
  '/office/redirects/edit': 'redirects.edit',
  '/office/payment-pages': 'payment-pages.read',
  '/office/payment-pages.pdf': 'payment-pages.read',
  '/office/messages/bounces': 'requests.read',
  '/office/messages/templates': 'requests.read',
  '/office/returns': 'returns.read',
  '/office/refunds': 'refunds.read',
  '/office/orders': 'orders.read',
  '/office/orders.csv': 'orders.export',
  '/office/download': 'office.open',
  '/office/search': 'office.open',
  '/office/search/found': 'office.open',
  '/office/views': 'office.open',
  '/office/account': 'office.open',
  '/office/quotes': 'quotes.write',
  '/office/quotes/new': 'quotes.write',
  '/office/appointments': 'orders.read',
  '/office/stored-sets': 'orders.read',
  '/office/customers': 'customers.read',
  '/office/customers/new': 'customers.edit',
  '/office/shops': 'shop-applications.read',
  '/office/shops/import': 'shops.edit',
  '/office/shops/new': 'shops.edit',
  '/office/setup': 'setup.read',
  '/office/rebates': 'promotions.read',
  '/office/suppliers': 'suppliers.read',
  '/office/warehouses': 'warehouses.read',
  '/office/companies': 'companies.read',
  '/office/certified-shops': 'certifications.read',
  '/office/branded-stores': 'branded-stores.read',
  '/office/held-orders': 'held-orders.read',
  '/office/charges': 'money.watch',
  '/office/disputes': 'disputes.read',
  '/office/health': 'health.read',
  '/office/reconciliation': 'reconciliation.read',
  '/office/reconciliation.csv': 'reconciliation.read',
  '/office/fraud-rules': 'fraud-rules.manage',
  '/office/price-rules': 'catalog.import',
  '/office/claims': 'claims.read',
  '/office/guarantees': 'guarantees.read',
  '/office/partners': 'partners.read',
  '/office/webhooks': 'webhooks.manage',
  '/office/webhooks/failed': 'webhooks.read',
  '/office/shop-applications': 'shop-applications.read',
  '/office/pickups': 'pickups.read',
  '/office/parcels': 'parcels.read',
  '/office/parcels/pick-list.pdf': 'parcels.read',
  '/office/manifests': 'parcels.read',
  '/office/shop-reports': 'shop-reports.read',
  '/office/recalls': 'recalls.read',
  '/office/tire-registrations': 'tire-registrations.read',
  '/office/reviews': 'reviews.read',
  '/office/staff': 'staff.read',
  '/office/audit': 'audit.read',
  '/office/reports': 'reports.read',
  '/office/reports.csv': 'reports.read',
  '/office/reports/entries': 'reports.read',
  '/office/settings': 'settings.read',
  '/office/business-settings': 'settings.read',
  '/office/shipping-rates': 'settings.read',
  '/office/content': 'content.edit',
  '/office/stock': 'stock.read',
  '/office/stock/purchase-orders': 'suppliers.read',
  '/office/stock/orders': 'suppliers.read',
  '/office/stock/returns': 'suppliers.read',
  '/office/stock/low': 'stock.read',
  '/office/promotions': 'promotions.read',
  '/office/promotions.csv': 'promotions.read',
  '/office/promotions/new': 'promotions.edit',
  '/office/coupons': 'promotions.read',
  '/office/coupons.csv': 'promotions.read',
  '/office/coupons/import': 'promotions.edit',
  '/office/rebates/import': 'promotions.edit',
  '/office/coupons/new': 'promotions.edit',
  '/office/shop-pay': 'pay.read',
  '/office/shop-pay-1099.csv': 'pay.read',
  '/office/api-clients': 'staff.manage',
  '/office/pay-matrix': 'pay.matrix',
  '/office/taxes': 'sales-tax.read',
  '/office/taxes/import': 'sales-tax.edit',
  '/office/sales-tax': 'sales-tax.read',
  '/office/sales-tax.csv': 'sales-tax.read',
  '/office/pay-later': 'promotions.read',
  '/office/map-prices': 'promotions.read',
  '/office/map-prices.csv': 'promotions.read',
  '/office/price-lists': 'price-lists.read',
  '/office/price-lists.csv': 'price-lists.read',
  '/office/catalog': 'catalog.read',
  '/office/catalog.csv': 'catalog.read',
  '/office/parts': 'catalog.read',
  '/office/parts/import': 'catalog.edit',
  '/office/tire-types': 'catalog.read',
  '/office/catalog/brands': 'catalog.read',
  '/office/catalog/brands/new': 'catalog.edit',
  '/office/imports': 'catalog.read',
  '/office/imports.csv': 'catalog.read',
  '/office/size-lists': 'catalog.read',
  '/office/competitor-prices': 'catalog.read',
  '/office/supplier-feeds': 'catalog.read',
  '/office/google-listings': 'catalog.read',
}
/** Pages that everyone can open, or that only receive forms, such as collapsing the sidebar. */
const doors = ['/office/first-owner', '/office/sign-in', '/office/sign-out', '/office/sidebar']
/** Routes with parameters, and the test that walks each with real rows. */
const walkedElsewhere: Record<string, string> = {
  '/office/staff/roles/:slug': 'staff-roles.test.ts',
  '/office/api-clients/:id': 'admin-api.test.ts',
  '/office/webhooks/:id': 'store-webhooks.test.ts',
  '/office/rebates/:id': 'rebates.test.ts',
  '/office/suppliers/:id': 'suppliers.test.ts',
  '/office/warehouses/:id': 'warehouses.test.ts',
  '/office/warehouses/:id/transit': 'warehouses.test.ts',
  '/office/warehouses/:id/transit.csv': 'warehouses.test.ts',
  '/office/warehouses/:id/closing': 'warehouses.test.ts',
  '/office/parts/:sku': 'parts.test.ts',
  '/office/tire-types/:level/:slug': 'tire-types.test.ts',
  '/office/taxes/:state': 'state-taxes.test.ts',
  '/office/queues/:queue': 'office-home.test.ts',
  '/office/reports/:report': 'office-reports.test.ts',
  '/office/orders/:orderId': 'office-order.test.ts',
  '/office/customers/:id': 'office-customers.test.ts',
  '/office/customers/:id/contact': 'customer-acts.test.ts',
  '/office/customers/:id/vehicle': 'customer-acts.test.ts',
  '/office/customers/:id/credit': 'customer-acts.test.ts',
  '/office/customers/:id/account-type': 'customer-acts.test.ts',
  '/office/customers/:id/documents/:document': 'customer-acts.test.ts',
  '/office/customers/:id/block': 'office-customers.test.ts',
  '/office/customers/:id/data.json': 'office-customers.test.ts',
  '/office/customers/:id/erase': 'office-customers.test.ts',
  '/office/customers/:id/merge': 'office-customers.test.ts',
  '/office/shops/:shopCode': 'office-shops.test.ts',
  '/office/shops/:shopCode/hours': 'office-shop-terms.test.ts',
  '/office/shops/:shopCode/area': 'office-shop-terms.test.ts',
  '/office/shops/:shopCode/prices': 'office-shop-terms.test.ts',
  '/office/export/:list': 'office-list-files.test.ts',
  '/office/bulk/:act': 'office-bulk.test.ts',
  '/office/orders/:orderId/emails/:messageId': 'office-order.test.ts',
  '/office/orders/:orderId/place': 'order-changes.test.ts',
  '/office/orders/:orderId/return': 'returns.test.ts',
  '/office/orders/:orderId/:act': 'office-order-acts.test.ts',
  '/office/certificates/:id/file': 'office-decisions.test.ts',
  '/office/companies/:id': 'office-decisions.test.ts',
  '/office/companies/:id/purchasing': 'cxml.test.ts',
  '/office/companies/:id/statement': 'office-decisions.test.ts',
  '/office/held-orders/:orderId': 'fraud.test.ts',
  '/office/charges/:paymentId': 'open-charges.test.ts',
  '/office/disputes/:number': 'disputes.test.ts',
  '/office/reconciliation/:provider/:day': 'disputes.test.ts',
  '/office/claims/:number': 'coverage-claims.test.ts',
  '/office/claims/:number/file': 'coverage-claims.test.ts',
  '/office/guarantees/:number': 'office-decisions.test.ts',
  '/office/guarantees/:number/file': 'office-decisions.test.ts',
  '/office/shop-applications/:number': 'shop-applications.test.ts',
  '/office/shop-applications/:number/picture': 'shop-applications.test.ts',
  '/office/pickups/:orderId': 'warehouse-pickups.test.ts',
  '/office/parcels/:id': 'parcels.test.ts',
  '/office/parcels/:id/:file': 'parcels.test.ts',
  '/office/manifests/:id': 'parcels.test.ts',
  '/office/manifests/:id/manifest.pdf': 'parcels.test.ts',
  '/office/orders/:orderId/packing-slips.pdf': 'parcels.test.ts',
  '/office/orders/packing-slips.pdf': 'parcels.test.ts',
  '/office/parcels/packing-slips.pdf': 'parcels.test.ts',
  '/office/parcels/labels.zpl': 'parcels.test.ts',
  '/office/orders/:orderId/photos/:booking/:kind': 'work-orders.test.ts',
  '/office/shop-reports/:number': 'work-orders.test.ts',
  '/office/shop-reports/:number/photo': 'work-orders.test.ts',
  '/office/tire-registrations/exports/:no': 'work-orders.test.ts',
  '/office/recalls/:campaign': 'recalls.test.ts',
  '/office/messages/:id': 'office-messages.test.ts',
  '/office/messages/:id/file': 'office-messages.test.ts',
  '/office/content/new': 'office-content.test.ts',
  '/office/content/:page': 'office-content.test.ts',
  '/office/content/:page/:version': 'office-content.test.ts',
  '/office/content/:page/:version/preview': 'office-content.test.ts',
  '/office/email-templates/:kind': 'email-templates.test.ts',
  '/office/shipping-rates/:kind/:id': 'business-settings.test.ts',
  '/office/quotes/:id': 'quotes.test.ts',
  '/office/returns/:id': 'returns.test.ts',
  '/office/returns/:id/photos/:no': 'returns.test.ts',
  '/office/returns/:id/labels.pdf': 'returns.test.ts',
  '/office/shop-pay/:shopCode': 'portal-pay.test.ts',
  '/office/shop-pay/:shopCode/disputes/:dispute/photo': 'portal-pay.test.ts',
  '/office/stock/:itemId': 'office-stock.test.ts',
  '/office/stock/purchase-orders/:id': 'office-stock.test.ts',
  '/office/stock/orders/:id': 'stock-orders.test.ts',
  '/office/stock/returns/:id': 'supplier-returns.test.ts',
  '/office/stock/orders/:id/receive': 'stock-orders.test.ts',
  '/office/stock/orders/:id/order.csv': 'stock-orders.test.ts',
  '/office/promotions/:key': 'office-promotions.test.ts',
  '/office/coupons/:id': 'office-coupons.test.ts',
  '/office/price-lists/:slug': 'office-coupons.test.ts',
  '/office/price-lists/:slug/:version': 'office-coupons.test.ts',
  '/office/price-lists/:slug/:version/rules.csv': 'office-coupons.test.ts',
  '/office/catalog/items/:id': 'office-catalog.test.ts',
  '/office/catalog/items/:id/edit': 'office-tires.test.ts',
  '/office/catalog/brands/:id/new-model': 'office-tires.test.ts',
  '/office/catalog/lines/:id/new-tire': 'office-tires.test.ts',
  '/office/catalog/brands/:id': 'office-catalog.test.ts',
  '/office/catalog/lines/:id': 'office-catalog.test.ts',
  '/office/imports/columns/:upload': 'office-imports.test.ts',
  '/office/imports/:id': 'office-imports.test.ts',
  '/office/size-lists/:slug': 'office-imports.test.ts',
  '/office/supplier-feeds/:id': 'supplier-feeds.test.ts',
  '/office/imports/:id/:file': 'office-imports.test.ts',
}

test('every route of the office is walked', () => {
  const known = routes.flatMap(({ path }) => (path !== undefined && /^office(\/|$)/.test(path) ? [`/${path}`] : []))
  expect(known.toSorted()).toEqual([...Object.keys(pages), ...doors, ...Object.keys(walkedElsewhere)].toSorted())
})

describe.for(inTurn(Object.entries(pages)))('%s', ([path, permission]) => {
  test.for(staffRoles)('as %s is open or refused as the table says', async (role) => {
    const permitted: readonly BuiltInRole[] = permissions[permission].roles
    const answer = await staff[role].ask(`${store.origin}${path}`)
    expect(answer.status).toBe(permitted.includes(role) ? 200 : 403)
    expectHidden(answer)
  })

  test('guests and shoppers are sent to sign in', async () => {
    expect(shopper.cookie('sw_session')).toBeDefined()
    for (const visitor of [createVisitor(), shopper]) {
      const answer = await visitor.ask(`${store.origin}${path}`)
      const back = path.endsWith('.csv') ? officePaths.officeDownload(path) : path
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`/office/sign-in?back=${encodeURIComponent(back)}`)
      expectHidden(answer)
    }
  })

  test('its data for scripts is guarded alike', async () => {
    const answer = await createVisitor().ask(`${store.origin}${path}.data`)
    expect(await answer.text()).not.toContain('example.com')
  })
})

test('what a form changes is permitted to who may, whatever the page showed', async () => {
  for (const role of staffRoles) {
    const answer = await staff[role].ask(`${store.origin}/office/staff`, {
      form: { intent: 'invite', email: `by-${role}@example.com`, role: 'support', lastDay: '' },
    })
    expect(answer.status, role).toBe(permits('staff.manage', role) ? 303 : 403)
  }
  const html = await (await staff.owner.ask(`${store.origin}/office/staff`)).text()
  expect(html).toContain('by-owner@example.com')
  expect(html).not.toContain('by-manager@example.com')
})

test('an office session isn’t a shopper account', async () => {
  const answer = await staff.owner.ask(`${store.origin}/account`)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/sign-in?back=%2Faccount')
  expect(staff.owner.cookie('sw_session')).toBeUndefined()
  expect(await (await staff.owner.ask(`${store.origin}/api/me`)).text()).not.toContain('owner@example.com')
})

test('each cookie works only for its own site, even if swapped', async () => {
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email: 'owner@example.com', back: '/' })
  const shopper = visitor.cookie('sw_session')?.value ?? ''
  const office = staff.owner.cookie('sw_office')?.value ?? ''
  const swapped = createVisitor()
  swapped.setCookie('localhost', 'sw_office', shopper)
  swapped.setCookie('localhost', 'sw_session', office)
  expect((await swapped.ask(`${store.origin}/office`)).status).toBe(303)
  expect((await swapped.ask(`${store.origin}/account`)).status).toBe(303)
})

test('the cookie is kept twelve hours, out of reach of page script', () => {
  expect(staff.owner.cookie('sw_office')?.attributes.split('; ').sort()).toEqual([
    'HttpOnly',
    'Max-Age=43200',
    'Path=/',
    'SameSite=Lax',
  ])
})

test.for([
  'x',
  '00000000-0000-4000-8000-000000000000.x',
  `00000000-0000-4000-8000-000000000000.${'x'.repeat(43)}`,
  "'; drop table office_session; --",
])('a forged cookie is rejected: %s', async (value) => {
  const visitor = createVisitor()
  visitor.setCookie('localhost', 'sw_office', encodeURIComponent(value))
  expect((await visitor.ask(`${store.origin}/office`)).status).toBe(303)
})

test('a session ID with another secret doesn’t work', async () => {
  const visitor = createVisitor()
  const [id] = (staff.owner.cookie('sw_office')?.value ?? '').split('.')
  visitor.setCookie('localhost', 'sw_office', `${id}.${'A'.repeat(43)}`)
  expect((await visitor.ask(`${store.origin}/office`)).status).toBe(303)
})

test('users without a role see a message and get no session or account', async () => {
  const visitor = createVisitor()
  const { url, response } = await signInToOffice(store.origin, visitor, { email: 'dana@example.com' })
  expect(url.pathname + url.search).toBe('/office/sign-in?problem=no-grant')
  expect(await response.text()).toContain('you have no role here')
  expect(visitor.cookie('sw_office')).toBeUndefined()
  expect(visitor.cookie('sw_session')).toBeUndefined()
})

test('an unverified invited email gets no access', async () => {
  const visitor = createVisitor()
  await staff.owner.ask(`${store.origin}/office/staff`, {
    form: { intent: 'invite', email: 'new@example.com', role: 'owner', lastDay: '' },
  })
  await registerAt(store.origin, visitor, 'New')
  const { url } = await visitor.follow(`${store.origin}/office/sign-in`, { form: { back: '/office' } })
  expect(url.pathname + url.search).toBe('/office/sign-in?problem=unverified')
  expect(visitor.cookie('sw_office')).toBeUndefined()
})

test('sign-in responses for shoppers don’t work for the office, or the reverse', async () => {
  const isLanding = ({ pathname }: URL) => pathname === '/api/sso-landing'
  const visitor = createVisitor()
  const asked = await visitor.follow(`${store.origin}/sign-in`, { form: { back: '/office' } })
  const action = new URL(await visitor.formAction(asked.response, '/login'), asked.url)
  const landed = await visitor.follow(action, {
    form: { email: 'owner@example.com', password: 'sidewall-demo' },
    stops: isLanding,
  })
  await visitor.ask(landed.url)
  expect(visitor.cookie('sw_session')).toBeDefined()
  expect(visitor.cookie('sw_office')).toBeUndefined()
  expect((await visitor.ask(`${store.origin}/office`)).status).toBe(303)
})

test('a foreign or repeated sign-in response gets no access', async () => {
  const [owner, other] = [createVisitor(), createVisitor()]
  const asked = await owner.follow(`${store.origin}/office/sign-in`, { form: { back: '/office' } })
  const action = new URL(await owner.formAction(asked.response, '/login'), asked.url)
  const landed = await owner.follow(action, {
    form: { email: 'support@example.com', password: 'sidewall-demo' },
    stops: ({ pathname }) => pathname === '/api/sso-landing',
  })
  expect((await other.ask(landed.url)).status).toBe(400)
  expect((await owner.ask(landed.url)).headers.get('location')).toBe('/office')
  const again = await owner.ask(landed.url)
  expect(again.status).toBe(303)
  expect(again.headers.get('location')).toBe('/office')
  expect(other.cookie('sw_office')).toBeUndefined()
})

test.for(['//evil.test', 'https://evil.test/', '/cart', '/office/../cart', '/officer'])(
  'the way in leads to pages of the office alone, not to %s',
  async (back) => {
    const { url } = await signInToOffice(store.origin, createVisitor(), { email: 'support@example.com', back })
    expect(url.href).toBe(`${store.origin}/office`)
  },
)

test('signing out ends the session itself; a link or a form of another site does not', async () => {
  const visitor = createVisitor()
  await signInToOffice(store.origin, visitor, { email: 'sales@example.com' })
  const kept = visitor.cookie('sw_office')?.value ?? ''
  await visitor.ask(`${store.origin}/office/sign-out`)
  await visitor.ask(`${store.origin}/office/sign-out`, { form: {}, headers: { origin: 'https://evil.test' } })
  expect((await visitor.ask(`${store.origin}/office`)).status).toBe(200)
  const out = await visitor.ask(`${store.origin}/office/sign-out`, { form: {} })
  expect(new URL(out.headers.get('location') ?? '').pathname).toBe('/identity/logout')
  expect(visitor.cookie('sw_office')).toBeUndefined()
  visitor.setCookie('localhost', 'sw_office', kept)
  expect((await visitor.ask(`${store.origin}/office`)).status).toBe(303)
})

test('a revoked user loses access immediately, with the reason in the log', async () => {
  const visitor = createVisitor()
  const { owner } = staff
  await signInToOffice(store.origin, visitor, { email: 'catalog@example.com' })
  const html = await (await owner.ask(`${store.origin}/office/staff`)).text()
  const grant = /<option value="([^"]+)">catalog@example\.com/.exec(html)?.[1] ?? ''
  const unsaid = await owner.ask(`${store.origin}/office/staff`, { form: { intent: 'revoke', grant, reason: ' ' } })
  expect(unsaid.status).toBe(422)
  expect(await unsaid.text()).toContain('Enter a reason')
  const done = await owner.ask(`${store.origin}/office/staff`, {
    form: { intent: 'revoke', grant, reason: 'Left <b>us</b>' },
  })
  expect(done.headers.get('location')).toBe('/office/staff?done=revoked')
  expect((await visitor.ask(`${store.origin}/office`)).status).toBe(303)
  const log = await (
    await owner.ask(`${store.origin}/office/audit?who=OWNER@example.com&what=staff.revoked&subject=catalog@example.com`)
  ).text()
  expect(log).toContain('Left &lt;b&gt;us&lt;/b&gt;')
  expect(log).toContain('Role catalog')
  const gone = await owner.ask(`${store.origin}/office/staff`, { form: { intent: 'revoke', grant, reason: 'again' } })
  expect(gone.status).toBe(409)
})

test('acts that ask for it want the password once more, when ten minutes are over', async () => {
  const visitor = createVisitor()
  await signInToOffice(store.origin, visitor, { email: 'owner@example.com' })
  const [id] = (visitor.cookie('sw_office')?.value ?? '').split('.')
  // Time cannot be waited for here.
  await store.database.db
    .updateTable('office_session')
    .set({ authenticated_at: Temporal.Now.instant().subtract({ minutes: 11 }) })
    .where('id', '=', id ?? '')
    .execute()
  const form = { intent: 'invite', email: 'late@example.com', role: 'support', lastDay: '' }
  const sent = await visitor.ask(`${store.origin}/office/staff`, { form })
  expect(sent.headers.get('location')).toBe('/office/sign-in?back=%2Foffice%2Fstaff&again=yes')
  expect(await (await visitor.ask(`${store.origin}/office/staff`)).text()).toContain('Sign in again')
  // The provider recognizes the session but requires the password.
  const { url } = await signInToOffice(store.origin, visitor, { back: '/office/staff', again: true })
  expect(url.pathname).toBe('/office/staff')
  expect((await visitor.ask(`${store.origin}/office/staff`, { form })).headers.get('location')).toBe(
    '/office/staff?done=invited',
  )
})

test.for([
  '/office/audit?from=2026-13-45',
  '/office/audit?before=-1&from=x',
  '/office/audit?before=99999999999999999999',
  '/office/audit?what=nothing&who=%27%3B--&subject=%25',
  `/office/audit?who=${'x'.repeat(2_000)}`,
  '/office/audit?from=%E2%80%8B&before=1e9',
  '/office/audit?from=0000-01-01',
  '/office/audit?from=9999-12-31',
])('whatever is searched for, the log answers: %s', async (path) => {
  expect((await staff.owner.ask(`${store.origin}${path}`)).status).toBe(200)
})

test.for([
  { intent: 'invite', email: 'x', role: 'owner', lastDay: '' },
  { intent: 'invite', email: 'a@example.com', role: 'emperor', lastDay: '' },
  { intent: 'invite', email: 'a@example.com', role: 'support', lastDay: '2026-02-31' },
  { intent: 'invite', email: 'a@example.com', role: 'support', lastDay: '2020-01-01' },
  { intent: 'invite', email: 'a@example.com', role: 'owner', lastDay: '2099-01-01' },
  { intent: 'invite', email: `${'a'.repeat(300)}@example.com`, role: 'support', lastDay: '' },
  { intent: 'revoke', grant: 'x', reason: 'y' },
  { intent: 'revoke', grant: '00000000-0000-7000-8000-d00000000001', reason: 'y'.repeat(501) },
])('what cannot be is refused with its words: %o', async (form) => {
  const answer = await staff.owner.ask(`${store.origin}/office/staff`, { form })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('Fix 1 field:')
})

test('Home lists open work by role, and hides what a role may not see', async () => {
  const contact = await createVisitor().ask(`${store.origin}/contact`, {
    form: {
      firstName: 'Ann',
      lastName: 'Asker',
      email: 'ann@example.org',
      phone: '3125550142',
      subject: contactSubjects[0],
      message: 'I would like to know where my order is.',
    },
  })
  expect(contact.status).toBe(303)
  const [support, finance] = await Promise.all(
    (['support', 'finance'] as const).map(async (role) => (await staff[role].ask(`${store.origin}/office`)).text()),
  )
  expect(support).toMatch(/<a class="office-queue-list"[^>]*>Messages to answer<\/a>/)
  expect(finance).not.toContain('Messages to answer')
  const messages = (role: 'support' | 'finance') => staff[role].ask(`${store.origin}/office/queues/requests`)
  expect(await (await messages('support')).text()).toContain(`Ann Asker: ${contactSubjects[0]}`)
  expect((await messages('finance')).status).toBe(403)
  expect(finance).not.toContain('Ann Asker')
  expect(finance).toMatch(/<details.*Tax certificates to check/s)
})

test('the back office is excluded from search engines', async () => {
  const answer = await createVisitor().ask(`${store.origin}/office/sign-in`)
  expectHidden(answer)
  expect(await answer.text()).toContain('content="noindex')
})

function permits(permission: Permission, role: BuiltInRole): boolean {
  const permitted: readonly BuiltInRole[] = permissions[permission].roles
  return permitted.includes(role)
}

function expectHidden(answer: Response): void {
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
}
