import { referenceTables } from '#db/reference/reference-data.ts'
import type { Invariant } from './invariants.ts'

const sets = Object.entries(referenceTables).map(([name, table]) => `('${name}', exists (select from ${table}))`)

/** A store without a set of reference data refuses imports, finds no ZIP code or fits no vehicle. */
export const referenceInvariants: readonly Invariant[] = [
  {
    name: 'reference-data-installed',
    severity: 'error',
    of: 'sets of reference data',
    statement: `select name || ' (run npm run migrate)' as what, is_there as holds from (values ${sets.join(', ')}) as reference_set (name, is_there)`,
  },
]
