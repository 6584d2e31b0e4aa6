/** The names of the sets, for `npm run verify`. */
export const referenceTables = {
  'ZIP codes': 'zip',
  vehicles: 'vehicle',
  'original tire sizes': 'oe_fitment',
  'models without listed sizes': 'known_model',
  'other names of models': 'model_alias',
  'tire brands': 'other_brand',
  'tire types': 'tire_type',
  categories: 'category',
} as const

/** Returns SQL for the number of rows in `table`, including rows that imports removed. */
export function countRows(table: (typeof referenceTables)[keyof typeof referenceTables]): string {
  return `((select count(*) from ${table}) + (select count(*) from import_change where entity = '${table}' and action = 'removed' and not undone))`
}
