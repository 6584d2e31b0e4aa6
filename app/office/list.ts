/** What an office list is made of, as its page gets it. Safe in the browser. */
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { IconName } from '#app/ui/icon.tsx'
import type { Tone } from '#app/ui/office/office-parts.tsx'

export type ListColumn = {
  key: string
  label: string
  /** Amounts and counts align right; in files, money is in dollars and times name the store's zone. */
  kind?: 'money' | 'count' | 'time'
  /** On a phone, the value has its label in front, for values that don't say what they are. */
  isLabeled?: boolean
  /** Shown from 976 px, where it has room. */
  isWide?: boolean
  /** The column can't be hidden. */
  isFixed?: boolean
  /** Shown only once chosen. Files always have it. */
  isOff?: boolean
  /** Only in files. */
  isFileOnly?: boolean
  /** Left out of exports because it repeats another column or contains a form. */
  isPageOnly?: boolean
  /** Left out for roles without it. */
  permission?: Permission
  /** Roles without it see a placeholder, or the company’s name where there is one. */
  revealedBy?: Permission
}

/**
 * `note` is the second line, `timer` the remaining time, `file` the text for exports, and `value` the raw value for the
 * API: amounts in cents, times in UTC. `tags` replace the text on pages. `hasAvatar` shows the initials of the text.
 */
export type CellParts = {
  text: string | number | null
  note?: string | null
  /** The third line, in roomy lists. */
  more?: string | null
  hasAvatar?: boolean
  tone?: Tone | undefined
  tags?: readonly { tone: Tone; words: string }[]
  path?: string | undefined
  timer?: { tone: Tone; words: string } | null
  file?: string | number | null
  value?: string | number | null
}
export type ListCell = string | number | null | CellParts

/** `label` is the row's accessible name. Rows without `path` aren't links. */
export type ListRow = {
  id: string
  label: string
  path: string | null
  cells: Readonly<Record<string, ListCell>>
  /** The ID in bulk actions, if it isn't the row's. Rows with the same one are selected together. */
  selectId?: string
  /** Names of bulk actions that the row doesn't allow. */
  unfit?: readonly string[]
}

export type ListChoice = readonly (readonly [value: string, label: string])[]

/** A filter: one of some values, a text, or the days from which to which (as `from` and `to`). */
export type ListFilter =
  | { kind: 'choice'; name: string; label: string; options: ListChoice }
  | { kind: 'text'; name: string; label: string; max: number }
  | { kind: 'days'; label: string }

/** The number of rows for the values of filters, by filter and value: "27" or "1,000+". */
export type FilterCounts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The names in an address that a filter reads. */
export function namesOf(filter: ListFilter): readonly string[] {
  return filter.kind === 'days' ? ['from', 'to'] : [filter.name]
}

/** The read-only preview of a row. */
export type ListPreview = {
  id: string
  title: string
  note: string
  path: string
  /** "Open order" */
  open: string
  clock: { title: string; note: string; share: number; tone: Tone } | null
  picture: { itemId: number; key: string } | null
  sections: readonly PreviewSection[]
}

export type PreviewSection = {
  title: string
  /** Lines of text; the first is strong where `isLead`. */
  lines?: readonly string[]
  isLead?: boolean
  good?: string | null
  facts?: readonly (readonly [label: string, value: string])[]
  sums?: readonly { label: string; note?: string; amount: string; kind: 'plain' | 'discount' | 'total' }[]
}

export type ListTab = {
  label: string
  path: string
  /** "27" or "99+"; null where it is not counted. */
  count: string | null
  isOn: boolean
  /** Who shared the saved view. */
  note: string | null
  isSaved: boolean
}

/**
 * An active filter. `without` is the URL without it. `left` counts the rows at that URL, shown only if the current list
 * is empty.
 */
export type ListChip = { label: string; value: string; without: string; left: string | null }

/** The content of a list's page before its first record. */
export type ListStart = {
  icon: IconName
  title: string
  text: string
  note: string
  links: readonly { label: string; path: string; isPrimary: boolean }[]
}

/** An office list as its page shows it. */
export type ListView = {
  name: string
  title: string
  path: string
  crumbs: readonly { label: string; path: string }[]
  /** The table's accessible caption, for example "Orders, newest first". */
  caption: string
  columns: readonly (ListColumn & {
    isShown: boolean
    /** The current order and the URL for the reverse order, for sortable columns only. */
    sort: { words: string; isAscending: boolean; path: string } | null
  })[]
  rows: readonly ListRow[]
  /** The third line of rows that the user can turn on; null for lists without one. */
  roomy: { text: string; isOn: boolean } | null
  /** What all rows come to. */
  facts: readonly { label: string; value: string }[]
  tabs: readonly ListTab[]
  chips: readonly ListChip[]
  filters: readonly ListFilter[]
  /** Whether the filter menu loads the number of rows for its values. */
  hasCounts: boolean
  /** The text filter shown as the search box. */
  find: { name: string; label: string; value: string } | null
  /** The query parameters, which the page's forms must resubmit. */
  values: Readonly<Record<string, string>>
  empty: string
  /** The number of rows, where all are on this page. */
  total: string | null
  newer: string | null
  older: string | null
  /** Where the address is saved as a view; null if it is a view already. */
  save: string | null
  /** Where views are deleted; null without any. */
  manage: string | null
  /** The file of all rows that match, and the one of the selected rows; null for roles that may not export. */
  file: string | null
  bulk: {
    field: string
    acts: readonly { name: string; label: string; action: string; isStop: boolean }[]
    /** The view to come back to, as the query of an address. */
    view: string
    /** "Select all 27", if the view has more rows than this page. */
    all: string | null
  } | null
  /** The rows that are selected when the page opens. */
  selected: readonly string[]
  links: readonly { label: string; path: string; isPrimary: boolean; hotkey: string | null }[]
  hasPreviews: boolean
  start: ListStart | null
  /** The status message after an action. */
  news: string | null
}
