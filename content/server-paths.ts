/**
 * Addresses that only the server builds: their pages have no script, and emails and other pages get them as text. Apart
 * from `paths`, which every page with script loads.
 */
import { withQuery } from '#content/paths.ts'

/** Where a shopper verifies military service from. */
export type MilitaryFrom = 'cart' | 'payments' | 'account'

export const serverPaths = {
  /** Orders that wait for an approval of the company, and who orders how much alone. */
  companyApprovals: (done?: string) => withQuery('/account/company/approvals', { done }),
  companyApproval: (id: string) => `/account/company/approvals/${encodeURIComponent(id)}`,
  /** What shipping costs for a tire, else for the cart. */
  shippingCost: (itemId?: number) => withQuery('/shipping-cost', { item: itemId }),
  /** What shopping agents may do. */
  agents: () => '/agents',
  /** A cart that a program filled, by the link that hands it over once. */
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
  /** The recalls of an order's tires; `key` is that of an email. */
  orderRecall: (orderId: number, key?: string) => withQuery(`/track-your-order/recall/${orderId}`, { key }),
  /** The rotation log of the tires of an order. */
  tireLog: (orderId: number, done?: string) => withQuery(`/account/my-garage/tires/${orderId}`, { done }),
  /** The link that opens a visit from a purchasing system. */
  punchout: (token: string) => `/punchout/${encodeURIComponent(token)}`,
  /** Where the cart of such a visit is taken back from. */
  punchoutReturn: () => '/punchout/return',
  /** Ends such a visit. */
  punchoutLeave: () => '/punchout/leave',
  /** The coupon of the cart on a page of its own; forms post here too. */
  cartCoupons: () => '/cart/coupons',
  /** Verifies military service; `from` is where it leads back to. */
  militaryVerify: (asked: { from?: MilitaryFrom; done?: string } = {}) => withQuery('/military/verify', asked),
  /** Where the provider of verifications returns the browser. */
  militaryCallback: () => '/military/callback',
  /** The cards of an account; `done` is what became of the last act there. */
  paymentMethods: (done?: string) => withQuery('/account/payment-methods', { done }),
  /** Where the provider's page returns the owner of a card. */
  cardSaved: () => '/account/payment-methods/saved',
  /** Stops the renewal of a membership, by the link of an email. */
  stopRenewal: (token: string) => `/membership/stop-renewal/${encodeURIComponent(token)}`,
  /** The script that partners put on their pages. */
  widgetScript: () => '/widget.js' as const,
  /** The same, for a page that checks it (SRI): never another one. */
  widgetScriptOf: (hash: string) => `/widget/v1/${hash}.js`,
  /** Four tires, or two and two, with a time at one shop that was chosen elsewhere; `slot` as `openingValue` writes it. */
  bookTime: (chosen: { item: number; rear?: number | undefined; shop: string; slot: string }) =>
    withQuery('/book-time', chosen),
  /** A partner's months as a file. */
  partnerReport: () => '/partner-program/report.csv',
  /** An order of a company that needs a fleet packet; the same as a file. */
  fleetOrder: (orderId: number, done?: string) => withQuery(`/account/company/orders/${orderId}`, { done }),
  fleetPacketFile: (orderId: number) => `/account/company/orders/${orderId}/packet.json`,
  /** The vehicles of a fleet with their tires; the same as a file. */
  companyVehicles: (before?: number) => withQuery('/account/company/vehicles', { before }),
  companyVehiclesFile: () => '/account/company/vehicles.csv',
  /** Quotes for many vehicles: a new one and those before, and one of them. */
  companyFleetQuotes: () => '/account/company/vehicles/quotes',
  companyFleetQuote: (id: string, done?: string) => withQuery(`/account/company/vehicles/quotes/${id}`, { done }),
  /** The webhooks of an account's company and widget; one of them, with its deliveries. */
  accountWebhooks: (done?: string) => withQuery('/account/webhooks', { done }),
  accountWebhook: (id: string, asked: { done?: string | undefined; before?: number | undefined } = {}) =>
    withQuery(`/account/webhooks/${id}`, asked),
  /** The quotes that a Sales Tool account sent; `before` is where a page of them begins. */
  salesTool: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/account/sales-tool', asked),
  /** A new quote of the account's cart; `place` is where its tires go. */
  newSalesQuote: (place?: string) => withQuery('/account/sales-tool/new', { place }),
  salesQuote: (id: number, done?: string) => withQuery(`/account/sales-tool/${id}`, { done }),
  /** What the store says of itself to platforms of shopping agents (Universal Commerce Protocol). */
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
