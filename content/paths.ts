import type { FixedPage } from '#app/content/fixed-pages.ts'

/** The scope of a listing, as slugs. `rear` is the size of the rear wheels if it differs. */
export type ListingAddress = {
  size?: string | undefined
  rear?: string | undefined
  brand?: string | undefined
  type?: string | undefined
  category?: string | undefined
}

/** The sections of the review pages. */
export const reviewSections = ['brands', 'types', 'categories', 'top-rated', 'newest', 'most-helpful', 'rules'] as const
export type ReviewSection = (typeof reviewSections)[number]

/** Every address the store links to, built in one place. Slugs come from the catalog and are safe in a path. */
export const paths = {
  home: () => '/',
  search: (query?: string) => (query ? `/search?q=${encodeURIComponent(query)}` : '/search'),
  suggestions: () => '/search/suggestions' as const,
  brands: () => '/brands',
  brand: (brand: string) => `/brands/${brand}`,
  brandTypes: (brand: string) => `/brands/${brand}/types`,
  brandCategories: (brand: string) => `/brands/${brand}/categories`,
  line: (brand: string, line: string) => `/brands/${brand}/${line}`,
  item: (brand: string, line: string, itemId: number) => `/brands/${brand}/${line}/p/${itemId}`,
  tireReviews: (section?: ReviewSection) => (section ? `/tire-reviews/${section}` : '/tire-reviews'),
  lineReviews: (brand: string, line: string, query: Record<string, string | number | undefined> = {}) =>
    withQuery(`/brands/${brand}/${line}/reviews`, query),
  /**
   * With an order and its key from an email, the review will be verified; `written` is the outcome of one just
   * submitted.
   */
  writeReview: (
    brand: string,
    line: string,
    query: { order?: number; key?: string | undefined; written?: 'published' | 'waiting' } = {},
  ) => withQuery(`/brands/${brand}/${line}/write-a-review`, query),
  scopeReviews: ({ brand, type, category }: Pick<ListingAddress, 'brand' | 'type' | 'category'>) =>
    `${brand ? `/brands/${brand}` : type ? `/types/${type}` : `/categories/${category}`}/reviews`,
  types: () => '/types',
  type: (type: string) => `/types/${type}`,
  categories: () => '/categories',
  category: (category: string) => `/categories/${category}`,
  vehicles: () => '/vehicles',
  make: (make: string) => `/vehicles/${make}-tires`,
  model: (make: string, model: string) => `/vehicles/${make}/${model}`,
  vehicle: (make: string, model: string, year: number, options: { trim?: string; fitment?: number } = {}) =>
    withQuery(`/vehicles/${make}/${model}/${year}`, { trim: options.trim, fitment: options.fitment }),
  /** With a height in inches, only sizes of about that height. */
  sizes: (heightIn?: number) => withQuery('/tire-sizes', { height: heightIn }),
  size: (size: string) => `/tire-sizes/${size}`,
  listing: ({ size, rear, brand, type, category }: ListingAddress) => {
    const narrower = [
      ...(brand ? ['brands', brand] : []),
      ...(type ? ['types', type] : category ? ['categories', category] : []),
    ]
    return withQuery(`/${[...(size ? ['tire-sizes', size] : []), ...narrower].join('/')}`, { rear })
  },
  diameter: (rim: string) => `/tire-sizes/diameter/${rim}`,
  find: (
    chosen: { by?: 'vehicle' | 'size' | 'brand'; year?: number; make?: string; model?: string; trim?: string } = {},
  ) => withQuery('/find', chosen),
  findByVin: () => '/find/vin',
  findByPlate: () => '/find/plate',
  /** Reads a size from a tire photo. */
  sizeCamera: () => '/tire-size-camera',
  finderSize: () => '/finder/size' as const,
  /** The vehicle is in the query, so that the page can be shown again with its input. */
  confirmation: (asked: { vehicle?: string; back?: string } = {}) => withQuery('/fitment/confirmation', asked),
  myVehicle: () => '/fitment/my-vehicle',
  licenses: () => '/licenses',
  apiDocs: () => '/api/docs',
  apiDocument: () => '/api/openapi.json',
  /** The ZIP code page. Redirects back afterward. */
  zip: (back: string) => withQuery('/zip', { back }),
  zipChoice: () => '/zip/choice' as const,
  learn: () => '/learn',
  /** An article by its path in the library: "learn/tire-basics/utqg-grades". */
  article: (path: string) => `/${path}`,
  learnSection: (section: string) => `/learn/${section}`,
  sidewallGuide: (size?: string) => withQuery('/learn/tire-basics/how-to-read-a-sidewall', { size }),
  dictionary: (term?: string) => `/learn/tire-news-information/tire-dictionary${term ? `#${term}` : ''}`,
  press: () => '/press',
  pressSection: (section: string) => `/press/${section}`,
  carTalk: (letter?: string) => `/car-talk${letter ? `#${letter}` : ''}`,
  buyingGuide: () => '/tire-buying-guide',
  deals: (brand?: string) => withQuery('/tire-deals', { brand }),
  /** A deal, a rebate or a seasonal sale. */
  deal: (slug: string) => `/tire-deals/${slug}`,
  rebateForm: (slug: string) => `/tire-deals/${slug}/form`,
  /** `keys` as `parseTireKeys` reads them; commas need no escaping in a query and are easier to read. */
  compare: (keys: readonly string[] = []) => (keys.length === 0 ? '/compare' : `/compare?items=${keys.join(',')}`),
  compareChoice: () => '/compare/choice' as const,
  recommendations: (
    asked: { size?: string | undefined; rear?: string | undefined; vehicle?: string | undefined } = {},
  ) => withQuery('/recommendations', asked),
  tireScore: () => '/tire-score',
  tireShops: (zip?: string) => withQuery('/tire-shops', { zip }),
  /** A city's shops ("chicago-il"), or a state's cities ("illinois"). */
  tireShopsIn: (area: string) => `/tire-shops/${area}`,
  tireShop: (shop: string, code: string) => `/tire-shops/shop/${shop}/${code}`,
  /** Explains the prices of an account type: "fleet-price". */
  priceLabel: (slug: string) => `/prices/${slug}`,
  warranties: (itemId?: number) => withQuery('/warranties', { item: itemId }),
  cart: () => '/cart',
  cartContents: () => '/cart/contents',
  cartSummary: () => '/cart/summary',
  checkoutShipping: (tab?: 'shop' | 'mobile' | 'home' | 'carrier-pickup') =>
    withQuery('/checkout/shipping', { tab: tab === 'shop' ? undefined : tab }),
  checkoutServices: () => '/checkout/services',
  checkoutPayments: () => '/checkout/payments',
  checkoutPayment: (method: string) => `/checkout/payments/${method}`,
  unconfirmedPayment: (method: string) => `/checkout/payments/${method}?unconfirmed`,
  orderSummary: () => '/checkout/order-summary',
  shippingConfirmation: () => '/checkout/shipping-confirmation',
  paymentReturn: () => '/checkout/payments/return',
  /** The pages for one order. `key` comes from an email and opens them in any browser. */
  confirmOrder: (orderId: number, key?: string) => withQuery(`/checkout/confirm-order/${orderId}`, { key }),
  orderConfirmation: (orderId: number, key?: string) =>
    withQuery('/checkout/order-confirmation', { order: orderId, key }),
  calendar: (orderId: number, key?: string) =>
    withQuery('/checkout/order-confirmation/calendar.ics', { order: orderId, key }),
  /** The page that leads to the sign-in provider, and then back to where the visitor was. */
  signIn: (back?: string) => withQuery('/sign-in', { back }),
  register: (back?: string) => withQuery('/register', { back }),
  signOut: () => '/sign-out',
  /** With `changed` after a visit to the provider's pages. */
  account: ({ changed = false } = {}) => (changed ? '/account?changed=1' : '/account'),
  /** `before`: only orders older than that one. */
  myOrders: (before?: number) => withQuery('/account/my-orders', { before }),
  /** With a vehicle, the form for its mileage and rotation. */
  myGarage: (vehicle?: string) => withQuery('/account/my-garage', { vehicle }),
  myAddresses: () => '/account/addresses',
  /** The apps with access to an account. */
  accountApps: () => '/account/apps',
  accountTexts: () => '/account/texts',
  /** All data the store has on an account, as a file. */
  accountData: () => '/account/data.json',
  deleteAccount: () => '/account/delete',
  /** The benefits and application for fleets and special orders. */
  business: () => '/business',
  businessApply: () => '/business/apply',
  company: () => '/account/company',
  companyMembers: () => '/account/company/members',
  companyOrders: (before?: number) => withQuery('/account/company/orders', { before }),
  companyInvoices: (page?: number) => withQuery('/account/company/invoices', { page }),
  companyExemptions: () => '/account/company/exemptions',
  /** `key` comes from an email. */
  companyInvitation: (key?: string) => withQuery('/account/company/invitation', { key }),
  /** Without a code, the page for sending invitations; with one, the page an invitation leads to. */
  invite: (code?: string) => (code === undefined ? '/invite' : `/invite/${code}`),
  /** With what just happened, for the page to show. */
  membership: (news?: MembershipNews) => withQuery('/membership', { news }),
  membershipReturn: () => '/membership/return',
  partnerProgram: (news?: 'joined' | 'saved') => withQuery('/partner-program', { news }),
  partnerThanks: () => '/partner-program/thanks',
  employees: (news?: 'joined') => withQuery('/dt-employees', { news }),
  advocateDashboard: () => '/advocate-dashboard',
  /** `receipt`: why the visitor was led here from the address of one. */
  trackOrder: (query: { receipt?: 'expired'; order?: 'locked' } = {}) => withQuery('/track-your-order', query),
  trackResult: (orderId: number, access: { key?: string | undefined; look?: string | undefined } = {}) =>
    withQuery('/track-your-order/result', { order: orderId, key: access.key, look: access.look }),
  /** The work order for the shop; `key` comes from an email. */
  workOrder: (orderId: number, key?: string) => withQuery('/track-your-order/wo', { order: orderId, key }),
  workOrderPdf: (orderId: number, key?: string) => withQuery('/track-your-order/wo.pdf', { order: orderId, key }),
  /** Creates a return for an order, or shows the one with this ID. */
  orderReturn: (orderId: number, { returnId, key }: { returnId?: number | undefined; key?: string | undefined } = {}) =>
    withQuery('/track-your-order/return', { order: orderId, return: returnId, key }),
  returnLabels: (orderId: number, returnId: number, { tire, key }: { tire?: number; key?: string | undefined } = {}) =>
    withQuery('/track-your-order/return/labels.pdf', { order: orderId, return: returnId, tire, key }),
  /** With the key of an email. */
  orderDelay: (orderId: number, key?: string) => withQuery(`/track-your-order/delay/${orderId}`, { key }),
  receipt: (orderId: number, customerId: string, key?: string) =>
    withQuery(`/my_customers/pdf/${orderId}/${customerId}/Receipt_${orderId}.pdf`, { key }),
  /** A top-level Markdown page, either a fixed page or a landing page. */
  written: (slug: FixedPage | (string & {})) => `/${slug}`,
  privacyChoices: () => '/privacy-choices',
  termsOfSale: () => '/sales',
  faqs: () => '/faqs',
  help: (query?: string) => withQuery('/help-center', { q: query }),
  siteMap: () => '/sitemap',
  /** The unsubscribe page. Email links contain the sealed subscription. */
  /** A change of an order by its link, where its difference is paid. */
  orderChange: (token: string) => `/order-change/${encodeURIComponent(token)}`,
  /** Where the provider's page returns from paying it. */
  orderChangeReturn: (token: string) => `/order-change/${encodeURIComponent(token)}/return`,
  /** A quote by its link; posting there opens its cart. */
  quote: (token: string) => `/quote/${encodeURIComponent(token)}`,
  stopMails: () => '/stop-mails',
  /** What an address gets by email; links in emails carry the sealed address. */
  emailPreferences: () => '/email-preferences',
  contact: () => '/contact',
  contactThanks: () => '/contact/thanks',
  priceGuarantee: () => '/price-guarantee',
  /** With the number of the request that was just sent. */
  priceGuaranteeThanks: (request?: number) => withQuery('/price-guarantee/thanks', { request }),
  tireSales: () => '/tire-sales',
  tireSalesThanks: () => '/tire-sales/thanks',
  picture: (itemId: number, key: string, width: number, format: 'avif' | 'webp') =>
    `/pictures/${itemId}-${key}-${width}.${format}`,
  /** A picture that staff uploaded, by its key. */
  uploadedPicture: (key: string) => `/pictures/uploaded/${key}.webp`,
  frontPicture: (itemId: number, key: string, width: number, format: 'avif' | 'webp') =>
    `/pictures/front/${itemId}-${key}-${width}.${format}`,
  /** A tire's image in an email. */
  mailPicture: (itemId: number) => `/pictures/mail/${itemId}.png`,
  /** The preview image of a shared link. */
  sharePicture: (itemId: number, key: string) => `/pictures/share/${itemId}-${key}.png`,
  sitemapFile: (name: string) => `/sitemaps/${name}.xml`,
  storePicture: () => '/pictures/share/store.png',
  treadPicture: (itemId: number, key: string) => `/pictures/tread/${itemId}-${key}.svg`,
} as const

/** The outcome of an action, shown on the membership page. */
export type MembershipNews =
  | 'joined'
  | 'went-back'
  | 'not-paid'
  | 'too-many-cards'
  | 'processing'
  | 'unavailable'
  | 'refunded'
  | 'charge-pending'
  | 'reminders'
  | 'renewing'
  | 'stopped'

/** `path` with the parameters that have a value, in the given order. */
export function withQuery(path: string, parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== '',
  )
  if (given.length === 0) return path
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}
