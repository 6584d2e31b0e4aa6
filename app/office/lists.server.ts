/** Every office list; a new one is a file in `lists/` and a line here. */
import type { OfficeListName } from '#domain/kernel/staff/staff.ts'
import type { BulkAct, BulkActs, RowId } from './bulk/act.server.ts'
import type { ListDefinition } from './define-list.server.ts'
import { apiClients } from './lists/api-clients.server.ts'
import { appointments } from './lists/appointments.server.ts'
import { audit } from './lists/audit.server.ts'
import { brandedStores } from './lists/branded-stores.server.ts'
import { brands } from './lists/brands.server.ts'
import { catalog } from './lists/catalog.server.ts'
import { certifiedShops } from './lists/certified-shops.server.ts'
import { claims } from './lists/claims.server.ts'
import { certificates, companies } from './lists/companies.server.ts'
import { coupons } from './lists/coupons.server.ts'
import { customers } from './lists/customers.server.ts'
import { disputes } from './lists/disputes.server.ts'
import { googleListings } from './lists/google-listings.server.ts'
import { guarantees } from './lists/guarantees.server.ts'
import { imports } from './lists/imports.server.ts'
import { manifests } from './lists/manifests.server.ts'
import { messages } from './lists/messages.server.ts'
import { orders } from './lists/orders.server.ts'
import { employers, partners } from './lists/partners.server.ts'
import { parcels } from './lists/parcels.server.ts'
import { pickups } from './lists/pickups.server.ts'
import { mapPrices, priceLists } from './lists/price-lists.server.ts'
import { promotions } from './lists/promotions.server.ts'
import { purchaseOrders } from './lists/purchase-orders.server.ts'
import { quotes } from './lists/quotes.server.ts'
import { reportEntries } from './lists/report-entries.server.ts'
import { refunds } from './lists/refunds.server.ts'
import { returns } from './lists/returns.server.ts'
import { reviews } from './lists/reviews.server.ts'
import { shopApplications } from './lists/shop-applications.server.ts'
import { shopReports } from './lists/shop-reports.server.ts'
import { shops } from './lists/shops.server.ts'
import { lowStock } from './lists/low-stock.server.ts'
import { storedSets } from './lists/stored-sets.server.ts'
import { stockOrders } from './lists/stock-orders.server.ts'
import { supplierReturns } from './lists/supplier-returns.server.ts'
import { stock } from './lists/stock.server.ts'
import { content, settings, staff } from './lists/store.server.ts'
import { bounces, templates } from './lists/support.server.ts'
import { tireRegistrations } from './lists/tire-registrations.server.ts'
import { charges } from './lists/charges.server.ts'
import { reconciliation, shopPay } from './lists/finance.server.ts'
import { emailTemplates } from './lists/email-templates.server.ts'
import { heldOrders } from './lists/held-orders.server.ts'
import { redirects } from './lists/redirects.server.ts'
import { recalls } from './lists/recalls.server.ts'
import { rebates } from './lists/rebates.server.ts'
import { competitorPrices } from './lists/competitor-prices.server.ts'
import { sizeLists } from './lists/size-lists.server.ts'
import { supplierFeeds } from './lists/supplier-feeds.server.ts'
import { taxes } from './lists/taxes.server.ts'
import { parts } from './lists/parts.server.ts'
import { tireTypes } from './lists/tire-types.server.ts'
import { suppliers } from './lists/suppliers.server.ts'
import { warehouses } from './lists/warehouses.server.ts'
import { failedWebhooks } from './lists/failed-webhooks.server.ts'
import { webhooks } from './lists/webhooks.server.ts'

export const officeListDefinitions: readonly ListDefinition[] = [
  apiClients,
  pickups,
  parcels,
  manifests,
  appointments,
  storedSets,
  shops,
  webhooks,
  failedWebhooks,
  sizeLists,
  competitorPrices,
  supplierFeeds,
  googleListings,
  suppliers,
  taxes,
  rebates,
  warehouses,
  tireTypes,
  parts,
  emailTemplates,
  redirects,
  recalls,
  heldOrders,
  reconciliation,
  shopPay,
  charges,
  audit,
  brandedStores,
  brands,
  catalog,
  certifiedShops,
  claims,
  companies,
  certificates,
  coupons,
  customers,
  disputes,
  guarantees,
  imports,
  messages,
  orders,
  employers,
  partners,
  mapPrices,
  priceLists,
  promotions,
  purchaseOrders,
  quotes,
  refunds,
  reportEntries,
  returns,
  reviews,
  shopApplications,
  shopReports,
  stock,
  stockOrders,
  supplierReturns,
  lowStock,
  content,
  settings,
  staff,
  bounces,
  templates,
  tireRegistrations,
]

const byName = new Map(officeListDefinitions.map((list) => [list.name, list]))

/** The list of this name; undefined for any other word. */
export function listNamed(name: string | null | undefined): ListDefinition | undefined {
  return byName.get(name as OfficeListName)
}

/** Returns the bulk action with this URL name and its list. Returns undefined if the action isn't found. */
export function bulkActNamed(
  name: string,
): { act: BulkAct<RowId>; of: BulkActs<RowId>; list: ListDefinition } | undefined {
  for (const list of officeListDefinitions) {
    const { bulk } = list
    const act = bulk && Object.hasOwn(bulk.acts, name) ? bulk.acts[name] : undefined
    if (bulk && act) return { act, of: bulk, list }
  }
  return undefined
}

/** Returns the list at this path, with or without a slash at its end. Throws a 404 if the list doesn't exist. */
export function listAt(path: string): ListDefinition {
  const asked = path.endsWith('/') ? path.slice(0, -1) : path
  const list = officeListDefinitions.find((one) => one.path === asked)
  if (!list) throw new Response(null, { status: 404 })
  return list
}
