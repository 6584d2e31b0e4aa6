/** The addresses of the office. Over 400 lines: all pages. */
import { withQuery } from '#content/paths.ts'

/** Why the back office did not open. */
export type OfficeProblem = 'no-grant' | 'unverified' | 'verification-unstated'

/** The filters of the list of orders; `after` and `before` are the order next to the page. */
export type OrderFilters = {
  state?: string | undefined
  fulfillment?: string | undefined
  /** A state by its two letters. */
  destination?: string | undefined
  company?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The filters of the list of tires. */
export type CatalogFilters = {
  sku?: string | undefined
  brand?: string | undefined
  line?: number | undefined
  size?: string | undefined
  status?: string | undefined
}

/**
 * A report page's parameters (a month such as "2026-10" or a date range, and filters). An empty filter includes
 * everything.
 */
type ReportAsked = {
  month?: string | undefined
  from?: string | undefined
  to?: string | undefined
  compare?: string | undefined
  state?: string | undefined
  shop?: string | undefined
  type?: string | undefined
}

/** The addresses of the back office, separate from the store’s so that no shopper’s page loads them. */
/** Shipping zones of the store, or exceptions. */
export type ShippingRuleKind = 'zones' | 'exceptions'

export const officePaths = {
  /** Home: the figures of the store and what needs attention. */
  office: (asked: { period?: string | undefined } = {}) => withQuery('/office', asked),
  /** `again`: for staff who are signed in and must authenticate again. */
  officeSignIn: (asked: { back?: string; again?: 'yes' | undefined; problem?: OfficeProblem } = {}) =>
    withQuery('/office/sign-in', asked),
  /** Every page by group, for browsers without script below the width of the sidebar. */
  officeMenu: () => '/office/menu' as const,
  /** Folds and unfolds the sidebar. */
  officeSidebar: () => '/office/sidebar' as const,
  /** The task counts of each page, as JSON for the sidebar. */
  officeCounts: () => '/office/counts' as const,
  /** A queue's tasks, for tasks without their own page. */
  officeQueue: (slug: string) => `/office/queues/${slug}`,
  officeSignOut: () => '/office/sign-out' as const,
  officeOrders: (asked: OrderFilters & { after?: string; before?: string } = {}) => withQuery('/office/orders', asked),
  /** Every order that matches, as CSV. */
  officeOrdersFile: (asked: OrderFilters = {}) => withQuery('/office/orders.csv', asked),
  /** The page that starts the download of a file of the office, after a sign-in. */
  officeDownload: (file: string) => withQuery('/office/download', { file }),
  /** Orders, customers, tires, shops and companies by what people remember of them; `kind`: only one group of them. */
  officeSearch: (asked: { q?: string | undefined; kind?: string | undefined } = {}) =>
    withQuery('/office/search', asked),
  /** The top search results, as JSON for the search box. */
  officeFound: (q?: string) => withQuery('/office/search/found', { q }),
  /** Customers; without `view` all of them. */
  officeCustomers: (asked: { view?: string | undefined; q?: string | undefined; after?: string | undefined } = {}) =>
    withQuery('/office/customers', asked),
  officeNewCustomer: () => '/office/customers/new',
  officeCustomerContact: (id: string) => `/office/customers/${id}/contact`,
  /** Gives store credit to a customer, and lists earlier credits. `done` names the completed action. */
  officeCustomerCredit: (id: string, done?: string) => withQuery(`/office/customers/${id}/credit`, { done }),
  /** A customer, by customer ID or account ID. `done` names the completed action. */
  /** `messages`: only messages of this kind. */
  officeCustomer: (id: string, done?: string, messages?: 'email' | 'text' | 'note') =>
    withQuery(`/office/customers/${id}`, { done, messages }),
  officeCustomerVehicle: (id: string) => `/office/customers/${id}/vehicle`,
  /** Comparing a customer with another, found by email or id, to merge them. */
  officeCustomerMerge: (id: string, asked: { with?: string; done?: string | undefined } = {}) =>
    withQuery(`/office/customers/${id}/merge`, asked),
  officeCustomerErase: (id: string, done?: string) => withQuery(`/office/customers/${id}/erase`, { done }),
  /** The file of everything we store about a customer. */
  officeCustomerFile: (id: string) => `/office/customers/${id}/data.json`,
  officeCustomerType: (id: string, done?: string) => withQuery(`/office/customers/${id}/account-type`, { done }),
  officeCustomerDocument: (id: string, document: string) => `/office/customers/${id}/documents/${document}`,
  officeCustomerBlock: (id: string, done?: string) => withQuery(`/office/customers/${id}/block`, { done }),
  /** The store's onboarding. `done` names the completed action. */
  officeSetup: (done?: string) => withQuery('/office/setup', { done }),
  /** Appointments at all shops. */
  officeAppointments: (asked: { shop?: string } = {}) => withQuery('/office/appointments', asked),
  /** Sets that shops store for customers. */
  officeStoredSets: () => '/office/stored-sets' as const,
  /** Manufacturer rebates; `before`: older than that one. */
  officeRebates: (asked: { before?: number | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/rebates', asked),
  officeRebatesImport: () => '/office/rebates/import' as const,
  /** `new` for a rebate that is not there yet. */
  officeRebate: (id: string, done?: string) => withQuery(`/office/rebates/${id}`, { done }),
  officeSuppliers: (done?: string) => withQuery('/office/suppliers', { done }),
  /** `new` for a supplier that is not there yet. */
  officeSupplier: (id: string, done?: string) => withQuery(`/office/suppliers/${id}`, { done }),
  officeWarehouses: (done?: string) => withQuery('/office/warehouses', { done }),
  /** `new` for a warehouse that is not there yet. */
  officeWarehouse: (id: string, done?: string) => withQuery(`/office/warehouses/${id}`, { done }),
  officeWarehouseTransit: (id: string) => `/office/warehouses/${id}/transit`,
  officeWarehouseTransitFile: (id: string) => `/office/warehouses/${id}/transit.csv`,
  officeWarehouseClosing: (id: string, done?: string) => withQuery(`/office/warehouses/${id}/closing`, { done }),
  /** Every tire shop and van. */
  officeShops: (asked: { done?: string | undefined } = {}) => withQuery('/office/shops', asked),
  officeShopsImport: () => '/office/shops/import' as const,
  /** A tire shop or van, `new` for one that is not there yet; `to` opens the panel that pauses or closes it. */
  officeNewShop: () => '/office/shops/new' as const,
  officeShop: (
    code: string,
    asked: {
      done?: string | undefined
      to?: string | undefined
      from?: string | undefined
      through?: string | undefined
    } = {},
  ) => withQuery(`/office/shops/${encodeURIComponent(code)}`, asked),
  /** The hours and bays of a shop. */
  officeShopHours: (code: string, done?: string) =>
    withQuery(`/office/shops/${encodeURIComponent(code)}/hours`, { done }),
  /** The ZIP codes that a mobile installer serves. */
  officeShopArea: (code: string, done?: string) =>
    withQuery(`/office/shops/${encodeURIComponent(code)}/area`, { done }),
  officeShopPrices: (code: string, done?: string) =>
    withQuery(`/office/shops/${encodeURIComponent(code)}/prices`, { done }),
  /**
   * An order. `act` opens a form, `show` filters the timeline, `all` shows all of it, `view` is the query of the
   * previous list, `done` names the completed action, and `typed` contains the form's values.
   */
  officeOrder: (
    orderId: number,
    asked: {
      act?: string
      show?: string | undefined
      all?: string | undefined
      done?: string | undefined
      typed?: string
      view?: string | undefined
    } = {},
  ) => withQuery(`/office/orders/${orderId}`, asked),
  /** A sent email about an order. */
  officeOrderEmail: (orderId: number, messageId: string) => `/office/orders/${orderId}/emails/${messageId}`,
  /** An order action's form with the changes, or why the action is unavailable. */
  /** Changes an order's destination. `to` is the displayed destination, `zip` the ZIP code of the shop search. */
  officeOrderPlace: (orderId: number, asked: { to?: string; zip?: string } = {}) =>
    withQuery(`/office/orders/${orderId}/place`, asked),
  officeOrderAct: (orderId: number, act: string) => `/office/orders/${orderId}/${act}`,
  /** A bulk action. The list's form adds the rows. */
  officeBulk: (act: string) => `/office/bulk/${act}`,
  /** Orders that the fraud rules did not just let pass; without `state` those that wait for staff. */
  officeHeldOrders: (
    asked: { state?: string | undefined; before?: string | undefined; done?: string | undefined } = {},
  ) => withQuery('/office/held-orders', asked),
  officeHeldOrder: (orderId: number) => `/office/held-orders/${orderId}`,
  /** Charges that need people. */
  officeCharges: (done?: string) => withQuery('/office/charges', { done }),
  officeCharge: (paymentId: string, done?: string) => withQuery(`/office/charges/${paymentId}`, { done }),
  officeWebhooks: (done?: string) => withQuery('/office/webhooks', { done }),
  /** `new` for an endpoint that is not there yet; `before`: only deliveries older than that one. */
  officeWebhook: (id: string, asked: { done?: string | undefined; before?: number | undefined } = {}) =>
    withQuery(`/office/webhooks/${id}`, asked),
  officeFailedWebhooks: (done?: string) => withQuery('/office/webhooks/failed', { done }),
  officeDisputes: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/disputes', asked),
  officeDispute: (number: string, done?: string) => withQuery(`/office/disputes/${number}`, { done }),
  officeReconciliation: (asked: { before?: string | undefined } = {}) => withQuery('/office/reconciliation', asked),
  officeReconciliationCsv: () => '/office/reconciliation.csv' as const,
  officeReconciledDay: (provider: string, day: string, done?: string) =>
    withQuery(`/office/reconciliation/${provider}/${day}`, { done }),
  officeHealth: () => '/office/health' as const,
  /** The fraud rules. `rule` opens a rule's form, `kind` the form of a new one. */
  officeFraudRules: (asked: { rule?: number; kind?: string; done?: string | undefined } = {}) =>
    withQuery('/office/fraud-rules', asked),
  /** Price rules. `rule` opens the form of a rule, or of a new one with `new`. */
  officePriceRules: (asked: { rule?: string; done?: string | undefined } = {}) =>
    withQuery('/office/price-rules', asked),
  officeReviews: (asked: { state?: string | undefined; after?: string | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/reviews', asked),
  officeCertifiedShops: (asked: { before?: number | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/certified-shops', asked),
  officeBrandedStores: (
    asked: { state?: string | undefined; before?: number | undefined; done?: string | undefined } = {},
  ) => withQuery('/office/branded-stores', asked),
  officeClaims: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/claims', asked),
  officeClaim: (number: string, done?: string) => withQuery(`/office/claims/${number}`, { done }),
  officeClaimFile: (number: string) => `/office/claims/${number}/file`,
  officeGuarantees: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/guarantees', asked),
  officeGuarantee: (number: string, done?: string) => withQuery(`/office/guarantees/${number}`, { done }),
  officeGuaranteeFile: (number: string) => `/office/guarantees/${number}/file`,
  officeCompanies: (asked: { state?: string | undefined; after?: string | undefined } = {}) =>
    withQuery('/office/companies', asked),
  officeCompany: (id: string, done?: string) => withQuery(`/office/companies/${id}`, { done }),
  officePurchasing: (id: string, done?: string) => withQuery(`/office/companies/${id}/purchasing`, { done }),
  officeStatement: (id: string, month?: string) => withQuery(`/office/companies/${id}/statement`, { month }),
  officeCertificateFile: (id: string) => `/office/certificates/${id}/file`,
  officePartners: (done?: string) => withQuery('/office/partners', { done }),
  officeShopApplications: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/shop-applications', asked),
  officeShopApplication: (number: string, done?: string) => withQuery(`/office/shop-applications/${number}`, { done }),
  officeShopPicture: (number: string) => `/office/shop-applications/${number}/picture`,
  officePickups: (asked: { state?: string | undefined; warehouse?: string | undefined } = {}) =>
    withQuery('/office/pickups', asked),
  officePickup: (orderId: number, done?: string) => withQuery(`/office/pickups/${orderId}`, { done }),
  /** Parcels to pack now; `warehouse` is the code of one. */
  officeParcels: (asked: { warehouse?: string | undefined } = {}) => withQuery('/office/parcels', asked),
  officePickList: (asked: { warehouse?: string | undefined } = {}) => withQuery('/office/parcels/pick-list.pdf', asked),
  officeParcel: (id: string, done?: string) => withQuery(`/office/parcels/${id}`, { done }),
  officeParcelFile: (id: string, file: 'packing-slip.pdf' | 'label.pdf' | 'label.zpl') =>
    `/office/parcels/${id}/${file}`,
  /** Manifests; `warehouse` is the code of one. */
  officeManifests: (asked: { warehouse?: string | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/manifests', asked),
  officeManifest: (id: number, done?: string) => withQuery(`/office/manifests/${id}`, { done }),
  officeManifestFile: (id: number) => `/office/manifests/${id}/manifest.pdf`,
  /** The packing slips of several orders. The bulk action's form adds the order numbers. */
  officeParcelSlips: () => '/office/parcels/packing-slips.pdf',
  officeParcelLabels: () => '/office/parcels/labels.zpl',
  officeOrderSlips: () => '/office/orders/packing-slips.pdf',
  officePackingSlips: (orderId: number) => `/office/orders/${orderId}/packing-slips.pdf`,
  /** A photo that a shop took of an order’s job. */
  officeJobPhoto: (orderId: number, bookingId: string, kind: string) =>
    `/office/orders/${orderId}/photos/${bookingId}/${kind}`,
  officeShopReports: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/shop-reports', asked),
  officeShopReport: (number: string, done?: string) => withQuery(`/office/shop-reports/${number}`, { done }),
  officeShopReportPhoto: (number: string) => `/office/shop-reports/${number}/photo`,
  /** `done`: the number of the export that was just made. */
  officeTireRegistrations: (
    asked: {
      show?: string | undefined
      maker?: string | undefined
      before?: number | undefined
      done?: string | undefined
    } = {},
  ) => withQuery('/office/tire-registrations', asked),
  officeRecalls: (done?: string) => withQuery('/office/recalls', { done }),
  officeRecall: (
    campaign: string,
    asked: { show?: string | undefined; after?: number | undefined; done?: string | undefined } = {},
  ) => withQuery(`/office/recalls/${campaign}`, asked),
  officeTireRegistrationExport: (no: string) => `/office/tire-registrations/exports/${no}`,
  /** `key` is the link's secret. */
  officeFirstOwner: (key: string) => withQuery('/office/first-owner', { key }),
  officeStaff: (done?: string) => withQuery('/office/staff', { done }),
  /** `new` for a role that is not there yet. */
  officeStaffRole: (slug: string, done?: string) => withQuery(`/office/staff/roles/${slug}`, { done }),
  officeApiClients: (done?: string) => withQuery('/office/api-clients', { done }),
  /** `new` for a program that is not there yet. */
  officeApiClient: (id: string, done?: string) => withQuery(`/office/api-clients/${id}`, { done }),
  /** `state`: only returns with a tire in that state; `before`: older than that one. */
  officeReturns: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/returns', asked),
  officeOpenReturn: (orderId: number) => `/office/orders/${orderId}/return`,
  officeReturn: (id: number, done?: string) => withQuery(`/office/returns/${id}`, { done }),
  /** `state`: a tab; `after`: the place that the page comes after. */
  officeRefunds: (
    asked: {
      state?: string | undefined
      reason?: string | undefined
      bearer?: string | undefined
      from?: string | undefined
      to?: string | undefined
      after?: string | undefined
    } = {},
  ) => withQuery('/office/refunds', asked),
  officeReturnLabels: (id: number) => `/office/returns/${id}/labels.pdf`,
  officeReturnPhoto: (id: number, no: number) => `/office/returns/${id}/photos/${no}`,
  officeMessages: (
    asked: {
      show?: 'open' | 'closed' | undefined
      kind?: 'contact' | 'lead' | undefined
      mine?: 'yes' | undefined
      after?: string | undefined
    } = {},
  ) => withQuery('/office/messages', asked),
  /** `template` is a reply template. `done` names the completed action. */
  officeMessage: (id: number, asked: { template?: number | undefined; done?: string | undefined } = {}) =>
    withQuery(`/office/messages/${id}`, asked),
  /** Without a reply, the file that came with the message itself. */
  officeMessageFile: (id: number, reply?: number, place?: number) =>
    withQuery(`/office/messages/${id}/file`, { reply, place }),
  officeTemplates: (asked: { edit?: number | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/messages/templates', asked),
  officeBounces: (done?: string) => withQuery('/office/messages/bounces', { done }),
  officeRedirects: (done?: string) => withQuery('/office/redirects', { done }),
  /** The redirect of an old address, or a new one without it. */
  officeRedirect: (asked: { from?: string | undefined } = {}) => withQuery('/office/redirects/edit', asked),
  /** Scripts and checks of the pages with card fields or wallets; `done` is the action that was just performed. */
  officePaymentPages: (done?: string) => withQuery('/office/payment-pages', { done }),
  /** The same as a PDF for an assessor. */
  officePaymentPagesFile: () => '/office/payment-pages.pdf' as const,
  /** Every kind of email the store sends. */
  officeEmailTemplates: () => '/office/email-templates' as const,
  /** The template for a kind of email. `order` is the number of the order to use in the preview. */
  officeEmailTemplate: (kind: string, asked: { order?: string | undefined; done?: string | undefined } = {}) =>
    withQuery(`/office/email-templates/${kind}`, asked),
  officeAudit: (
    asked: {
      who?: string | undefined
      what?: string | undefined
      subject?: string | undefined
      from?: string | undefined
      to?: string | undefined
      before?: number | undefined
    } = {},
  ) => withQuery('/office/audit', asked),
  officeReports: (asked: ReportAsked = {}) => withQuery('/office/reports', asked),
  /** `done` names the completed action on its emails. */
  officeReport: (report: string, asked: ReportAsked & { done?: string | undefined } = {}) =>
    withQuery(`/office/reports/${report}`, asked),
  /** The records behind a report cell. `row` is its row's label, `shop` a code, and `of` its column. */
  officeReportEntries: (asked: {
    report?: string | undefined
    from?: string | undefined
    to?: string | undefined
    state?: string | undefined
    row?: string | undefined
    shop?: string | undefined
    type?: string | undefined
    of?: string | undefined
  }) => withQuery('/office/reports/entries', asked),
  /** Without a report, all of them. */
  officeReportsCsv: (asked: ReportAsked & { report?: string | undefined }) => withQuery('/office/reports.csv', asked),
  officeContent: () => '/office/content' as const,
  officeContentNew: () => '/office/content/new' as const,
  /** `from` is the version to edit. */
  officeContentPage: (slug: string, asked: { from?: number | undefined; done?: string | undefined } = {}) =>
    withQuery(`/office/content/${slug}`, asked),
  officeContentVersion: (slug: string, id: number, asked: { done?: string | undefined } = {}) =>
    withQuery(`/office/content/${slug}/${id}`, asked),
  /** A version as shoppers will see it. */
  officeContentPreview: (slug: string, id: number) => `/office/content/${slug}/${id}/preview`,
  officeSettings: (asked: { done?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/settings', asked),
  officeBusinessSettings: (asked: { done?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/business-settings', asked),
  /** `version`: a time with rates to restore. */
  officeShippingRates: (
    asked: { done?: string | undefined; before?: number | undefined; version?: string | undefined } = {},
  ) => withQuery('/office/shipping-rates', asked),
  /** `id` is `new` for one to add. */
  officeShippingRule: (kind: ShippingRuleKind, id: number | string, asked: { done?: string | undefined } = {}) =>
    withQuery(`/office/shipping-rates/${kind}/${encodeURIComponent(id)}`, asked),
  /** `q`: a SKU, brand, line or size; `pool` or `warehouse`: only tires that it has; `after`: the tires after that one. */
  officeStock: (
    asked: {
      q?: string | undefined
      pool?: string | undefined
      warehouse?: string | undefined
      after?: number | undefined
    } = {},
  ) => withQuery('/office/stock', asked),
  /** `state`: only those; `before`: older than that one. */
  officePurchaseOrders: (asked: { state?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/stock/purchase-orders', asked),
  /** `done` names the saved record. */
  officePurchaseOrder: (id: number, done?: string) => withQuery(`/office/stock/purchase-orders/${id}`, { done }),
  /** Tires at or below their reorder point. */
  officeLowStock: () => '/office/stock/low' as const,
  /** Stock orders, optionally by state or warehouse. */
  officeStockOrders: (asked: { state?: string | undefined; warehouse?: string | undefined } = {}) =>
    withQuery('/office/stock/orders', asked),
  /** `new` for a stock order that is not there yet. */
  officeStockOrder: (id: string, done?: string) => withQuery(`/office/stock/orders/${id}`, { done }),
  officeSupplierReturns: (asked: { state?: string | undefined } = {}) => withQuery('/office/stock/returns', asked),
  officeSupplierReturn: (id: string, done?: string) => withQuery(`/office/stock/returns/${id}`, { done }),
  officeStockOrderReceive: (id: string) => `/office/stock/orders/${id}/receive`,
  /** The stock order as a CSV file for its supplier. */
  officeStockOrderFile: (id: string) => `/office/stock/orders/${id}/order.csv`,
  /** The stock of one tire in each warehouse. */
  officeStockItem: (itemId: number, done?: string) => withQuery(`/office/stock/${itemId}`, { done }),
  officeCoupons: (asked: { state?: string | undefined; after?: string | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/coupons', asked),
  /** The promotions of pay-later methods. */
  officePayLater: (asked: { done?: string | undefined } = {}) => withQuery('/office/pay-later', asked),
  officeCoupon: (id: number, asked: { done?: string | undefined } = {}) => withQuery(`/office/coupons/${id}`, asked),
  /** A form for a draft; `from`: the coupon that it replaces. */
  officeNewCoupon: (asked: { from?: number | undefined } = {}) => withQuery('/office/coupons/new', asked),
  officeCouponsImport: () => '/office/coupons/import' as const,
  officeCouponsCsv: (asked: { state?: string | undefined } = {}) => withQuery('/office/coupons.csv', asked),
  officeMapPrices: (
    asked: {
      after?: number | undefined
      done?: string | undefined
      state?: 'below' | undefined
      /** The ID of a tire, to set its price. */
      tire?: number | undefined
    } = {},
  ) => withQuery('/office/map-prices', asked),
  officeMapPricesCsv: () => '/office/map-prices.csv' as const,
  officePriceLists: (asked: { after?: number | undefined } = {}) => withQuery('/office/price-lists', asked),
  officePriceListsCsv: () => '/office/price-lists.csv' as const,
  officePriceList: (slug: string, asked: { done?: string | undefined } = {}) =>
    withQuery(`/office/price-lists/${slug}`, asked),
  officePriceListVersion: (
    slug: string,
    id: number,
    asked: { done?: string | undefined; after?: number | undefined } = {},
  ) => withQuery(`/office/price-lists/${slug}/${id}`, asked),
  officePriceListEntriesCsv: (slug: string, id: number) => `/office/price-lists/${slug}/${id}/rules.csv`,
  /** Sales tax rates. `after` is the previous page's last row, `file` an uploaded file. */
  officeSalesTax: (
    asked: {
      after?: string | undefined
      /** The order before the page of estimated ones. */
      before?: number | undefined
      file?: number | undefined
      done?: string | undefined
    } = {},
  ) => withQuery('/office/sales-tax', asked),
  /** Rates, fees and taxability by state. */
  officeTaxes: (asked: { state?: 'unverified' | 'updated' | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/taxes', asked),
  /** The import of a file of taxes and fees. */
  officeTaxesImport: () => '/office/taxes/import' as const,
  /** One state, by its code. */
  officeTax: (state: string, done?: string) => withQuery(`/office/taxes/${state}`, { done }),
  officeSalesTaxCsv: () => '/office/sales-tax.csv' as const,
  officePromotionsCsv: (asked: { state?: string | undefined } = {}) => withQuery('/office/promotions.csv', asked),
  officePromotions: (asked: { state?: string | undefined; after?: string | undefined } = {}) =>
    withQuery('/office/promotions', asked),
  /** `key`: "d12" for a draft, "p12" for a promotion. */
  officePromotion: (key: string, asked: { done?: string | undefined } = {}) =>
    withQuery(`/office/promotions/${key}`, asked),
  /** A form for a draft; `from`: the promotion that it replaces. */
  officeNewPromotion: (asked: { from?: number | undefined } = {}) => withQuery('/office/promotions/new', asked),
  /** Shops with what they are owed; `after` is the code before the page. */
  officeShopPays: (asked: { after?: string } = {}) => withQuery('/office/shop-pay', asked),
  /** With `week`, its Monday, lists that week's and the previous week's jobs. */
  officeShopPay: (code: string, done?: string, { week }: { week?: string | undefined } = {}) =>
    withQuery(`/office/shop-pay/${encodeURIComponent(code)}`, { done, week }),
  officePayDisputePhoto: (code: string, dispute: string) =>
    `/office/shop-pay/${encodeURIComponent(code)}/disputes/${dispute}/photo`,
  officeShopPayYear: (asked: { year?: number } = {}) => withQuery('/office/shop-pay-1099.csv', asked),
  officePayMatrix: (asked: { done?: string | undefined } = {}) => withQuery('/office/pay-matrix', asked),
  /** Tires by SKU; `after` is the SKU before the page. */
  officeCatalog: (asked: CatalogFilters & { after?: string | undefined } = {}) => withQuery('/office/catalog', asked),
  officeCatalogFile: (asked: CatalogFilters = {}) => withQuery('/office/catalog.csv', asked),
  officeItem: (id: number, done?: string) => withQuery(`/office/catalog/items/${id}`, { done }),
  officeItemForm: (id: number) => `/office/catalog/items/${id}/edit`,
  officeBrands: (asked: { after?: string | undefined } = {}) => withQuery('/office/catalog/brands', asked),
  officeNewBrand: () => '/office/catalog/brands/new' as const,
  officeNewLine: (brandId: number) => `/office/catalog/brands/${brandId}/new-model`,
  officeNewTire: (lineId: number) => `/office/catalog/lines/${lineId}/new-tire`,
  officeBrand: (id: number, asked: { after?: string | undefined; done?: string | undefined } = {}) =>
    withQuery(`/office/catalog/brands/${id}`, asked),
  officeLine: (id: number, done?: string) => withQuery(`/office/catalog/lines/${id}`, { done }),
  /** Tire types and their categories. `kind` shows only one of both. */
  officeTireTypes: (asked: { kind?: 'types' | 'categories' | undefined; done?: string | undefined } = {}) =>
    withQuery('/office/tire-types', asked),
  /** `new` for one that is not there yet; then `name` fills the form, and `from` is the import to go back to. */
  officeTireType: (
    level: 'types' | 'categories',
    slug: string,
    asked: { done?: string | undefined; name?: string | undefined; from?: number | undefined } = {},
  ) => withQuery(`/office/tire-types/${level}/${slug}`, asked),
  /** Parts that are sold with tires, by SKU. */
  officeParts: (asked: { done?: string | undefined } = {}) => withQuery('/office/parts', asked),
  officePartsImport: () => '/office/parts/import' as const,
  /** `new` for a part that is not there yet. */
  officePart: (sku: string, asked: { done?: string | undefined; kind?: string | undefined } = {}) =>
    withQuery(`/office/parts/${sku}`, asked),
  officeImports: (asked: { before?: number | undefined } = {}) => withQuery('/office/imports', asked),
  officeImportsFile: () => '/office/imports.csv' as const,
  officeImportColumns: (upload: string, asked: { kind: string; mode: string }) =>
    withQuery(`/office/imports/columns/${upload}`, asked),
  /** `done` names the requested action. */
  officeImport: (id: number, done?: string) => withQuery(`/office/imports/${id}`, { done }),
  /** What a run changes, or the rows it refuses, as CSV. */
  officeImportFile: (id: number, file: 'changes' | 'refused') => `/office/imports/${id}/${file}.csv`,
  officeCompetitorPrices: () => '/office/competitor-prices' as const,
  officeSizeLists: (done?: string) => withQuery('/office/size-lists', { done }),
  officeSizeList: (slug: string) => `/office/size-lists/${slug}`,
  officeGoogleListings: (done?: string) => withQuery('/office/google-listings', { done }),
  officeSupplierFeeds: (done?: string) => withQuery('/office/supplier-feeds', { done }),
  /** `new` for a feed that is not there yet. */
  officeSupplierFeed: (id: string, done?: string) => withQuery(`/office/supplier-feeds/${id}`, { done }),
  officeQuotes: (asked: { state?: string | undefined; email?: string | undefined; before?: number | undefined } = {}) =>
    withQuery('/office/quotes', asked),
  /** `customer` is the customer to prefill with name, contact, and account. */
  officeNewQuote: (asked: { customer?: string } = {}) => withQuery('/office/quotes/new', asked),
  officeQuote: (
    id: number,
    asked: { done?: string | undefined; q?: string | undefined; v?: string | undefined } = {},
  ) => withQuery(`/office/quotes/${id}`, asked),
  /** The signed-in person's own account in the office. */
  officeAccount: (done?: string) => withQuery('/office/account', { done }),
  /** The saved views of one list, or of all. With `filters`, the form that saves them as a named view. */
  officeViews: (asked: { list?: string; filters?: string; done?: string | undefined } = {}) =>
    withQuery('/office/views', asked),
  /** A list's rows that match `filters`, its URL parameters, as CSV. */
  officeListFile: (list: string, filters = '') => `/office/export/${list}${filters === '' ? '' : `?${filters}`}`,
} as const
