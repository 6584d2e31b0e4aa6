/**
 * Every route of the store, with real addresses in the small demo data. A route missing here fails
 * tests/e2e/every-page.test.ts.
 */

export type PageRow = {
  /** `{order}` is the number of an order placed by the customer. */
  addresses: readonly string[]
  /** The expected status; 200 by default. */
  status?: number
  /**
   * The visitor, a guest by default: a buyer who has done everything but pay, a payer who has paid but not placed the
   * order, a customer who has, a signed-in member, or a company owner.
   */
  as?: 'buyer' | 'payer' | 'customer' | 'member' | 'owner'
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
const lively = (...addresses: string[]): PageRow => ({ addresses, scriptKb: 125 })
/** Checkout steps: input stays when it cannot be sent, and the end of a hold is announced. */
const step = (...addresses: string[]): PageRow => ({ addresses, scriptKb: 127 })

export const pages: Record<string, PageRow> = {
  // The finder, the ZIP and failure messages on one page: 125.0 kB.
  '': { ...lively('/'), scriptKb: 126 },
  zip: plain('/zip', '/zip?back=/cart'),

  find: lively('/find', '/find?year=2020'),
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
  warranties: plain('/warranties', '/warranties?item=100001'),

  licenses: plain('/licenses'),
  // The loader of the reference, which is another 1.3 MB.
  'api/docs': { ...plain('/api/docs'), scriptKb: 2, isForeign: true },
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
  faqs: plain('/faqs'),
  'help-center': plain('/help-center', '/help-center?q=return'),
  'privacy-choices': plain('/privacy-choices'),
  sitemap: plain('/sitemap'),
  contact: { ...plain('/contact'), scriptKb: 2 },
  'stop-mails': { ...plain('/stop-mails'), status: 404 },
  'tire-sales': { ...plain('/tire-sales'), scriptKb: 2 },
  'contact/thanks': plain('/contact/thanks'),
  'tire-sales/thanks': plain('/tire-sales/thanks'),

  cart: { ...lively('/cart'), as: 'buyer' },
  'cart/summary': { ...plain('/cart/summary'), as: 'buyer' },
  'checkout/shipping': {
    ...step('/checkout/shipping', '/checkout/shipping?tab=home', '/checkout/shipping?tab=carrier-pickup'),
    as: 'buyer',
    isLayered: true,
  },
  'checkout/shipping-confirmation': { ...step('/checkout/shipping-confirmation'), as: 'buyer' },
  'checkout/services': { ...step('/checkout/services'), as: 'buyer' },
  'checkout/payments': { ...step('/checkout/payments'), as: 'buyer' },
  'checkout/payments/:type': { ...step('/checkout/payments/card'), as: 'buyer' },
  'checkout/order-summary': { ...step('/checkout/order-summary'), as: 'payer' },
  'checkout/order-confirmation': { ...plain('/checkout/order-confirmation?order={order}'), as: 'customer' },
  membership: plain('/membership'),
  'partner-program': plain('/partner-program'),
  'partner-program/thanks': plain('/partner-program/thanks'),
  'dt-employees': plain('/dt-employees'),
  invite: lively('/invite'),
  'invite/:code': { ...plain('/invite/aaaaaaaaaa'), status: 404 },
  'advocate-dashboard': { ...plain('/advocate-dashboard'), as: 'member' },
  'track-your-order': plain('/track-your-order'),
  'track-your-order/result': { ...plain('/track-your-order/result?order={order}'), as: 'customer' },

  'sign-in': lively('/sign-in', '/sign-in?back=/cart'),
  register: lively('/register'),
  'api/sso-landing': { ...plain('/api/sso-landing?state=x'), status: 400 },
  account: { ...plain('/account'), as: 'member' },
  'account/my-orders': { ...plain('/account/my-orders'), as: 'member' },
  'account/my-garage': { ...plain('/account/my-garage'), as: 'member' },
  'account/addresses': { ...plain('/account/addresses'), as: 'member' },
  'account/apps': { ...plain('/account/apps'), as: 'member' },
  'account/delete': { ...plain('/account/delete'), as: 'member' },

  business: plain('/business'),
  'business/apply': { ...plain('/business/apply'), as: 'member' },
  'account/company': { ...plain('/account/company'), as: 'owner' },
  'account/company/members': { ...plain('/account/company/members'), as: 'owner' },
  'account/company/orders': { ...plain('/account/company/orders'), as: 'owner' },
  'account/company/invoices': { ...plain('/account/company/invoices'), as: 'owner' },
  'account/company/exemptions': { ...plain('/account/company/exemptions'), as: 'owner' },
  'account/company/invitation': { ...plain('/account/company/invitation?key=x'), status: 404 },

  ':slug': plain('/tires-for-rideshare-drivers'),
  '*': { ...plain('/no/such/page'), status: 404 },
}

/** Routes that do not return a page, with the reason. */
export const pageless: Record<string, string> = {
  'privacy-choices/asks': 'JSON for the script that counts visits',
  'zip/choice': 'keeps a ZIP for the dialog that asks for it',
  'finder/size': 'JSON for the size typed into the finder',
  'fitment/my-vehicle': 'leads to the vehicle that the browser remembers',
  'search/suggestions': 'JSON for the search box',
  'compare/choice': 'takes a tire to be compared and leads back',
  'cart/contents': 'JSON for the cart of the header',
  'membership/return': 'leads on from the provider’s page',
  'checkout/payments/return': 'leads on from the provider’s page',
  'checkout/confirm-order/:orderId': 'leads to the confirmation of an order',
  'checkout/order-confirmation/calendar.ics': 'a calendar file',
  'account/data.json': 'a file with all that is kept of an account',
  'sign-out': 'ends a session and leads on',
  'my_customers/pdf/:orderId/:customerId/:file': 'a receipt in PDF',
}
