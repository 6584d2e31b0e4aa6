import { countRows, referenceTables } from '#db/reference/reference-tables.ts'
import type { Invariant } from './invariants.ts'

const sets = Object.entries(referenceTables).map(([name, table]) => `('${name}', ${countRows(table)})`)

/** Without all reference data, a store refuses imports, finds no ZIP code, or fits no vehicle. */
export const referenceInvariants: readonly Invariant[] = [
  {
    name: 'reference-data-installed',
    severity: 'error',
    of: 'sets of reference data',
    statement: `
      select format('%s, %s of %s rows (run npm run migrate)', name, present, coalesce(installed.rows::text, 'unknown')) as what,
        coalesce(present > 0 and present >= installed.rows, false) as holds
      from (values ${sets.join(', ')}) as reference_set (name, present) left join reference_data as installed using (name)`,
  },
]
