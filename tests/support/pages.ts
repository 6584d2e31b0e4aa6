/**
 * Every route of the store, with real addresses in the small demo data. A route missing here fails
 * tests/e2e/every-page.test.ts. Over 400 lines: one table.
 */

export type PageRow = {
  /** `{order}` is the number of an order placed by the customer, `{email}` the id of an email about it. */
  addresses: readonly string[]
  /** The expected status; 200 by default. */
  status?: number
  /**
   * The visitor, a guest by default: a buyer who has done everything but pay, a payer who has paid but not placed the
   * order, a customer who has, a signed-in member, a company owner, the owner of a fleet that keeps packets, a Sales Tool account, an owner in the back office, or one of two tire shops.
   */
  as?: 'buyer' | 'payer' | 'customer' | 'member' | 'owner' | 'fleet' | 'seller' | 'staff' | 'shop'
  /** The most script the document may load, in kB after gzip. */
  scriptKb: number
  /** With script, parts overlap on purpose: pins of a map with a list beside it. */
  isLayered?: true
  /**
   * With script, a third-party package renders the page and adds styles: it is checked as sent, and has its own test.
   */
  isForeign?: true
}

/** Reading pages, and plain forms: without any script. */
const plain = (...addresses: string[]): PageRow => ({ addresses, scriptKb: 0 })
/** Interactive pages. */
const lively = (...addresses: string[]): PageRow => ({ addresses, scriptKb: 127 })
/** Checkout steps: input stays when it cannot be sent, and the end of a hold is announced. */
const step = (...addresses: string[]): PageRow => ({ addresses, scriptKb: 131 })

const listed: Record<string, PageRow> = {
  // The finder, the ZIP and failure messages on one page, and what keeps early events: 126.4 kB at most.
  '': { ...lively('/'), scriptKb: 128 },
  zip: plain('/zip', '/zip?back=/cart'),

  find: lively('/find', '/find?year=2020'),
  'find/vin': plain('/find/vin'),
  'fitment/confirmation': { ...plain('/fitment/confirmation'), as: 'buyer' },
  search: plain('/search', '/search?q=zzzz', '/search?q=silverado'),
  'tire-size-camera': lively('/tire-size-camera'),

  vehicles: plain('/vehicles'),
  'vehicles/:makeTires': plain('/vehicles/toyota-tires'),
  'vehicles/:make/:model': plain('/vehicles/toyota/rav4'),
  'vehicles/:make/:model/:year': lively('/vehicles/toyota/rav4/2021', '/vehicles/honda/cr-v/2019?trim=ex'),

  'tire-sizes': plain('/tire-sizes'),
  'tire-sizes/diameter/:rim': lively('/tire-sizes/diameter/17'),
  'tire-sizes/:size': lively('/tire-sizes/225-65r17', '/tire-sizes/225-65r17?sort=price&page=2'),
  'tire-sizes/:size/categories/:category': lively('/tire-sizes/235-60r18/categories/touring-all-season'),
  'tire-sizes/:size/types/:type': lively('/tire-sizes/235-60r18/types/all-season'),
  'tire-sizes/:size/brands/:brand': lively('/tire-sizes/235-60r18/brands/kestrel'),
  'tire-sizes/:size/brands/:brand/types/:type': lively('/tire-sizes/235-60r18/brands/kestrel/types/all-season'),
  'tire-sizes/:size/brands/:brand/categories/:category': lively(
    '/tire-sizes/235-60r18/brands/kestrel/categories/touring-all-season',
  ),

  brands: plain('/brands'),
  'brands/:brand/types': plain('/brands/kestrel/types'),
  'brands/:brand/categories': plain('/brands/kestrel/categories'),
  types: plain('/types'),
  categories: plain('/categories'),
  'brands/:brand': lively('/brands/kestrel'),
  'brands/:brand/types/:type': lively('/brands/kestrel/types/all-season'),
  'brands/:brand/categories/:category': lively('/brands/kestrel/categories/touring-all-season'),
  'types/:type': lively('/types/winter'),
  'categories/:category': lively('/categories/touring-all-season'),

  'brands/:brand/:productLine': lively('/brands/kestrel/alltide-as2'),
  'brands/:brand/:productLine/p': lively('/brands/kestrel/alltide-as2/p'),
  'brands/:brand/:productLine/p/:itemId': lively('/brands/kestrel/alltide-as2/p/100001'),

  learn: plain('/learn'),
  'learn/tire-basics/how-to-read-a-sidewall': plain('/learn/tire-basics/how-to-read-a-sidewall'),
  'learn/tire-news-information/tire-dictionary': {
    ...plain('/learn/tire-news-information/tire-dictionary'),
    scriptKb: 2,
  },
  'learn/:section': plain('/learn/choosing-tires'),
  'learn/:section/:slug': plain('/learn/care-and-safety/tire-rotation'),
  'tire-buying-guide': plain('/tire-buying-guide'),
  'car-talk': plain('/car-talk'),
  press: plain('/press'),
  'press/:section': plain('/press/announcements'),
  'press/:section/:slug': plain('/press/company/the-store-is-open-source'),

  'prices/:label': plain(
    '/prices/fleet-price',
    '/prices/special-pricing',
    '/prices/partner-price',
    '/prices/employee-price',
    '/prices/loyalty-member-price',
  ),

  'brands/:brand/:productLine/reviews': plain('/brands/kestrel/alltide-as2/reviews'),
  'brands/:brand/:productLine/write-a-review': lively('/brands/kestrel/alltide-as2/write-a-review'),
  'brands/:brand/reviews': plain('/brands/kestrel/reviews'),
  'types/:type/reviews': plain('/types/winter/reviews'),
  'categories/:category/reviews': plain('/categories/touring-all-season/reviews'),
  'tire-reviews': plain('/tire-reviews'),
  'tire-reviews/:section': plain('/tire-reviews/newest', '/tire-reviews/brands', '/tire-reviews/rules'),

  'tire-deals': plain('/tire-deals'),
  'tire-deals/black-friday-sale': plain('/tire-deals/black-friday-sale'),
  'tire-deals/cyber-monday-sale': plain('/tire-deals/cyber-monday-sale'),
  'tire-deals/:deal': plain('/tire-deals/kestrel-60-rebate', '/tire-deals/kestrel-alltide-as2-16-off'),
  'tire-deals/:deal/form': plain('/tire-deals/kestrel-60-rebate/form'),

  'tire-shops': { ...lively('/tire-shops', '/tire-shops?zip=60614'), isLayered: true },
  'tire-shops/:urbanArea': { ...lively('/tire-shops/illinois', '/tire-shops/chicago-il'), isLayered: true },
  'tire-shops/shop/:shopName/:shopCode': {
    ...lively('/tire-shops/shop/halsted-tire-chicago/SW-00001'),
    isLayered: true,
  },

  compare: lively('/compare', '/compare?items=100001,100002,100003'),
  recommendations: lively(
    '/recommendations',
    '/recommendations?size=225-65r17&weather=rain&roads=highway&priority=life&miles=many',
  ),
  'tire-score': plain('/tire-score'),
  'shipping-cost': plain('/shipping-cost', '/shipping-cost?item=100001'),
  warranties: plain('/warranties', '/warranties?item=100001'),

  licenses: plain('/licenses'),
  // The loader of the reference, which is another 1.3 MB.
  'api/docs': { ...plain('/api/docs'), scriptKb: 2, isForeign: true },
  agents: plain('/agents'),
  about: plain('/about'),
  'privacy-policy': plain('/privacy-policy'),
  terms: plain('/terms'),
  sales: plain('/sales'),
  'returns-and-refunds': plain('/returns-and-refunds'),
  'free-shipping': plain('/free-shipping'),
  'military-discount': plain('/military-discount'),
  financing: plain('/financing'),
  'repair-pal': plain('/repair-pal'),
  paid: plain('/paid'),
  affiliates: plain('/affiliates'),
  'installer-agreement': plain('/installer-agreement'),
  faqs: plain('/faqs'),
  'help-center': plain('/help-center', '/help-center?q=return'),
  'privacy-choices': plain('/privacy-choices'),
  sitemap: plain('/sitemap'),
  contact: { ...plain('/contact'), scriptKb: 2 },
  'coverage-claim': { ...plain('/coverage-claim'), scriptKb: 2 },
  'coverage-claim/thanks': plain('/coverage-claim/thanks?claim=12'),
  'price-guarantee': { ...plain('/price-guarantee'), scriptKb: 2 },
  'price-guarantee/thanks': plain('/price-guarantee/thanks?request=12'),
  'stop-mails': { ...plain('/stop-mails'), status: 404 },
  'email-preferences': { ...plain('/email-preferences'), status: 404 },
  'tire-sales': { ...plain('/tire-sales'), scriptKb: 2 },
  'contact/thanks': plain('/contact/thanks'),
  'tire-sales/thanks': plain('/tire-sales/thanks'),

  // The wallets' buttons come later, but the place for them takes a few bytes.
  cart: { ...lively('/cart'), as: 'buyer', scriptKb: 129 },
  'appointment/:token': { ...plain('/appointment/x'), status: 404 },
  'pay-again/:token': { ...lively('/pay-again/x'), status: 404 },
  'punchout/return': plain('/punchout/return'),
  'order-change/:token': { ...lively('/order-change/x'), status: 404 },
  'quote/:token': { ...plain('/quote/x'), status: 404 },
  'book-time': plain(
    '/book-time?item=100001&shop=SW-00001&slot=2026-01-05T15:30:00Z',
    '/book-time?item=100001&shop=SW-00001',
  ),
  'carts/open/:token': { ...plain('/carts/open/x'), status: 404 },
  'agent-checkout/:token': { ...plain('/agent-checkout/x'), status: 404 },
  'cart/coupons': { ...plain('/cart/coupons'), as: 'buyer' },
  'cart/summary': { ...plain('/cart/summary'), as: 'buyer' },
  'checkout/shipping': {
    ...step('/checkout/shipping', '/checkout/shipping?tab=home', '/checkout/shipping?tab=carrier-pickup'),
    // The list of shops with what shoppers said of each, pickup points and warehouses with their hours, and the
    // still picture of the map: 130.1 kB.
    scriptKb: 134,
    as: 'buyer',
    isLayered: true,
  },
  'checkout/shipping-confirmation': { ...step('/checkout/shipping-confirmation'), as: 'buyer' },
  'checkout/services': { ...step('/checkout/services'), as: 'buyer' },
  // With the vehicle that fleets name for their job, 129.0 and 129.1 kB.
  'checkout/payments': { ...step('/checkout/payments'), as: 'buyer', scriptKb: 133 },
  'checkout/payments/apple-pay': { ...step('/checkout/payments/apple-pay'), as: 'buyer', scriptKb: 133 },
  'checkout/payments/google-pay': { ...step('/checkout/payments/google-pay'), as: 'buyer', scriptKb: 133 },
  // The panel of a charge that is ready is a file of its own, which the wallets' pages load too: 129.2 kB.
  'checkout/payments/:type': { ...step('/checkout/payments/card'), as: 'buyer', scriptKb: 133 },
  'checkout/order-summary': { ...step('/checkout/order-summary'), as: 'payer' },
  'checkout/confirm-order/:orderId': { ...plain('/checkout/confirm-order/{order}'), as: 'customer' },
  'checkout/order-confirmation': { ...plain('/checkout/order-confirmation?order={order}'), as: 'customer' },
  membership: plain('/membership'),
  'membership/stop-renewal/:token': { ...plain('/membership/stop-renewal/x'), status: 404 },
  'partner-program': plain('/partner-program'),
  'partner-program/thanks': plain('/partner-program/thanks'),
  'installer-signup': { ...plain('/installer-signup', '/installer-signup?news=saved'), scriptKb: 1 },
  'installer-signup/:token': { ...plain('/installer-signup/2001.x'), status: 404 },
  'dt-employees': plain('/dt-employees'),
  invite: lively('/invite'),
  'invite/:code': { ...plain('/invite/aaaaaaaaaa'), status: 404 },
  'advocate-dashboard': { ...plain('/advocate-dashboard'), as: 'member' },
  'track-your-order': plain('/track-your-order'),
  'track-your-order/wo': { ...plain('/track-your-order/wo?order={order}'), as: 'customer' },
  'track-your-order/delay/:orderId': { ...plain('/track-your-order/delay/{order}'), as: 'customer' },
  'track-your-order/recall/:orderId': { ...plain('/track-your-order/recall/{order}'), as: 'customer' },
  'track-your-order/result': { ...plain('/track-your-order/result?order={order}'), as: 'customer' },

  'track-your-order/return': { ...plain('/track-your-order/return?order={order}'), as: 'customer', scriptKb: 2 },

  'sign-in': lively('/sign-in', '/sign-in?back=/cart'),
  register: lively('/register'),
  'api/sso-landing': { ...plain('/api/sso-landing?state=x'), status: 400 },
  account: { ...plain('/account'), as: 'member' },
  'account/my-orders': { ...plain('/account/my-orders'), as: 'member' },
  'account/my-garage': { ...plain('/account/my-garage'), as: 'member' },
  'account/my-garage/tires/:orderId': { ...plain('/account/my-garage/tires/1'), as: 'member', status: 404 },
  'account/addresses': { ...plain('/account/addresses'), as: 'member' },
  'account/payment-methods': { ...plain('/account/payment-methods'), as: 'member' },
  'account/texts': { ...plain('/account/texts'), as: 'member' },
  'account/apps': { ...plain('/account/apps'), as: 'member' },
  'military/verify': { ...plain('/military/verify', '/military/verify?from=cart'), as: 'member' },
  'military/callback': { ...plain('/military/callback'), as: 'member', status: 400 },
  'account/delete': { ...plain('/account/delete'), as: 'member' },

  office: { ...plain('/office'), as: 'staff' },
  'office/queues/:queue': { ...plain('/office/queues/delays'), as: 'staff' },
  'office/menu': { ...plain('/office/menu'), as: 'staff' },
  'office/sign-in': plain('/office/sign-in', '/office/sign-in?problem=no-grant'),
  'office/returns': { ...plain('/office/returns', '/office/returns?state=received'), as: 'staff' },
  'office/returns/:id': { ...plain('/office/returns/1001'), as: 'staff' },
  'office/refunds': {
    ...plain(
      '/office/refunds',
      '/office/refunds?state=refused&reason=late&bearer=carrier&from=2026-11-01&to=2026-11-20',
    ),
    as: 'staff',
  },
  'office/orders': {
    ...plain(
      '/office/orders',
      '/office/orders?state=late',
      '/office/orders?fulfillment=shop&company=nobody&from=2026-11-01&to=2026-11-20',
    ),
    as: 'staff',
    scriptKb: 300,
  },
  'office/download': { ...plain('/office/download?file=%2Foffice%2Freports.csv'), as: 'staff' },
  'office/search': {
    ...plain('/office/search', '/office/search?q=nothing-like-it', '/office/search?q=grant', '/office/search?q=60614'),
    as: 'staff',
  },
  'office/customers': {
    ...plain('/office/customers', '/office/customers?view=new&q=dana', '/office/customers?view=duplicates'),
    as: 'staff',
    scriptKb: 300,
  },
  'office/customers/:id': { ...plain('/office/customers/x'), as: 'staff', status: 404 },
  'office/appointments': {
    ...plain('/office/appointments', '/office/appointments?state=done&shop=halsted'),
    as: 'staff',
  },
  'office/shops': { ...plain('/office/shops', '/office/shops?state=open&q=halsted'), as: 'staff' },
  'office/shops/:shopCode': { ...plain('/office/shops/SW-00001'), as: 'staff' },
  'office/orders/:orderId': {
    ...plain(
      '/office/orders/{order}',
      '/office/orders/{order}?act=refund&show=email',
      '/office/orders/{order}?act=note',
      '/office/orders/103002?act=refund',
    ),
    as: 'staff',
  },
  'office/orders/:orderId/emails/:messageId': { ...plain('/office/orders/{order}/emails/{email}'), as: 'staff' },
  'office/orders/:orderId/place': {
    ...plain('/office/orders/{order}/place', '/office/orders/{order}/place?to=home'),
    as: 'staff',
  },
  'office/orders/:orderId/:act': {
    ...plain(
      '/office/orders/{order}/confirm',
      '/office/orders/{order}/question',
      '/office/orders/{order}/address',
      '/office/orders/{order}/appointment',
      '/office/orders/{order}/cancel',
      '/office/orders/{order}/lines',
      '/office/orders/{order}/resend',
    ),
    as: 'staff',
  },
  'office/stock': { ...plain('/office/stock', '/office/stock?q=225/65R17&pool=on-hand'), as: 'staff' },
  'office/stock/purchase-orders': {
    ...plain('/office/stock/purchase-orders', '/office/stock/purchase-orders?state=held'),
    as: 'staff',
  },
  'office/stock/purchase-orders/:id': { ...plain('/office/stock/purchase-orders/1'), as: 'staff', status: 404 },
  'office/stock/:itemId': { ...plain('/office/stock/100001'), as: 'staff' },
  'office/reviews': { ...plain('/office/reviews', '/office/reviews?state=published'), as: 'staff' },
  'office/certified-shops': { ...plain('/office/certified-shops'), as: 'staff' },
  'office/branded-stores': {
    ...plain('/office/branded-stores', '/office/branded-stores?state=on'),
    as: 'staff',
  },
  'office/held-orders': {
    ...plain('/office/held-orders', '/office/held-orders?state=refuse'),
    as: 'staff',
  },
  'office/held-orders/:orderId': { ...plain('/office/held-orders/1'), as: 'staff', status: 404 },
  'office/charges': { ...plain('/office/charges'), as: 'staff' },
  'office/charges/:paymentId': {
    ...plain('/office/charges/0198c2f4-8d5e-7c10-a1b2-000000000001'),
    as: 'staff',
    status: 404,
  },
  'office/disputes': { ...plain('/office/disputes', '/office/disputes?state=won'), as: 'staff' },
  'office/disputes/:number': { ...plain('/office/disputes/D-999999'), as: 'staff', status: 404 },
  'office/health': { ...plain('/office/health'), as: 'staff' },
  'office/reconciliation': { ...plain('/office/reconciliation'), as: 'staff' },
  'office/reconciliation/:provider/:day': {
    ...plain('/office/reconciliation/stripe/2020-01-01'),
    as: 'staff',
    status: 404,
  },
  'office/fraud-rules': { ...plain('/office/fraud-rules', '/office/fraud-rules?rule=1'), as: 'staff' },
  'office/claims': { ...plain('/office/claims', '/office/claims?state=approved'), as: 'staff' },
  'office/claims/:number': { ...plain('/office/claims/C-999999'), as: 'staff', status: 404 },
  'office/guarantees': { ...plain('/office/guarantees', '/office/guarantees?state=approved'), as: 'staff' },
  'office/guarantees/:number': { ...plain('/office/guarantees/G-999999'), as: 'staff', status: 404 },
  'office/shop-applications': {
    ...plain('/office/shop-applications', '/office/shop-applications?state=approved'),
    as: 'staff',
  },
  'office/shop-applications/:number': { ...plain('/office/shop-applications/A-999999'), as: 'staff', status: 404 },
  'office/pickups': {
    ...plain('/office/pickups', '/office/pickups?state=overdue', '/office/pickups?q=999999'),
    as: 'staff',
  },
  'office/pickups/:orderId': { ...plain('/office/pickups/999999'), as: 'staff', status: 404 },
  'office/shop-reports': { ...plain('/office/shop-reports', '/office/shop-reports?state=closed'), as: 'staff' },
  'office/shop-reports/:number': { ...plain('/office/shop-reports/R-999999'), as: 'staff', status: 404 },
  'office/tire-registrations': {
    ...plain('/office/tire-registrations', '/office/tire-registrations?show=all'),
    as: 'staff',
  },
  'office/recalls': { ...plain('/office/recalls'), as: 'staff' },
  'office/recalls/:campaign': { ...plain('/office/recalls/26T-999'), as: 'staff', status: 404 },
  'office/companies': { ...plain('/office/companies', '/office/companies?state=approved'), as: 'staff' },
  'office/companies/:id': { ...plain('/office/companies/x'), as: 'staff', status: 404 },
  'office/companies/:id/purchasing': { ...plain('/office/companies/x/purchasing'), as: 'staff', status: 404 },
  'office/companies/:id/statement': { ...plain('/office/companies/x/statement'), as: 'staff', status: 404 },
  'office/webhooks': { ...plain('/office/webhooks'), as: 'staff' },
  'office/partners': { ...plain('/office/partners'), as: 'staff' },
  'office/catalog': { ...plain('/office/catalog', '/office/catalog?sku=nothing&status=hidden'), as: 'staff' },
  'office/catalog/items/:id': { ...plain('/office/catalog/items/100001'), as: 'staff' },
  'office/catalog/brands': { ...plain('/office/catalog/brands'), as: 'staff' },
  'office/catalog/brands/:id': { ...plain('/office/catalog/brands/1'), as: 'staff' },
  'office/catalog/lines/:id': { ...plain('/office/catalog/lines/1'), as: 'staff' },
  'office/imports': { ...plain('/office/imports', '/office/imports?before=1'), as: 'staff' },
  'office/imports/:id': { ...plain('/office/imports/999999'), as: 'staff', status: 404 },
  'office/messages': { ...plain('/office/messages', '/office/messages?show=closed&kind=lead'), as: 'staff' },
  'office/messages/bounces': { ...plain('/office/messages/bounces'), as: 'staff' },
  'office/messages/:id': { ...plain('/office/messages/1'), as: 'staff' },
  'office/messages/templates': { ...plain('/office/messages/templates'), as: 'staff' },
  'office/coupons': { ...plain('/office/coupons', '/office/coupons?state=draft'), as: 'staff' },
  'office/coupons/new': { ...plain('/office/coupons/new', '/office/coupons/new?from=1'), as: 'staff' },
  'office/coupons/:id': { ...plain('/office/coupons/1', '/office/coupons/1?cart=nothing&state=IL'), as: 'staff' },
  'office/shop-pay': { ...plain('/office/shop-pay'), as: 'staff' },
  'office/shop-pay/:shopCode': { ...plain('/office/shop-pay/SW-00001'), as: 'staff' },
  'office/pay-matrix': { ...plain('/office/pay-matrix'), as: 'staff' },
  'office/pay-later': { ...plain('/office/pay-later'), as: 'staff' },
  'office/map-prices': { ...plain('/office/map-prices'), as: 'staff' },
  'office/sales-tax': { ...plain('/office/sales-tax'), as: 'staff' },
  'office/price-lists': { ...plain('/office/price-lists'), as: 'staff' },
  'office/price-lists/:slug': { ...plain('/office/price-lists/fleets'), as: 'staff' },
  'office/price-lists/:slug/:version': {
    ...plain('/office/price-lists/fleets/1', '/office/price-lists/fleets/1?cart=nothing&state=IL'),
    as: 'staff',
  },
  'office/promotions': { ...plain('/office/promotions', '/office/promotions?state=draft'), as: 'staff' },
  'office/promotions/new': { ...plain('/office/promotions/new'), as: 'staff' },
  'office/promotions/:key': {
    ...plain('/office/promotions/p1', '/office/promotions/p1?cart=nothing&state=IL'),
    as: 'staff',
  },
  'office/emails': { ...plain('/office/emails'), as: 'staff' },
  'office/emails/:kind': { ...plain('/office/emails/order-received'), as: 'staff' },
  'office/staff': { ...plain('/office/staff', '/office/staff?done=invited'), as: 'staff' },
  'office/bulk/:act': {
    ...plain(
      '/office/bulk/confirm-orders?order={order}&order=S-1',
      '/office/bulk/note-orders?order={order}',
      '/office/bulk/assign-messages?message=1',
      '/office/bulk/publish-reviews',
    ),
    as: 'staff',
  },
  'office/views': { ...plain('/office/views', '/office/views?list=orders&filters=state%3Dlate'), as: 'staff' },
  'office/audit': { ...plain('/office/audit', '/office/audit?who=nobody&from=2026-11-20'), as: 'staff' },

  'office/reports': {
    ...plain(
      '/office/reports',
      '/office/reports?compare=month',
      '/office/reports?from=2026-10-05&to=2026-11-18&compare=month',
      '/office/reports?month=2020-01&compare=nothing&state=IL&type=Fleet',
    ),
    as: 'staff',
  },
  'office/content': { ...plain('/office/content'), as: 'staff' },
  'office/content/:page': {
    ...plain('/office/content/returns-and-refunds', '/office/content/about?from=1'),
    as: 'staff',
  },
  'office/content/:page/:version': { ...plain('/office/content/about/1'), as: 'staff' },
  'office/content/:page/:version/preview': { ...plain('/office/content/about/1/preview'), as: 'staff' },
  'office/settings': { ...plain('/office/settings', '/office/settings?done=saved'), as: 'staff' },
  'office/quotes': { ...plain('/office/quotes', '/office/quotes?state=sent'), as: 'staff' },
  'office/quotes/new': { ...plain('/office/quotes/new'), as: 'staff' },
  'office/quotes/:id': {
    ...plain('/office/quotes/2001', '/office/quotes/2002', '/office/quotes/2002?q=225/65R17'),
    as: 'staff',
  },

  portal: { ...plain('/portal'), as: 'shop', scriptKb: 6 },
  'portal/sign-in': plain('/portal/sign-in', '/portal/sign-in?problem=no-shop'),
  'portal/:shopCode': {
    ...plain('/portal/SW-00001', '/portal/SW-00001?on=2026-11-23', '/portal/SW-99001'),
    as: 'shop',
    scriptKb: 6,
  },
  'portal/:shopCode/week': { ...plain('/portal/SW-00001/week'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/day-sheet': { ...plain('/portal/SW-00001/day-sheet'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/stops': { ...plain('/portal/SW-00001/stops'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/area': { ...plain('/portal/SW-00001/area'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/jobs/new': {
    ...plain('/portal/SW-00001/jobs/new?bay=1&at=09:30', '/portal/SW-99001/jobs/new'),
    as: 'shop',
    scriptKb: 6,
  },
  'portal/:shopCode/own-jobs/:ownJobId': {
    ...plain('/portal/SW-00001/own-jobs/00000000-0000-7000-8000-000000000000'),
    as: 'shop',
    status: 404,
  },
  'portal/:shopCode/moves/:bookingId': {
    ...plain('/portal/SW-00001/moves/00000000-0000-7000-8000-000000000000'),
    as: 'shop',
    status: 404,
  },
  'portal/:shopCode/jobs/:booking': { ...plain('/portal/SW-00001/jobs/x'), as: 'shop', status: 404 },
  'portal/:shopCode/feed': { ...plain('/portal/SW-00001/feed'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/emails': { ...plain('/portal/SW-00001/emails'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/store': { ...plain('/portal/SW-00001/store', '/portal/SW-99001/store'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/pay': { ...plain('/portal/SW-00001/pay', '/portal/SW-99001/pay'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/pay/:week': { ...plain('/portal/SW-00001/pay/2026-11-16'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/capacity': {
    ...plain('/portal/SW-00001/capacity', '/portal/SW-99001/capacity'),
    as: 'shop',
    scriptKb: 6,
  },
  'portal/:shopCode/prices': {
    ...plain('/portal/SW-00001/prices', '/portal/SW-99001/prices'),
    as: 'shop',
    scriptKb: 6,
  },
  'portal/:shopCode/people': { ...plain('/portal/SW-00001/people'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/set-up': { ...plain('/portal/SW-99001/set-up'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/set-up/hours': { ...plain('/portal/SW-99001/set-up/hours'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/set-up/bays': { ...plain('/portal/SW-99001/set-up/bays'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/set-up/prices': { ...plain('/portal/SW-99001/set-up/prices'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/set-up/lengths': { ...plain('/portal/SW-99001/set-up/lengths'), as: 'shop', scriptKb: 6 },
  'portal/:shopCode/set-up/blackout-days': {
    ...plain('/portal/SW-99001/set-up/blackout-days'),
    as: 'shop',
    scriptKb: 6,
  },

  business: plain('/business'),
  'business/apply': { ...plain('/business/apply'), as: 'member' },
  'account/webhooks': { ...plain('/account/webhooks'), as: 'owner' },
  'account/webhooks/:webhookId': { ...plain('/account/webhooks/x'), as: 'owner', status: 404 },
  'account/sales-tool': { ...plain('/account/sales-tool', '/account/sales-tool?state=sent'), as: 'seller' },
  'account/sales-tool/new': { ...plain('/account/sales-tool/new'), as: 'seller' },
  'account/sales-tool/:quoteId': { ...lively('/account/sales-tool/2003'), as: 'seller' },
  'account/company': { ...plain('/account/company'), as: 'owner' },
  'account/company/members': { ...plain('/account/company/members'), as: 'owner' },
  'account/company/orders': { ...plain('/account/company/orders'), as: 'owner' },
  'account/company/orders/:orderId': { ...plain('/account/company/orders/1'), as: 'owner', status: 404 },
  'account/company/approvals': { ...plain('/account/company/approvals'), as: 'owner' },
  'account/company/approvals/:requestId': { ...plain('/account/company/approvals/1'), as: 'owner', status: 404 },
  'account/company/vehicles': { ...plain('/account/company/vehicles'), as: 'owner' },
  'account/company/vehicles/quotes': { ...plain('/account/company/vehicles/quotes'), as: 'fleet' },
  'account/company/vehicles/quotes/:quoteId': {
    ...plain('/account/company/vehicles/quotes/1'),
    as: 'fleet',
    status: 404,
  },
  'account/company/invoices': { ...plain('/account/company/invoices'), as: 'owner' },
  'account/company/exemptions': { ...plain('/account/company/exemptions'), as: 'owner' },
  'account/company/invitation': { ...plain('/account/company/invitation?key=x'), status: 404 },

  ':slug': plain('/tires-for-rideshare-drivers'),
  '*': { ...plain('/no/such/page'), status: 404 },
}

/** Every page of the office brings the script for its keys and its search box: what shoppers' pages hydrate with, and 2 kB. */
export const pages: Record<string, PageRow> = Object.fromEntries(
  Object.entries(listed).map(([path, row]) => [
    path,
    /^office(?:\/|$)/.test(path) ? { ...row, scriptKb: Math.max(row.scriptKb, 160) } : row,
  ]),
)

/** Routes that do not return a page, with the reason. */
export const pageless: Record<string, string> = {
  'privacy-choices/asks': 'JSON for the script that counts visits',
  'zip/choice': 'keeps a ZIP for the dialog that asks for it',
  'finder/size': 'JSON for the size typed into the finder',
  'fitment/my-vehicle': 'leads to the vehicle that the browser remembers',
  'search/suggestions': 'JSON for the search box',
  'compare/choice': 'takes a tire to be compared and leads back',
  'cart/contents': 'JSON for the cart of the header',
  'pay-again/:token/return': 'leads on from the provider’s page',
  'punchout/:token': 'opens a visit from a purchasing system and leads on',
  'punchout/leave': 'ends such a visit and leads on',
  'order-change/:token/return': 'leads on from the provider’s page',
  'account/payment-methods/saved': 'leads on from the provider’s page',
  'partner-program/report.csv': 'a file of the signed-in partner',
  'membership/return': 'leads on from the provider’s page',
  'checkout/payments/return': 'leads on from the provider’s page',
  'checkout/order-confirmation/calendar.ics': 'a calendar file',
  'appointment/:token/calendar.ics': 'a calendar file',
  'track-your-order/return/labels.pdf': 'labels of a return in PDF',
  'office/returns/:id/photos/:no': 'a picture of a returned tire',
  'office/coupons.csv': 'coupons as a file',
  'office/reconciliation.csv': 'reconciled days as a file',
  'office/map-prices.csv': 'minimum advertised prices as a file',
  'office/sales-tax.csv': 'rates of sales tax as a file',
  'office/price-lists.csv': 'price lists as a file',
  'office/price-lists/:slug/:version/rules.csv': 'the entries of a price list as a file',
  'office/promotions.csv': 'promotions as a file',
  'account/data.json': 'a file with all that is kept of an account',
  'office/orders.csv': 'orders as a file',
  'office/search/found': 'JSON for the search box of the back office',
  'track-your-order/wo.pdf': 'a PDF',
  'office/claims/:number/file': 'a picture or receipt that came with a claim',
  'office/guarantees/:number/file': 'a file that came with a request',
  'office/shop-applications/:number/picture': 'a picture that came with an application',
  'office/shop-reports/:number/photo': 'a picture of damaged tires',
  'office/tire-registrations/exports/:no': 'registrations for a maker as a file',
  'office/certificates/:id/file': 'the file of a tax certificate',
  'office/catalog.csv': 'a file of the tires',
  'office/imports.csv': 'a file of the imports',
  'office/imports/:id/:file': 'a file of what an import changes or refuses',
  'office/reports.csv': 'a file of the reports',
  'office/export/:list': 'a list as a file',
  'office/messages/:id/file': 'a file that was sent to us, as a download',
  'office/sign-out': 'ends a session of the back office and leads on',
  'office/counts': 'numbers for the sidebar of the back office',
  'office/sidebar': 'folds the sidebar of the back office and leads back',
  'portal/:shopCode/day/version': 'a number for the script of the day',
  'portal/:shopCode/pay/bank': 'leads to the payout provider and back',
  'portal/:shopCode/pay/:week/:file': 'a statement as a file',
  'office/shop-pay-1099.csv': 'what shops were paid in a year as a file',
  'portal/sign-out': 'ends a session of the portal and leads on',
  'sign-out': 'ends a session and leads on',
  'account/company/orders/:orderId/packet.json': 'the packet of a fleet’s order as a file',
  'account/company/vehicles.csv': 'the vehicles of a fleet as a file',
  'my_customers/pdf/:orderId/:customerId/:file': 'a receipt in PDF',
}
