/** Who writes past the owner of a table; see `table-owners.ts`. */
import type { Table } from './table-owners.ts'

/** Who writes what is another's, and why. Only to be shortened. */
export const otherWriters: readonly { folder: string; tables: readonly Table[]; why: string }[] = [
  {
    folder: 'domain/catalog-import',
    tables: ['brand', 'item', 'oe_fitment', 'product_line', 'size', 'stock', 'vehicle'],
    why: 'A feed is published and taken back in one transaction across all of them, row by row with what was before; nothing else writes the catalog.',
  },
  {
    folder: 'domain/companies',
    tables: ['account'],
    why: 'Brand restrictions of an account are set with those brands, by one function for accounts and companies. The door of domain/accounts opens onto companies already.',
  },
]
