/** What the files of the back office’s lists are made of. */
import type { CustomerFields } from '#app/views/customer-fields.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Shop } from '#shop'

export type Cell = string | number | null
/** The staff member who reads a file: their email, and what they see of customers. */
export type FileReader = { email: string; customers: CustomerFields }

export type OfficeFile = {
  header: readonly string[]
  batches(shop: Shop, query: URLSearchParams, reader: FileReader): AsyncGenerator<Cell[][]>
}

/** "2026-11-20 15:00", in the store's zone, which the header names. */
export const time = (at: Temporal.Instant | null): Cell =>
  at && at.toZonedDateTimeISO(storeZone).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
export const timed = (label: string) => `${label} (${storeZone})`
export const dollars = (cents: number | null): Cell => (cents === null ? null : (cents / 100).toFixed(2))

/** Reads page after page: `read` gets the place of a page, and returns its rows with the place of the next. */
export async function* inPages<Place>(
  read: (place: Place | null) => Promise<{ rows: Cell[][]; next: Place | null }>,
): AsyncGenerator<Cell[][]> {
  let place: Place | null = null
  do {
    const page: { rows: Cell[][]; next: Place | null } = await read(place)
    if (page.rows.length > 0) yield page.rows
    place = page.next
  } while (place !== null)
}

/** A list that is short enough for one page. */
export async function* atOnce<Row>(
  rows: Promise<readonly Row[]>,
  cells: (row: Row) => Cell[],
): AsyncGenerator<Cell[][]> {
  yield (await rows).map(cells)
}
