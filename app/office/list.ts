/** What an office list is made of, as its page gets it. Safe in the browser. */
import type { Permission } from '#domain/staff/staff.ts'
import type { Tone } from '#app/ui/office/office-parts.tsx'

export type ListColumn = {
  key: string
  label: string
  /** Amounts and counts align right; in files, money is in dollars and times name the store's zone. */
  kind?: 'money' | 'count' | 'time'
  /** Always shown: it is no choice. */
  isFixed?: boolean
  /** Shown only once chosen. Files always have it. */
  isOff?: boolean
  /** Only in files. */
  isFileOnly?: boolean
  /** Not in files: it says what another column does, or holds a form. */
  isPageOnly?: boolean
  /** Left out for roles without it. */
  permission?: Permission
}

/**
 * `note` is the second line, `timer` what is left, `file` what a file has in place of `text`, and `value` what programs
 * get: amounts in cents, times in UTC.
 */
export type CellParts = {
  text: string | number | null
  note?: string | null
  tone?: Tone | undefined
  path?: string | undefined
  timer?: { tone: Tone; words: string } | null
  file?: string | number | null
  value?: string | number | null
}
export type ListCell = string | number | null | CellParts

/** `label` names the row to a screen reader; without `path` it opens nothing. */
export type ListRow = { id: string; label: string; path: string | null; cells: Readonly<Record<string, ListCell>> }

export type ListChoice = readonly (readonly [value: string, label: string])[]

/** A filter: one of some values, a text, or the days from which to which (as `from` and `to`). */
export type ListFilter =
  | { kind: 'choice'; name: string; label: string; options: ListChoice }
  | { kind: 'text'; name: string; label: string; max: number }
  | { kind: 'days'; label: string }

/** The names in an address that a filter reads. */
export function namesOf(filter: ListFilter): readonly string[] {
  return filter.kind === 'days' ? ['from', 'to'] : [filter.name]
}

/** What the preview of a row shows: it answers the first questions and changes nothing. */
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
  /** Of a saved view: who shared it. */
  note: string | null
  isSaved: boolean
}

/** A filter that is set, with the address without it; `left` is how many rows that shows, where this shows none. */
export type ListChip = { label: string; value: string; without: string; left: string | null }

/** An office list as its page shows it. */
export type ListView = {
  name: string
  title: string
  path: string
  crumbs: readonly { label: string; path: string }[]
  /** What stands above the rows for those who cannot see the page: "Orders, newest first". */
  caption: string
  columns: readonly (ListColumn & {
    isShown: boolean
    /** In a column that orders the list: its present order, and the address with the other one. */
    sort: { words: string; isAscending: boolean; path: string } | null
  })[]
  rows: readonly ListRow[]
  /** What all rows come to. */
  facts: readonly { label: string; value: string }[]
  tabs: readonly ListTab[]
  chips: readonly ListChip[]
  filters: readonly ListFilter[]
  /** The text filter that has a search box of its own. */
  find: { name: string; label: string; value: string } | null
  /** The address as fields: what a form of the page has to send along. */
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
  bulk: { field: string; acts: readonly { label: string; action: string; isStop: boolean }[] } | null
  links: readonly { label: string; path: string; isPrimary: boolean; hotkey: string | null }[]
  hasPreviews: boolean
  /** What was just done. */
  news: string | null
}
