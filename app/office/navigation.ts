/**
 * The back-office pages by group for the sidebar, the menu page, and the command palette. Add a page here along with
 * its route. Staff see only the pages their roles can open. Each page also checks its own permission. Over 400 lines:
 * one entry per page.
 */
import { officePaths } from '#content/office-paths.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'

type OfficePageEntry = {
  name: string
  label: string
  path: string
  /** What the page itself requires. */
  permission: Permission
  /** The slugs of the task lists that make up the page's count. */
  queues?: readonly string[]
  /** Addresses outside of `path` that belong to this page. */
  under?: readonly string[]
}

export type OfficeGroup = {
  name: string
  label: string
  /** The icon, as path data in a box of 20 by 20. */
  icon: string
  pages: readonly OfficePageEntry[]
}

export const officeGroups: readonly OfficeGroup[] = [
  {
    name: 'home',
    label: 'Home',
    icon: 'M3 9.500 10 3.500l7 6V17h-5v-4.500H8V17H3z',
    pages: [{ name: 'home', label: 'Home', path: officePaths.office(), permission: 'office.open' }],
  },
  {
    name: 'orders',
    label: 'Orders',
    icon: 'M7 5h10M7 10h10M7 15h10M3.200 5h.6M3.200 10h.6M3.200 15h.6',
    pages: [
      {
        name: 'orders',
        label: 'All orders',
        path: officePaths.officeOrders(),
        permission: 'orders.read',
        queues: ['delays', 'to-confirm', 'fit-checks', 'undone-jobs', 'emails'],
      },
      {
        name: 'appointments',
        label: 'Appointments',
        path: officePaths.officeAppointments(),
        permission: 'orders.read',
      },
      { name: 'stored-sets', label: 'Stored sets', path: officePaths.officeStoredSets(), permission: 'orders.read' },
      {
        name: 'pickups',
        label: 'Pickups',
        path: officePaths.officePickups(),
        permission: 'pickups.read',
        queues: ['pickups-to-ready', 'pickups-missed'],
      },
      { name: 'parcels', label: 'Parcels to pack', path: officePaths.officeParcels(), permission: 'parcels.read' },
      { name: 'manifests', label: 'Manifests', path: officePaths.officeManifests(), permission: 'parcels.read' },
      {
        name: 'returns',
        label: 'Returns',
        path: officePaths.officeReturns(),
        permission: 'returns.read',
        queues: ['returns', 'missing-tires'],
      },
      {
        name: 'refunds',
        label: 'Refunds',
        path: officePaths.officeRefunds(),
        permission: 'refunds.read',
        queues: ['refunds', 'concessions'],
      },
      {
        name: 'quotes',
        label: 'Quotes',
        path: officePaths.officeQuotes(),
        permission: 'quotes.write',
        queues: ['quotes-ending', 'quote-approvals'],
      },
      {
        name: 'disputes',
        label: 'Disputes',
        path: officePaths.officeDisputes(),
        permission: 'disputes.read',
        queues: ['disputes'],
      },
      {
        name: 'held-orders',
        label: 'Held orders',
        path: officePaths.officeHeldOrders(),
        permission: 'held-orders.read',
        queues: ['held-orders'],
      },
    ],
  },
  {
    name: 'products',
    label: 'Products',
    icon: 'M2.500 10a7.500 7.500 0 1 0 15 0 7.500 7.500 0 0 0-15 0M6.700 10a3.300 3.300 0 1 0 6.600 0 3.300 3.300 0 0 0-6.600 0M10 2.500v2M10 15.500v2M2.500 10h2M15.500 10h2',
    pages: [
      { name: 'catalog', label: 'Catalog', path: officePaths.officeCatalog(), permission: 'catalog.read' },
      { name: 'tire-types', label: 'Tire types', path: officePaths.officeTireTypes(), permission: 'catalog.read' },
      { name: 'parts', label: 'Parts', path: officePaths.officeParts(), permission: 'catalog.read' },
      { name: 'stock', label: 'Stock', path: officePaths.officeStock(), permission: 'stock.read' },
      { name: 'warehouses', label: 'Warehouses', path: officePaths.officeWarehouses(), permission: 'warehouses.read' },
      { name: 'suppliers', label: 'Suppliers', path: officePaths.officeSuppliers(), permission: 'suppliers.read' },
      {
        name: 'purchasing',
        label: 'Purchasing',
        path: officePaths.officePurchaseOrders(),
        permission: 'suppliers.read',
        queues: ['orders-to-buy', 'supplier-rejected'],
      },
      { name: 'low-stock', label: 'Low stock', path: officePaths.officeLowStock(), permission: 'stock.read' },
      {
        name: 'stock-orders',
        label: 'Stock orders',
        path: officePaths.officeStockOrders(),
        permission: 'suppliers.read',
        queues: ['overdue-stock-orders'],
      },
      {
        name: 'supplier-returns',
        label: 'Supplier returns',
        path: officePaths.officeSupplierReturns(),
        permission: 'suppliers.read',
      },
      { name: 'imports', label: 'Imports', path: officePaths.officeImports(), permission: 'catalog.read' },
      { name: 'size-lists', label: 'Size lists', path: officePaths.officeSizeLists(), permission: 'catalog.read' },
      {
        name: 'supplier-feeds',
        label: 'Supplier feeds',
        path: officePaths.officeSupplierFeeds(),
        permission: 'catalog.read',
      },
      {
        name: 'google-listings',
        label: 'Google listings',
        path: officePaths.officeGoogleListings(),
        permission: 'catalog.read',
      },
      { name: 'recalls', label: 'Recalls', path: officePaths.officeRecalls(), permission: 'recalls.read' },
      {
        name: 'tire-registrations',
        label: 'Tire registrations',
        path: officePaths.officeTireRegistrations(),
        permission: 'tire-registrations.read',
        queues: ['tire-registrations'],
      },
    ],
  },
  {
    name: 'customers',
    label: 'Customers',
    icon: 'M4 7a2.700 2.700 0 1 0 5.400 0A2.700 2.700 0 0 0 4 7M2 16c.4-3 2-4.500 4.700-4.500S11 13 11.400 16M12.500 4.600a2.500 2.500 0 0 1 0 4.800M14 11.700c2.300.3 3.600 1.800 4 4.300',
    pages: [
      {
        name: 'customers',
        label: 'All customers',
        path: officePaths.officeCustomers(),
        permission: 'customers.read',
        queues: ['credit-approvals'],
      },
      {
        name: 'messages',
        label: 'Messages',
        path: officePaths.officeMessages(),
        permission: 'requests.read',
        queues: ['requests', 'bounces'],
      },
      {
        name: 'companies',
        label: 'Companies',
        path: officePaths.officeCompanies(),
        permission: 'companies.read',
        queues: ['companies', 'certificates', 'purchasing-documents'],
        under: ['/office/certificates'],
      },
      {
        name: 'reviews',
        label: 'Reviews',
        path: officePaths.officeReviews(),
        permission: 'reviews.read',
        queues: ['reviews'],
      },
      {
        name: 'claims',
        label: 'Coverage claims',
        path: officePaths.officeClaims(),
        permission: 'claims.read',
        queues: ['claims'],
      },
      {
        name: 'guarantees',
        label: 'Price guarantee',
        path: officePaths.officeGuarantees(),
        permission: 'guarantees.read',
        queues: ['guarantees'],
      },
    ],
  },
  {
    name: 'shops',
    label: 'Shops',
    icon: 'M3 8.500V17h14V8.500M2 8l2-4.500h12L18 8c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2M8 17v-4.500h4V17',
    pages: [
      {
        name: 'shops',
        label: 'All shops',
        path: officePaths.officeShops(),
        permission: 'shop-applications.read',
        queues: ['shop-profiles', 'shop-closings'],
      },
      {
        name: 'shop-applications',
        label: 'Applications',
        path: officePaths.officeShopApplications(),
        permission: 'shop-applications.read',
        queues: ['shop-applications'],
      },
      {
        name: 'shop-reports',
        label: 'Shop reports',
        path: officePaths.officeShopReports(),
        permission: 'shop-reports.read',
        queues: ['shop-reports'],
      },
      {
        name: 'certified-shops',
        label: 'Certification',
        path: officePaths.officeCertifiedShops(),
        permission: 'certifications.read',
      },
      {
        name: 'branded-stores',
        label: 'Branded stores',
        path: officePaths.officeBrandedStores(),
        permission: 'branded-stores.read',
      },
    ],
  },
  {
    name: 'pricing',
    label: 'Pricing',
    icon: 'M3 3.500h6.500l7.500 7.500-6 6L3 9.500zM5.700 7a1 1 0 1 0 2 0 1 1 0 0 0-2 0',
    pages: [
      { name: 'promotions', label: 'Promotions', path: officePaths.officePromotions(), permission: 'promotions.read' },
      { name: 'coupons', label: 'Coupons', path: officePaths.officeCoupons(), permission: 'promotions.read' },
      { name: 'rebates', label: 'Rebates', path: officePaths.officeRebates(), permission: 'promotions.read' },
      {
        name: 'price-lists',
        label: 'Price lists',
        path: officePaths.officePriceLists(),
        permission: 'price-lists.read',
      },
      {
        name: 'map-prices',
        label: 'MAP prices',
        path: officePaths.officeMapPrices(),
        permission: 'promotions.read',
        queues: ['below-map'],
      },
      {
        name: 'competitor-prices',
        label: 'Competitor prices',
        path: officePaths.officeCompetitorPrices(),
        permission: 'catalog.read',
      },
      { name: 'price-rules', label: 'Price rules', path: officePaths.officePriceRules(), permission: 'catalog.import' },
      { name: 'pay-later', label: 'Pay later', path: officePaths.officePayLater(), permission: 'promotions.read' },
      { name: 'content', label: 'Pages', path: officePaths.officeContent(), permission: 'content.edit' },
      { name: 'redirects', label: 'Redirects', path: officePaths.officeRedirects(), permission: 'redirects.edit' },
      {
        name: 'partners',
        label: 'Partners',
        path: officePaths.officePartners(),
        permission: 'partners.read',
        queues: ['partners'],
      },
    ],
  },
  {
    name: 'finance',
    label: 'Finance',
    icon: 'M2.500 5.500h15v9h-15zM8 10a2 2 0 1 0 4 0 2 2 0 0 0-4 0M5 8v4M15 8v4',
    pages: [
      { name: 'reports', label: 'Reports', path: officePaths.officeReports(), permission: 'reports.read' },
      {
        name: 'shop-pay',
        label: 'Shop pay',
        path: officePaths.officeShopPays(),
        permission: 'pay.read',
        queues: ['shop-pay'],
        under: [officePaths.officePayMatrix()],
      },
      {
        name: 'reconciliation',
        label: 'Reconciliation',
        path: officePaths.officeReconciliation(),
        permission: 'reconciliation.read',
        queues: ['reconciliation'],
      },
      {
        name: 'charges',
        label: 'Open payments',
        path: officePaths.officeCharges(),
        permission: 'money.watch',
        queues: ['unanswered-charges', 'ending-charges', 'uncaptured'],
      },
    ],
  },
  {
    name: 'settings',
    label: 'Settings',
    icon: 'M3 6h7m4 0h3M3 14h3m4 0h7M10 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0M6 14a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
    pages: [
      { name: 'setup', label: 'Store setup', path: officePaths.officeSetup(), permission: 'setup.read' },
      { name: 'settings', label: 'Store details', path: officePaths.officeSettings(), permission: 'settings.read' },
      {
        name: 'business-settings',
        label: 'Business settings',
        path: officePaths.officeBusinessSettings(),
        permission: 'settings.read',
      },
      {
        name: 'shipping-rates',
        label: 'Shipping rates',
        path: officePaths.officeShippingRates(),
        permission: 'settings.read',
      },
      { name: 'taxes', label: 'Taxes and fees', path: officePaths.officeTaxes(), permission: 'sales-tax.read' },
      { name: 'sales-tax', label: 'Sales tax', path: officePaths.officeSalesTax(), permission: 'sales-tax.read' },
      {
        name: 'fraud-rules',
        label: 'Fraud rules',
        path: officePaths.officeFraudRules(),
        permission: 'fraud-rules.manage',
      },
      {
        name: 'email-templates',
        label: 'Email templates',
        path: officePaths.officeEmailTemplates(),
        permission: 'requests.read',
      },
      { name: 'staff', label: 'Staff', path: officePaths.officeStaff(), permission: 'staff.read' },
      { name: 'api-clients', label: 'API clients', path: officePaths.officeApiClients(), permission: 'staff.manage' },
      {
        name: 'payment-pages',
        label: 'Payment pages',
        path: officePaths.officePaymentPages(),
        permission: 'payment-pages.read',
        queues: ['payment-pages'],
      },
      { name: 'webhooks', label: 'Webhooks', path: officePaths.officeWebhooks(), permission: 'webhooks.manage' },
      {
        name: 'failed-webhooks',
        label: 'Failed webhooks',
        path: officePaths.officeFailedWebhooks(),
        permission: 'webhooks.read',
      },
      { name: 'audit', label: 'Audit log', path: officePaths.officeAudit(), permission: 'audit.read' },
      {
        name: 'health',
        label: 'Health',
        path: officePaths.officeHealth(),
        permission: 'health.read',
        queues: ['jobs'],
      },
    ],
  },
]

type OfficeAction = { name: string; label: string; path: string; permission: Permission }

/** The command palette's actions. Each opens a form. */
export const officeActions: readonly OfficeAction[] = [
  { name: 'new-quote', label: 'New quote', path: officePaths.officeNewQuote(), permission: 'quotes.write' },
  { name: 'new-customer', label: 'Add customer', path: officePaths.officeNewCustomer(), permission: 'customers.edit' },
  { name: 'new-coupon', label: 'New coupon', path: officePaths.officeNewCoupon(), permission: 'promotions.edit' },
  {
    name: 'new-promotion',
    label: 'New promotion',
    path: officePaths.officeNewPromotion(),
    permission: 'promotions.edit',
  },
  { name: 'import', label: 'Import tires…', path: officePaths.officeImports(), permission: 'catalog.import' },
  { name: 'invite', label: 'Invite a team member…', path: officePaths.officeStaff(), permission: 'staff.manage' },
  { name: 'views', label: 'Edit saved views…', path: officePaths.officeViews(), permission: 'office.open' },
]

/** The actions in `names`. */
export function actionsWith(names: readonly string[]): OfficeAction[] {
  return officeActions.filter(({ name }) => names.includes(name))
}

/** Returns the page of a URL by the longest matching path. Returns undefined if no page matches. */
export function officePageAt(pathname: string): string | undefined {
  let found: { name: string; length: number } | undefined
  for (const { pages } of officeGroups)
    for (const { name, path, under = [] } of pages)
      for (const each of [path, ...under])
        if ((pathname === each || pathname.startsWith(`${each}/`)) && each.length > (found?.length ?? 0))
          found = { name, length: each.length }
  return found?.name === 'home' && pathname !== officePaths.office() ? undefined : found?.name
}

/** Formats a count. The underlying queries stop at 100. */
export function countText(count: number): string {
  return count > 99 ? '99+' : String(count)
}

/** Returns the groups with the pages in `names`, without empty groups. A group links to its first page. */
export function groupsWith(names: readonly string[]): OfficeGroup[] {
  return officeGroups
    .map((group) => ({ ...group, pages: group.pages.filter(({ name }) => names.includes(name)) }))
    .filter(({ pages }) => pages.length > 0)
}
