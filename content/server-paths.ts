/**
 * URLs that only the server builds. Their pages don't hydrate, and emails and other pages receive them as text.
 * Separate from `paths`, which every hydrated page loads.
 */
import { withQuery } from '#content/paths.ts'

/** Where a shopper verifies military service from. */
export type MilitaryFrom = 'cart' | 'payments' | 'account'

export const serverPaths = {
  /** Orders that await the company's approval, and the spending limits. */
  companyApprovals: (done?: string) => withQuery('/account/company/approvals', { done }),
  companyApproval: (id: string) => `/account/company/approvals/${encodeURIComponent(id)}`,
  /** What shipping costs for a tire, else for the cart. */
  shippingCost: (itemId?: number) => withQuery('/shipping-cost', { item: itemId }),
  /** What shopping agents may do. */
  agents: () => '/agents',
  /** A cart filled by a program, at its one-time link. */
  openCart: (token: string) => `/carts/open/${encodeURIComponent(token)}`,
  /** An appointment by its link; `show` opens a part of it, `to` a time to move to with one press. */
  appointment: (
    token: string,
    asked: {
      show?: 'times' | 'cancel' | 'shops' | 'offer' | 'list' | undefined
      day?: string | undefined
      to?: string | undefined
      shop?: number | undefined
      done?: string | undefined
    } = {},
  ) => withQuery(`/appointment/${encodeURIComponent(token)}`, asked),
  /** The same as a calendar file. */
  appointmentCalendar: (token: string) => `/appointment/${encodeURIComponent(token)}/calendar.ics`,
  /** An order by its link, to pay it again after its authorization ended. */
  payAgain: (token: string) => `/pay-again/${encodeURIComponent(token)}`,
  /** Where the provider's page returns from paying it. */
  payAgainReturn: (token: string) => `/pay-again/${encodeURIComponent(token)}/return`,
  /** The recalls for an order's tires. `key` comes from an email. */
  orderRecall: (orderId: number, key?: string) => withQuery(`/track-your-order/recall/${orderId}`, { key }),
  /** The rotation log of an order's tires. */
  tireLog: (orderId: number, done?: string) => withQuery(`/account/my-garage/tires/${orderId}`, { done }),
  /** The link that opens a visit from a purchasing system. */
  punchout: (token: string) => `/punchout/${encodeURIComponent(token)}`,
  /** Where the cart of such a visit is taken back from. */
  punchoutReturn: () => '/punchout/return',
  /** Ends such a visit. */
  punchoutLeave: () => '/punchout/leave',
  /** The cart's coupon page, which also receives its forms. */
  cartCoupons: () => '/cart/coupons',
  /** Verifies military service; `from` is where it leads back to. */
  militaryVerify: (asked: { from?: MilitaryFrom; done?: string } = {}) => withQuery('/military/verify', asked),
  /** Where the provider of verifications returns the browser. */
  militaryCallback: () => '/military/callback',
  /** An account's saved cards. `done` is the last action's result. */
  paymentMethods: (done?: string) => withQuery('/account/payment-methods', { done }),
  /** The return URL after saving a card. */
  cardSaved: () => '/account/payment-methods/saved',
  /** Stops a membership's renewal from an email's link. */
  stopRenewal: (token: string) => `/membership/stop-renewal/${encodeURIComponent(token)}`,
  /** The script that partners put on their pages. */
  widgetScript: () => '/widget.js' as const,
  /** A fixed version of the script, for pages with subresource integrity. */
  widgetScriptOf: (hash: string) => `/widget/v1/${hash}.js`,
  /** Where a service without tires is booked at a shop. */
  bookService: (chosen: { shop: string; service?: string; units?: number | undefined; day?: string }) =>
    withQuery('/book-service', chosen),
  /** Four tires, or two and two, with a time at one shop that was chosen elsewhere; `slot` as `openingValue` writes it. */
  bookTime: (chosen: { item: number; rear?: number | undefined; shop: string; slot: string }) =>
    withQuery('/book-time', chosen),
  /** A partner's months as a file. */
  partnerReport: () => '/partner-program/report.csv',
  /** An order of a company that needs a fleet packet; the same as a file. */
  fleetOrder: (orderId: number, done?: string) => withQuery(`/account/company/orders/${orderId}`, { done }),
  fleetPacketFile: (orderId: number) => `/account/company/orders/${orderId}/packet.json`,
  /** A fleet's vehicles with their tires, and the same as CSV. */
  companyVehicles: (before?: number) => withQuery('/account/company/vehicles', { before }),
  companyVehiclesFile: () => '/account/company/vehicles.csv',
  /** The list of fleet quotes with a form for a new one, and the page for one quote. */
  companyFleetQuotes: () => '/account/company/vehicles/quotes',
  companyFleetQuote: (id: string, done?: string) => withQuery(`/account/company/vehicles/quotes/${id}`, { done }),
  /** The webhooks of an account's company and widget; one of them, with its deliveries. */
  accountWebhooks: (done?: string) => withQuery('/account/webhooks', { done }),
  accountWebhook: (id: string, asked: { done?: string | undefined; before?: number | undefined } = {}) =>
    withQuery(`/account/webhooks/${id}`, asked),
  /** The quotes sent by a Sales Tool account. `before` is the page's cursor. */
  salesTool: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/account/sales-tool', asked),
  /** Creates a quote from the account's cart. `place` is the tires' destination. */
  newSalesQuote: (place?: string) => withQuery('/account/sales-tool/new', { place }),
  salesQuote: (id: number, done?: string) => withQuery(`/account/sales-tool/${id}`, { done }),
  /** The store's profile for platforms of shopping agents (Universal Commerce Protocol). */
  agentProfile: () => '/.well-known/ucp' as const,
  /** A checkout that a shopping agent prepared, by the link it was given. */
  agentCheckout: (token: string) => `/agent-checkout/${encodeURIComponent(token)}`,
  repairPal: () => '/repair-pal' as const,
  /** Where a visit leaves a branded store; a form posts here. */
  leaveStore: () => '/leave-store',
  coverageClaim: () => '/coverage-claim',
  /** Shown after a claim; its number is in the query. */
  coverageClaimThanks: (claim?: number) => withQuery('/coverage-claim/thanks', { claim }),
}
