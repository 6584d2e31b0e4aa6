/**
 * The definition of a feed kind, with its columns and the conversion of cells to a staged row or a list of problems.
 */
import type { Insertable } from 'kysely'
import { countOf } from '#platform/count-text.ts'
import type { z } from 'zod'
import type { DB } from '#db/types.ts'
import type { FeedKind } from './catalog-import.ts'
import { longestCell } from './cells.ts'

/** Where the rows of each kind wait until they are published. */
export const stagingTables = {
  products: 'import_product',
  prices: 'import_price',
  stock: 'import_stock',
  fitment: 'import_fitment',
  'brand-fitment': 'import_brand_fitment',
  'item-data': 'import_item_data',
  'vehicle-codes': 'import_vehicle_code',
  'competitor-prices': 'import_competitor_price',
  customers: 'import_customer',
  orders: 'import_order',
} as const satisfies Record<FeedKind, string>
export type StagingTable = (typeof stagingTables)[FeedKind]
/** A staged row without the columns every staging table has. */
export type Staged<Table extends StagingTable> = Required<Omit<Insertable<DB[Table]>, 'run_id' | 'row_no' | 'refused'>>
export type StagedValue = string | number | boolean | null
type StagedRow = Readonly<Record<string, StagedValue>>

/** A problem in one cell, as reported. `column` is empty if it concerns the whole row. */
export type Problem = { column: string; value: string; problem: string; expected: string }

/** The cells of a row by column, trimmed. '' if empty or missing. */
export type CellsByColumn = Readonly<Record<string, string>>

/** ACES lists fitment, and PIES describes items. */
export type XmlStandard = 'aces' | 'pies'

export type Feed = {
  table: StagingTable
  /**
   * The columns of a file with other columns than the feed's. A reader converts the rows of one pass over the file,
   * from the first on, to feed cells. Returns null for a row without a record.
   */
  file?: { columns: readonly string[]; makeReader(): (cells: CellsByColumn) => CellsByColumn | null }
  /** The standard of its XML files. */
  xml?: XmlStandard | undefined
  /** Every column the header may have. */
  columns: readonly string[]
  required: readonly string[]
  /** Two alternative columns. The header must have one of them or, if not required, at most one. */
  either?: { columns: readonly [string, string]; isRequired: boolean } | undefined
  /** Columns of the staging table, in the order of the values below. */
  staged: readonly string[]
  /** A refused row still returns its key if readable. */
  read(cells: CellsByColumn): { row: StagedRow } | { problems: readonly Problem[]; key: StagedRow | null }
}

/** Creates a feed. `cells` parses each cell, `row` also checks them together, and `key` parses a refused row's key. */
export function makeFeed<Table extends StagingTable>(parts: {
  table: Table
  xml?: Feed['xml']
  columns: readonly string[]
  required: readonly string[]
  either?: Feed['either']
  staged: readonly (keyof Staged<Table> & string)[]
  row: z.ZodType<Staged<Table>, Record<string, string>>
  key: z.ZodType<Partial<Staged<Table>>, Record<string, string>>
}): Feed {
  const { row, key, ...rest } = parts
  return {
    ...rest,
    read(cells) {
      const tooLong = parts.columns.filter((column) => (cells[column]?.length ?? 0) > longestCell)
      if (tooLong.length > 0) return { problems: tooLong.map((column) => tooLongIn(column, cells)), key: null }
      const read = row.safeParse(cells)
      if (read.success) return { row: read.data as StagedRow }
      const known = key.safeParse(cells)
      return {
        problems: problemsOf(read.error, cells),
        key: known.success ? (known.data as StagedRow) : null,
      }
    },
  }
}

/** Reports that the cell of `column` contradicts others of the row. */
export function disagree(context: z.RefinementCtx, column: string, problem: string, expected: string): void {
  context.addIssue({ code: 'custom', path: [column], message: problem, params: { expected } })
}

/** Returns report texts for refused cells. */
export function problemsOf(error: z.ZodError, cells: CellsByColumn): Problem[] {
  return error.issues.map((issue) => toProblem(issue, cells))
}

function toProblem(issue: z.core.$ZodIssue, cells: CellsByColumn): Problem {
  const column = String(issue.path[0] ?? '')
  const expected: unknown = issue.code === 'custom' ? issue.params?.expected : undefined
  return {
    column,
    value: cells[column] ?? '',
    problem: issue.message,
    expected: typeof expected === 'string' ? expected : '',
  }
}

function tooLongIn(column: string, cells: CellsByColumn): Problem {
  const value = cells[column] ?? ''
  return {
    column,
    value: value.slice(0, 100),
    problem: `is ${countOf(value.length, 'character')} long`,
    expected: `at most ${countOf(longestCell, 'character')}`,
  }
}
