/**
 * The query parameters each page reads. All others, from made-up names to ad tracking, are dropped before a page is
 * rendered or looked up in the page cache: they can neither fill the cache nor leak from one visitor's address into
 * another's page.
 */
import { LRUCache } from 'lru-cache'
import { matchRoutes } from 'react-router'
import { listQueryNames } from '#app/office/list-address.ts'
import { officeListDefinitions } from '#app/office/lists.server.ts'
import { anyOf, onlyIf, questions, thresholdFacets } from '#domain/catalog/catalog/catalog.ts'

const listing = [...anyOf, ...thresholdFacets, ...onlyIf, 'min', 'max', 'sort', 'size', 'page', 'after']
const sizeListing = ['rear', ...listing]
const reviews = ['stars', 'sort', 'vehicle', 'after']
const product = ['rear', 'quantity']
/** An order is opened by a key from an email or by one from an order lookup, a receipt by one from its page. */
const order = ['order', 'key', 'look']

/** The filters of any list, and its selected rows. */
const exported = [...new Set(officeListDefinitions.flatMap(listQueryNames)), 'order', 'back', 'all']

const reports = ['month', 'from', 'to', 'compare', 'state', 'shop', 'type']

/** By a page's pattern in app/routes.ts. Null: every parameter a third party sends. */
const ownParameters: Readonly<Record<string, readonly string[] | null>> = {
  '/': ['by'],
  zip: ['back'],
  'office/stock/:itemId': ['done'],
  'office/stock/purchase-orders/:id': ['done'],
  'office/stock/orders/:id': ['done'],
  'office/stock/returns/:id': ['done'],
  'office/quotes/:id': ['done', 'q', 'v'],
  find: [
    'by',
    'year',
    'make',
    'model',
    'trim',
    ...['', 'rear-'].flatMap((side) => [`${side}width`, `${side}ratio`, `${side}rim`]),
    'size',
    'brand',
    'line',
  ],
  'finder/size': ['size'],
  'fitment/confirmation': ['vehicle', 'back'],
  search: ['q'],
  'search/suggestions': ['q'],
  'vehicles/:make/:model': ['year'],
  'vehicles/:make/:model/:year': ['trim', 'fitment', ...listing],
  'tire-sizes': ['height'],
  'tire-sizes/:size': sizeListing,
  'tire-sizes/:size/categories/:category': sizeListing,
  'tire-sizes/:size/types/:type': sizeListing,
  'tire-sizes/:size/brands/:brand': sizeListing,
  'tire-sizes/:size/brands/:brand/types/:type': sizeListing,
  'tire-sizes/:size/brands/:brand/categories/:category': sizeListing,
  'tire-sizes/diameter/:rim': listing,
  'brands/:brand': listing,
  'brands/:brand/types/:type': listing,
  'brands/:brand/categories/:category': listing,
  'types/:type': listing,
  'categories/:category': listing,
  'brands/:brand/:productLine': product,
  'brands/:brand/:productLine/p': product,
  'brands/:brand/:productLine/p/:itemId': product,
  'learn/tire-basics/how-to-read-a-sidewall': ['size'],
  'learn/tire-news-information/tire-dictionary': ['q'],
  'brands/:brand/:productLine/reviews': reviews,
  'brands/:brand/:productLine/write-a-review': ['written', 'order', 'key'],
  'tire-reviews/:section': reviews,
  'tire-deals': ['brand'],
  'tire-shops': ['zip'],
  'tire-shops/shop/:shopName/:shopCode': ['zip'],
  compare: ['items'],
  recommendations: ['size', 'rear', 'vehicle', ...Object.keys(questions)],
  'shipping-cost': ['item', 'quantity'],
  warranties: ['item'],
  'help-center': ['q'],
  'stop-mails': ['of'],
  'email-preferences': ['of'],
  'coverage-claim/thanks': ['claim'],
  'price-guarantee/thanks': ['request'],
  'appointment/:token': ['show', 'day', 'to', 'shop', 'done'],
  'book-service': ['shop', 'service', 'units', 'day'],
  'book-time': ['item', 'rear', 'shop', 'slot'],
  'checkout/shipping': ['tab', 'sort', 'saturday', 'shop', 'day', 'refused'],
  'checkout/payments/return': ['payment'],
  'checkout/payments': ['canceled'],
  'checkout/payments/:type': ['canceled', 'unconfirmed'],
  'checkout/order-confirmation': order,
  'checkout/order-confirmation/calendar.ics': order,
  'checkout/confirm-order/:orderId': order,
  'office/first-owner': ['key'],
  'office/sign-in': ['back', 'again', 'problem'],
  'office/fraud-rules': ['rule', 'kind', 'done'],
  'office/price-rules': ['rule', 'done'],
  'office/partners': ['done'],
  'office/pay-later': ['done'],
  'office/pay-matrix': ['done'],
  'office/pickups': ['q'],
  'office/parcels/:id': ['done'],
  'office/manifests/:id': ['done'],
  'office/orders/packing-slips.pdf': ['orders'],
  'office/parcels/pick-list.pdf': ['warehouse'],
  'office/parcels/packing-slips.pdf': ['parcels'],
  'office/parcels/labels.zpl': ['parcels'],
  'office/reconciliation': ['from', 'to'],
  'office/business-settings': ['before', 'done'],
  'office/shipping-rates': ['before', 'done', 'version'],
  'office/taxes/:state': ['done'],
  'office/sales-tax': ['after', 'before', 'file', 'done'],
  'office/setup': ['done'],
  'office/staff': ['done'],
  'office/staff/roles/:slug': ['done'],
  'office/api-clients/:id': ['done'],
  'office/webhooks/:id': ['done', 'before'],
  'office/rebates/:id': ['done'],
  'office/suppliers/:id': ['done'],
  'office/warehouses/:id': ['done'],
  'office/warehouses/:id/closing': ['done'],
  'office/parts/:sku': ['done', 'kind'],
  'office/tire-types/:level/:slug': ['done', 'name', 'from'],
  'office/payment-pages': ['done'],
  'office/redirects/edit': ['from'],
  'office/map-prices': ['tire'],
  'office/email-templates/:kind': ['done', 'order'],
  'office/shops/:shopCode': ['done', 'to', 'from', 'through', 'lastDay'],
  'office/shops/:shopCode/hours': ['done'],
  'office/shops/:shopCode/area': ['done'],
  'office/shops/:shopCode/prices': ['done'],
  'office/returns/:id': ['done'],
  'office/download': ['file'],
  office: ['period'],
  'office/search': ['q', 'kind'],
  'office/search/found': ['q'],
  'office/bulk/:act': ['order', 'message', 'review', 'return', 'point', 'parcel', 'price', 'back', 'all'],
  'office/views': ['list', 'filters', 'done'],
  'office/account': ['done'],
  'office/quotes/new': ['customer'],
  'office/orders.csv': exported,
  'office/coupons.csv': exported,
  'office/promotions.csv': exported,
  'office/price-lists.csv': exported,
  'office/map-prices.csv': exported,
  'office/catalog.csv': exported,
  'office/imports.csv': exported,
  'office/export/:list': exported,
  'office/orders/:orderId': ['act', 'show', 'all', 'done', 'typed', 'view'],
  'office/orders/:orderId/place': ['to', 'zip'],
  'office/orders/:orderId/:act': ['slot'],
  'pay-again/:token': ['canceled'],
  'pay-again/:token/return': ['payment'],
  'order-change/:token': ['canceled'],
  'order-change/:token/return': ['payment'],
  'office/messages/templates': ['edit', 'done'],
  'office/messages/:id': ['template', 'done'],
  'office/messages/:id/file': ['reply', 'place'],
  'office/catalog/items/:id': ['done'],
  'office/catalog/brands/:id': ['after', 'done'],
  'office/catalog/lines/:id': ['done'],
  'office/imports/columns/:upload': ['kind', 'mode'],
  'office/imports/:id': ['done'],
  'office/supplier-feeds/:id': ['done'],
  'office/charges/:paymentId': ['done'],
  'office/disputes/:number': ['done'],
  'office/health': [],
  'office/reconciliation.csv': exported,
  'office/reconciliation/:provider/:day': ['done'],
  'office/claims/:number': ['done'],
  'office/guarantees/:number': ['done'],
  'office/shop-applications/:number': ['done'],
  'office/pickups/:orderId': ['done'],
  'office/shop-reports/:number': ['done'],
  'office/recalls/:campaign': ['show', 'after', 'done'],
  'office/customers/new': [],
  'office/customers/:id': ['done', 'messages'],
  'office/customers/:id/vehicle': [],
  'office/customers/:id/contact': [],
  'office/customers/:id/credit': ['done'],
  'office/customers/:id/merge': ['with', 'done'],
  'office/customers/:id/account-type': ['done'],
  'office/customers/:id/block': ['done'],
  'office/customers/:id/erase': ['done'],
  'office/companies/:id': ['done'],
  'office/companies/:id/purchasing': ['done'],
  'office/companies/:id/statement': ['month'],
  'office/coupons/new': ['from'],
  'office/coupons/:id': ['done', 'cart', 'state'],
  'office/shop-pay/:shopCode': ['done', 'week'],
  'office/shop-pay-1099.csv': ['year'],
  'office/price-lists/:slug': ['done'],
  'office/price-lists/:slug/:version': ['done', 'after', 'cart', 'state'],
  'office/promotions/new': ['from'],
  'office/promotions/:key': ['done', 'cart', 'state'],
  'office/reports': ['report', ...reports],
  'office/reports/:report': [...reports, 'done'],
  'office/reports.csv': ['report', ...reports],
  'office/content/:page': ['from', 'done'],
  'office/content/:page/:version': ['done'],
  'portal/sign-in': ['back', 'again', 'problem'],
  'portal/:shopCode': ['on', 'done'],
  'portal/:shopCode/jobs/:booking': ['done'],
  'portal/:shopCode/feed': ['done'],
  'portal/:shopCode/store': ['done'],
  'portal/:shopCode/emails': ['done'],
  'portal/:shopCode/week': ['on'],
  'portal/:shopCode/day-sheet': ['on'],
  'portal/:shopCode/stops': ['on'],
  'portal/:shopCode/storage': ['done'],
  'portal/:shopCode/area': ['done'],
  'portal/:shopCode/jobs/new': ['on', 'bay', 'at'],
  'portal/:shopCode/own-jobs/:ownJobId': ['on', 'bay', 'at', 'done'],
  'portal/:shopCode/moves/:bookingId': ['on', 'bay', 'at'],
  'portal/:shopCode/pay': ['about', 'week', 'done'],
  'portal/:shopCode/capacity': ['done'],
  'portal/:shopCode/prices': ['done'],
  'portal/:shopCode/profile': ['done'],
  'portal/:shopCode/people': ['done'],
  'portal/:shopCode/set-up': ['done'],
  'sign-in': ['back'],
  register: ['back'],
  'api/sso-landing': null,
  'military/verify': ['from', 'done'],
  'military/callback': null,
  account: ['changed'],
  'account/my-orders': ['before'],
  'account/my-garage': ['vehicle'],
  'account/my-garage/tires/:orderId': ['done'],
  'account/payment-methods': ['done'],
  'account/payment-methods/saved': ['of'],
  'account/webhooks': ['done'],
  'account/webhooks/:webhookId': ['done', 'before'],
  'account/sales-tool': ['state', 'before'],
  'account/sales-tool/new': ['place'],
  'account/sales-tool/:quoteId': ['done'],
  'account/company/approvals': ['done'],
  'account/company/orders': ['before'],
  'account/company/orders/:orderId': ['done'],
  'account/company/vehicles': ['before'],
  'account/company/vehicles/quotes/:quoteId': ['done'],
  'account/company/invoices': ['page'],
  'account/company/invitation': ['key'],
  membership: ['news'],
  'partner-program': ['news'],
  'installer-signup': ['news'],
  'dt-employees': ['news'],
  invite: ['sent'],
  'track-your-order': ['receipt', 'order'],
  'track-your-order/delay/:orderId': order,
  'track-your-order/recall/:orderId': order,
  'track-your-order/result': order,
  'track-your-order/wo': ['order', 'key'],
  'track-your-order/wo.pdf': ['order', 'key'],
  'track-your-order/return': [...order, 'return'],
  'track-your-order/return/labels.pdf': [...order, 'return', 'tire'],
  'my_customers/pdf/:orderId/:customerId/:file': order,
}

/** By the pattern of an office page; some pages show two lists. */
const listParameters = Map.groupBy(officeListDefinitions, ({ path }) => path.slice(1))

/**
 * Query parameters by page, keyed by its pattern in app/routes.ts. Unlisted pages have no parameters. Null allows all.
 */
export const knownQuery: Readonly<Record<string, readonly string[] | null>> = {
  ...ownParameters,
  ...Object.fromEntries(
    listParameters
      .entries()
      .map(([path, lists]) => [path, [...new Set([...lists.flatMap(listQueryNames), ...(ownParameters[path] ?? [])])]]),
  ),
}

type BuiltRoute = { readonly id: string; readonly path?: string; readonly index?: boolean }

/** React Router's own parameters, which select a form's action, and the loaders a page's script requests. */
const framework = ['index', '_routes']

/**
 * Returns an address (path and query) with only the parameters its page reads, sorted by name; values of one name keep
 * their order. The address of a page's data, ending in `.data`, is treated as the page's.
 */
export function createKnownAddress(routes: readonly (BuiltRoute | undefined)[]): (address: string) => string {
  const paths = routes.flatMap((route) =>
    route && (route.index || route.path) ? [{ id: route.id, path: route.path ?? '/' }] : [],
  )
  // Matching a path costs more than a cache lookup, and the same paths are requested again and again.
  const found = new LRUCache<string, { names: ReadonlySet<string> | null }>({ max: 5_000 })

  function namesFor(pathname: string): ReadonlySet<string> | null {
    const known = found.get(pathname)
    if (known) return known.names
    const page = pathname === '/_root.data' ? '/' : pathname.replace(/(?:\/_)?\.data$/, '')
    const pattern = matchRoutes(paths, page)?.at(-1)?.route.path ?? ''
    const own = Object.hasOwn(knownQuery, pattern) ? knownQuery[pattern] : []
    const names = own ? new Set([...own, ...framework]) : null
    found.set(pathname, { names })
    return names
  }

  return (address) => {
    const cut = address.indexOf('?')
    // The framework's own requests are not pages.
    if (cut < 0 || address.startsWith('/__')) return address
    const pathname = address.slice(0, cut)
    const names = namesFor(pathname)
    if (names === null) return address
    const parameters = new URLSearchParams(
      [...new URLSearchParams(address.slice(cut + 1))].filter(([name]) => names.has(name)),
    )
    parameters.sort()
    const query = parameters.toString()
    return query === '' ? pathname : `${pathname}?${query}`
  }
}
