/** Folders that write another folder's tables. See `table-owners.ts`. */
import type { Table } from './table-owners.ts'

/** The folders, tables, and reasons. This list must only get shorter. */
export const otherWriters: readonly { folder: string; tables: readonly Table[]; why: string }[] = [
  {
    folder: 'domain/catalog/catalog-import',
    tables: ['brand', 'item', 'oe_fitment', 'product_line', 'size', 'stock', 'vehicle'],
    why: 'A feed is published and taken back in one transaction across all of them, row by row with what was before; nothing else writes the catalog.',
  },
  {
    folder: 'domain/customers/companies',
    tables: ['account'],
    why: 'Brand restrictions of an account are set with those brands, by one function for accounts and companies. The door of domain/customers/accounts opens onto companies already.',
  },
]
