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
  'catalog/catalog-import': ['customers/customers'],
  'catalog/supplier-feeds': ['messaging/messages'],
  'customers/accounts': ['installer-portal/work-orders', 'ordering/checkout', 'ordering/orders'],
  'customers/programs': ['ordering/orders'],
  'installer-portal/appointments': ['operations/team-emails'],
  'kernel/content': ['catalog/promotions'],
  'kernel/settings': ['pricing/pricing', 'supply/delivery'],
  'kernel/staff': ['customers/accounts', 'messaging/messages'],
  'ordering/checkout': ['installer-portal/branded-stores'],
  'ordering/orders': ['installer-portal/appointments'],
  'payments/cart': ['catalog/catalog', 'catalog/vehicles', 'installer-portal/branded-stores'],
  'payments/invoices': ['messaging/messages'],
  'payments/store-credit': ['messaging/messages'],
  'pricing/price-tiers': ['catalog/catalog'],
  'supply/stock': ['catalog/fitment'],
}
