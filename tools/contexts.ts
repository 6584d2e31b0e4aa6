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
