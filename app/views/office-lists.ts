/** The lists of the back office: where each is, who may read it, and which filters its address has. */
import { officePaths } from '#content/office-paths.ts'
import { longestViewQuery, officeLists, type OfficeListName, type Permission } from '#domain/staff/staff.ts'

export type OfficeList = {
  title: string
  path: string
  permission: Permission
  /** The filters, in the order in which an address has them; a place in the list is none. */
  filters: readonly string[]
}

export const officeListPages: Readonly<Record<OfficeListName, OfficeList>> = {
  orders: {
    title: 'Orders',
    path: officePaths.officeOrders(),
    permission: 'orders.read',
    filters: ['state', 'from', 'to', 'shop', 'company', 'fulfillment', 'q', 'columns', 'sort'],
  },
  returns: { title: 'Returns', path: officePaths.officeReturns(), permission: 'returns.read', filters: ['state'] },
  refunds: {
    title: 'Refunds',
    path: officePaths.officeRefunds(),
    permission: 'refunds.read',
    filters: ['state', 'reason', 'bearer', 'from', 'to'],
  },
  quotes: {
    title: 'Quotes',
    path: officePaths.officeQuotes(),
    permission: 'quotes.write',
    filters: ['state', 'email'],
  },
  companies: {
    title: 'Companies',
    path: officePaths.officeCompanies(),
    permission: 'companies.read',
    filters: ['state'],
  },
  certificates: {
    title: 'Tax certificates to check',
    path: officePaths.officeCompanies(),
    permission: 'certificates.read',
    filters: [],
  },
  partners: {
    title: 'Partner applications',
    path: officePaths.officePartners(),
    permission: 'partners.read',
    filters: [],
  },
  employers: { title: 'Employers', path: officePaths.officePartners(), permission: 'partners.read', filters: [] },
  'shop-applications': {
    title: 'Shop applications',
    path: officePaths.officeShopApplications(),
    permission: 'shop-applications.read',
    filters: ['state'],
  },
  'certified-shops': {
    title: 'Certified shops',
    path: officePaths.officeCertifiedShops(),
    permission: 'certifications.read',
    filters: [],
  },
  'branded-stores': {
    title: 'Branded stores',
    path: officePaths.officeBrandedStores(),
    permission: 'branded-stores.read',
    filters: ['state'],
  },
  'shop-reports': {
    title: 'Shop reports',
    path: officePaths.officeShopReports(),
    permission: 'shop-reports.read',
    filters: ['state'],
  },
  'tire-registrations': {
    title: 'Tire registrations',
    path: officePaths.officeTireRegistrations(),
    permission: 'tire-registrations.read',
    filters: ['show', 'maker'],
  },
  messages: {
    title: 'Messages',
    path: officePaths.officeMessages(),
    permission: 'requests.read',
    filters: ['show', 'kind', 'mine'],
  },
  bounces: { title: 'Bounced email', path: officePaths.officeBounces(), permission: 'requests.read', filters: [] },
  templates: {
    title: 'Answer templates',
    path: officePaths.officeTemplates(),
    permission: 'requests.read',
    filters: [],
  },
  guarantees: {
    title: 'Price guarantee',
    path: officePaths.officeGuarantees(),
    permission: 'guarantees.read',
    filters: ['state'],
  },
  claims: {
    title: 'Coverage claims',
    path: officePaths.officeClaims(),
    permission: 'claims.read',
    filters: ['state'],
  },
  reviews: { title: 'Reviews', path: officePaths.officeReviews(), permission: 'reviews.read', filters: ['state'] },
  reports: {
    title: 'Reports',
    path: officePaths.officeReports(),
    permission: 'reports.read',
    filters: ['month', 'from', 'to', 'compare', 'state', 'shop', 'type'],
  },
  staff: { title: 'Staff', path: officePaths.officeStaff(), permission: 'staff.read', filters: [] },
  audit: {
    title: 'Audit log',
    path: officePaths.officeAudit(),
    permission: 'audit.read',
    filters: ['who', 'what', 'subject', 'from', 'to'],
  },
  settings: { title: 'Settings', path: officePaths.officeSettings(), permission: 'settings.read', filters: [] },
  stock: { title: 'Stock', path: officePaths.officeStock(), permission: 'stock.read', filters: ['q', 'pool'] },
  purchases: {
    title: 'Purchase orders',
    path: officePaths.officePurchaseOrders(),
    permission: 'suppliers.read',
    filters: ['state'],
  },
  promotions: {
    title: 'Promotions',
    path: officePaths.officePromotions(),
    permission: 'promotions.read',
    filters: ['state'],
  },
  coupons: { title: 'Coupons', path: officePaths.officeCoupons(), permission: 'promotions.read', filters: ['state'] },
  'price-lists': {
    title: 'Price lists',
    path: officePaths.officePriceLists(),
    permission: 'price-lists.read',
    filters: [],
  },
  content: { title: 'Content', path: officePaths.officeContent(), permission: 'content.edit', filters: [] },
  'map-prices': {
    title: 'Minimum advertised prices',
    path: officePaths.officeMapPrices(),
    permission: 'promotions.read',
    filters: [],
  },
  catalog: {
    title: 'Catalog',
    path: officePaths.officeCatalog(),
    permission: 'catalog.read',
    filters: ['sku', 'brand', 'line', 'size', 'status'],
  },
  brands: { title: 'Brands', path: officePaths.officeBrands(), permission: 'catalog.read', filters: [] },
  imports: { title: 'Imports', path: officePaths.officeImports(), permission: 'catalog.read', filters: [] },
}

/** The list an address names; undefined for any other word. */
export function officeListNamed(name: string | null | undefined): OfficeListName | undefined {
  return officeLists.find((one) => one === name)
}

/** In characters; the longest filter is an email. */
const longestFilter = 254

/** The filters of an address as text, always in the same order and without what is not a filter; empty for none. */
export function filterText(list: OfficeListName, query: URLSearchParams): string {
  const kept = officeListPages[list].filters.flatMap((name) => {
    const value = (query.get(name) ?? '').replaceAll('\0', '').trim().slice(0, longestFilter)
    return value === '' ? [] : [[name, value]]
  })
  const text = new URLSearchParams(kept).toString()
  return text.length > longestViewQuery ? '' : text
}

/** The address of a list with these filters. */
export function listAddress(list: OfficeListName, filters: string): string {
  const { path } = officeListPages[list]
  return filters === '' ? path : `${path}?${filters}`
}
