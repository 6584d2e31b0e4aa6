/** Writes feeds that are tables, as CSV or as tab-separated text. */
import { feedFields, type FeedName } from './feed-fields.ts'

const formats = {
  csv: { separator: ',', cell: csvCell },
  tabs: { separator: '\t', cell: tabCell },
} as const

/** Yields a feed's column names, then one text per batch of rows. */
export async function* tableFeed(
  feed: FeedName,
  format: keyof typeof formats,
  batches: AsyncIterable<readonly (readonly (readonly [name: string, value: string])[])[]>,
): AsyncGenerator<string> {
  const { separator, cell } = formats[format]
  const columns = Object.keys(feedFields[feed])
  yield `${columns.join(separator)}\n`
  for await (const batch of batches)
    yield batch
      .map((row) => {
        const values = new Map(row)
        return `${columns.map((column) => cell(values.get(column) ?? '')).join(separator)}\n`
      })
      .join('')
}

function csvCell(value: string): string {
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Tab-separated text has no escapes, so a tab or line break becomes a space, and a quotation mark a double prime. */
function tabCell(value: string): string {
  return value.replaceAll(/[\t\n\r]/g, ' ').replaceAll('"', '″')
}
