/**
 * Files with other columns than a feed's. Each column of the feed gets its value from a column of the file, or the same
 * value in all rows.
 */
import { z } from 'zod'
import type { FeedKind } from './feed-kinds.ts'
import type { CellsByColumn, Feed } from './feed.ts'
import { checkHeader } from './header.ts'
import { longestColumn } from './office-form.ts'
import { attributePrefix, makeRowReader } from './file-rows.ts'
import { guessColumns, type ColumnSource } from './guess-columns.ts'
import { readForeignCell } from './foreign-cells.ts'

export const mostColumns = 300

const source = z.union([
  z.strictObject({ column: z.string().min(1).max(longestColumn) }),
  z.strictObject({ text: z.string().min(1).max(longestColumn) }),
])
const mapping = z.strictObject({
  header: z.array(z.string().max(longestColumn)).min(1).max(mostColumns),
  sources: z.record(z.string().max(60), source),
})

/**
 * `header` contains the file's columns in lowercase. `sources` maps feed columns to the file's columns or fixed values.
 */
export type ColumnMapping = z.output<typeof mapping>

/** Parses a stored mapping. Returns null if not found. */
export function readMapping(stored: unknown): ColumnMapping | null {
  return stored === null ? null : mapping.parse(stored)
}

/** A normalized header, in lowercase, without spaces around names and without empty columns at the end. */
export function toHeader(record: readonly string[]): string[] {
  const header = record.map((cell) => cell.trim().toLowerCase().slice(0, longestColumn))
  return header.slice(0, header.findLastIndex((column) => column !== '') + 1).slice(0, mostColumns)
}

/**
 * Reads a file's columns with an example each from its first rows, and guesses the source of each feed column. Reuses
 * `previous`, the mapping of an earlier file with the same header.
 */
export function offerColumns(
  kind: FeedKind,
  feed: Pick<Feed, 'columns'>,
  {
    header,
    rows,
    previous,
  }: { header: readonly string[]; rows: readonly CellsByColumn[]; previous: ColumnMapping | null },
): { columns: { name: string; example: string }[]; guessed: Record<string, ColumnSource> } {
  const read = makeRowReader(header)
  const whole = rows.map(read).filter((cells) => cells !== null)
  const names = [...new Set([...header, ...whole.flatMap((cells) => Object.keys(cells))])].filter((name) => name !== '')
  const columns = names.slice(0, mostColumns).map((name) => ({
    name,
    example: whole.map((cells) => cells[name] ?? '').find((value) => value !== '') ?? '',
  }))
  return { columns, guessed: previous?.sources ?? guessColumns(kind, feed.columns, columns) }
}

/** Whether a readable header has other columns than the feed's. An unreadable one is reported by the import itself. */
export function requiresMapping(
  header: readonly string[],
  feed: Pick<Feed, 'columns' | 'required' | 'either'>,
): boolean {
  return header.length > 1 && 'problems' in checkHeader(header, feed)
}

/** Returns a mapping's errors by feed column. Empty if it is valid. */
export function checkSources(
  feed: Pick<Feed, 'columns' | 'required' | 'either'>,
  { header, sources }: { header: readonly string[]; sources: Readonly<Record<string, ColumnSource>> },
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [column, from] of Object.entries(sources))
    if ('column' in from && !header.includes(from.column) && !from.column.startsWith(attributePrefix))
      faults[column] = 'This column is not in the file.'
  for (const column of feed.required)
    if (!sources[column]) faults[column] = 'Choose a column, or enter a value for all rows.'
  if (feed.either) {
    const { columns, isRequired } = feed.either
    const [one, other] = columns
    const count = columns.filter((column) => sources[column]).length
    if (count > 1) faults[other] = `Choose a column for ${one} or for ${other}, not both.`
    if (count === 0 && isRequired) faults[one] = `Choose a column for ${one} or for ${other}.`
  }
  return faults
}

/** The feed for a file with mapped columns. `makeReader` starts a new pass over the file's rows. */
export function mapFeed(feed: Feed, { header, sources }: ColumnMapping): Feed {
  return {
    ...feed,
    file: {
      columns: header,
      makeReader() {
        const read = makeRowReader(header)
        return (cells) => {
          const whole = read(cells)
          return whole && toFeedCells(whole, sources)
        }
      },
    },
  }
}

function toFeedCells(cells: CellsByColumn, sources: ColumnMapping['sources']): Record<string, string> {
  const mapped: Record<string, string> = {}
  for (const [column, from] of Object.entries(sources))
    mapped[column] = 'text' in from ? from.text : readForeignCell(column, cells[from.column] ?? '', from.column)
  // A product's name often starts with its brand.
  const { brand = '', line = '' } = mapped
  if (brand !== '' && line.toLowerCase().startsWith(`${brand.toLowerCase()} `))
    mapped['line'] = line.slice(brand.length).trim()
  return mapped
}
