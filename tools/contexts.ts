/**
 * The contexts of domain/, highest first. Each imports only itself and those below it; `contexts-downward` in
 * .dependency-cruiser.mjs checks that.
 */
export const contexts = [
  'operations',
  'aftercare',
  'installer-portal',
  'channels',
  'ordering',
  'customers',
  'messaging',
  'catalog',
  'payments',
  'pricing',
  'scheduling',
  'supply',
  'kernel',
]

/**
 * Imports that still point upward, from a folder to folders of a higher context. The list must only get shorter;
 * tools/borders.test.ts checks that each is still there.
 */
export const upwardImports: Readonly<Record<string, readonly string[]>> = {
  'catalog/catalog-import': ['customers/customers', 'ordering/checkout'],
  'catalog/supplier-feeds': ['messaging/messages'],
  'customers/accounts': [
    'aftercare/coverage-claims',
    'aftercare/price-guarantee',
    'aftercare/reviews',
    'channels/agents',
    'channels/approvals',
    'installer-portal/appointments',
    'installer-portal/shop-applications',
    'installer-portal/work-orders',
    'ordering/checkout',
    'ordering/orders',
    'ordering/quotes',
    'ordering/returns',
  ],
  'customers/companies': ['ordering/checkout'],
  'customers/customers': ['ordering/checkout'],
  'customers/programs': ['ordering/checkout', 'ordering/orders'],
  'installer-portal/appointments': ['operations/team-emails'],
  'kernel/content': ['catalog/promotions'],
  'kernel/settings': ['pricing/pricing', 'supply/delivery'],
  'kernel/staff': ['customers/accounts', 'messaging/messages'],
  'messaging/support': ['ordering/checkout', 'ordering/orders'],
  'ordering/checkout': ['installer-portal/branded-stores'],
  'ordering/orders': ['installer-portal/appointments'],
  'payments/cart': ['catalog/catalog', 'catalog/vehicles', 'installer-portal/branded-stores'],
  'payments/invoices': ['messaging/messages', 'ordering/orders'],
  'payments/store-credit': ['messaging/messages', 'ordering/orders'],
  'pricing/price-tiers': ['catalog/catalog'],
  'pricing/sales-tax': ['ordering/orders'],
  'supply/stock': ['catalog/fitment'],
}
