/** Declares an office list, with one file per list in `lists/`, and its entry in `lists.server.ts`. */
import type { CustomerFields } from '#app/views/customer-fields.server.ts'
import type { OfficeListName, OfficeSession, Permission } from '#domain/kernel/staff/staff.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { BulkActs, RowId } from './bulk/act.server.ts'
import type { OfficeRecord } from './define-record.server.ts'
import type { CellParts, ListChoice, ListColumn, ListPreview, ListRow, ListStart } from './list.ts'
import type { ListShape } from './list-address.ts'

/** A list's user, and their access to customer data. */
export type ListReader = {
  app: Application
  session: OfficeSession
  customers: CustomerFields
  now: Temporal.Instant
  can(permission: Permission): boolean
}

/** The parameters of a list page. A cursor comes from the previous page, or from arbitrary URL text. */
export type ListQuery = {
  filters: Readonly<Record<string, string>>
  sort: string
  after: string | null
  before: string | null
  /** How many rows, for lists that can read more than a page. */
  limit: number
  /** Only these rows, for lists with export of selected rows. */
  ids: readonly string[] | null
  /** The filters, columns and order as the query of an address, for pages that lead back here. */
  view: string
}

/** A page. `next` is the following page's cursor; `prev` is the previous page's, in bidirectional lists. */
export type ListPage = { rows: ListRow[]; next: string | null; prev?: string | null }

/** The filters of a list and the cursor right before a row; null at the start of a list of one page. */
export type RowPlace = { filters?: Readonly<Record<string, string>>; after: string | null }

/** `isAtLeast`: there may be more than were looked at. */
export type ListCount = { count: number; isAtLeast: boolean }

/** How many rows each value of a filter would leave, by filter. `isAtLeast`: there may be more than were looked at. */
export type ListTally = { counts: Readonly<Record<string, Readonly<Record<string, number>>>>; isAtLeast: boolean }

export type ListDefinition = ListShape & {
  name: OfficeListName
  title: string
  permission: Permission
  /** For the file, if it takes more than reading the list. */
  exportPermission?: Permission
  /** The pages above this one. */
  crumbs?: readonly { label: string; path: string }[]
  /** "Orders, newest first" */
  caption: string
  /** The text of a list without rows and filters, unless it is "No orders yet." */
  empty?: string
  /** "order" and "orders", for the number of rows. */
  nouns: readonly [one: string, many: string]
  /** Reads a page by keyset, however many rows there are. */
  read(reader: ListReader, query: ListQuery): Promise<ListPage>
  /** Counts the rows of these filters up to 100, or among the newest few hundred. */
  count?(reader: ListReader, filters: Readonly<Record<string, string>>): Promise<ListCount>
  /** Counts the rows by the values of filters, among a limited number, when the filter menu opens. */
  tally?(reader: ListReader, filters: Readonly<Record<string, string>>): Promise<ListTally>
  /** The values of filters that are known only then. */
  choices?(reader: ListReader, filters: Readonly<Record<string, string>>): Promise<Readonly<Record<string, ListChoice>>>
  /** The keys of the columns that make sense with these filters; without it, all. */
  relevantColumns?(filters: Readonly<Record<string, string>>): readonly string[]
  /** What all rows of these filters come to, above the rows. */
  facts?(
    reader: ListReader,
    filters: Readonly<Record<string, string>>,
  ): Promise<readonly { label: string; value: string }[]>
  /** Returns what the page shows before the first record; null once there is one. */
  start?(reader: ListReader): Promise<ListStart | null>
  preview?(reader: ListReader, id: string): Promise<ListPreview | undefined>
  /** What programs read about one record, where no declared action reads it. */
  record?: OfficeRecord
  /** Where the row with this ID is, for programs that read one row of a list without records. */
  rowAt?(reader: ListReader, id: string): RowPlace | undefined | Promise<RowPlace | undefined>
  /** Reads one row in every state, for programs, where the list has only some of them. */
  readRow?(reader: ListReader, id: string): Promise<ListRow | undefined>
  /** Bulk actions on selected rows. */
  bulk?: BulkActs<RowId>
  /** Whether the file can be limited to selected rows. */
  exportsSelected?: boolean
  /** Result messages by the URL's `done` value. */
  news?: Readonly<Record<string, string>>
  /** Links next to the title. */
  links?: readonly { label: string; path: string; permission?: Permission; isPrimary?: boolean; hotkey?: string }[]
}

/** Declares a list. */
export function defineList(list: ListDefinition): ListDefinition {
  return list
}

/** In rows. */
export const rowsPerPage = 50

/** An amount: "$1,024.14" on the page, "1024.14" in a file; empty for null. */
export function money(cents: number | null, parts: Omit<CellParts, 'text' | 'file' | 'value'> = {}): CellParts {
  return {
    ...parts,
    text: cents === null ? null : formatCents(cents),
    file: cents === null ? null : dollars(cents),
    value: cents,
  }
}

export function dollars(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** A time of the store's zone: "Tue, Nov 24 · 9:30 AM" on the page, "2026-11-24 09:30" in a file; empty for null. */
export function time(at: Temporal.Instant | null, zone = storeZone): CellParts {
  return { text: at && timeText(at, zone), file: at && fileTime(at, zone), value: at && at.toString() }
}

/** A day: "Nov 24, 2026" on the page, "2026-11-24" in a file. */
export function day(date: Temporal.PlainDate | string): CellParts {
  const iso = date.toString()
  return { text: dateText(iso), file: iso, value: iso }
}

/** "2026-11-24 09:30" */
export function fileTime(at: Temporal.Instant, zone = storeZone): string {
  return at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
}

/** The heading of a column in a file. */
export function fileHeading({ label, kind }: ListColumn): string {
  return kind === 'money' ? `${label} in dollars` : kind === 'time' ? `${label} (${storeZone})` : label
}

/** A whole number that an address gives as a place; null for anything else. */
export function idPlace(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Returns where a row with a numeric ID is, in a list sorted by ID; undefined for other text. */
export function rowAtId(text: string, order: 'highest first' | 'lowest first'): RowPlace | undefined {
  const id = idPlace(text)
  if (id === null || id > highestRowId) return undefined
  return { after: String(order === 'highest first' ? id + 1 : id - 1) }
}

/** One below the largest integer of a database column. */
const highestRowId = 2_147_483_646

/** A list's predefined views by state, where the first one is the default. */
export function statesView<State extends string>(
  states: readonly State[],
  labels: Readonly<Record<State, string>>,
): NonNullable<ListShape['view']> {
  return { name: 'state', label: 'State', tabs: states.map((state) => [state, labels[state]] as const) }
}

/** Returns the state in the URL; defaults to the first one. */
export function stateOf<State extends string>(
  states: readonly State[],
  { filters }: Pick<ListQuery, 'filters'>,
): State {
  const state = states.find((each) => each === filters['state']) ?? states[0]
  if (state === undefined) throw new Error('A list needs a state')
  return state
}

/** The number of a place as a page gives it, or null. */
export const placeOfId = (id: number | null): string | null => (id === null ? null : String(id))

/** A list that fits on one page, such as pending decisions. */
export async function allRows<Item>(items: Promise<readonly Item[]>, row: (item: Item) => ListRow): Promise<ListPage> {
  return { rows: (await items).map(row), next: null }
}
