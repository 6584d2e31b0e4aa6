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
  'catalog',
  'payments',
  'pricing',
  'scheduling',
  'supply',
  'messaging',
  'kernel',
]

/**
 * Imports that still point upward, from a folder to folders of a higher context. The list must only get shorter;
 * tools/borders.test.ts checks that each is still there.
 */
export const upwardImports: Readonly<Record<string, readonly string[]>> = {
  'catalog/catalog-import': ['customers/customers'],
  'pricing/price-tiers': ['catalog/catalog'],
}
