/** Tables of numbers, and how they follow from counted figures. */
import type { Bins } from './periods.ts'
import type { Figure, FigureKind } from './figures.sql.server.ts'

/** Text, a count, cents, parts per million, or hundredths of a star; null if empty. */
export type Cell = string | number | null
export type Column = { label: string; kind: 'text' | 'count' | 'cents' | 'ppm' | 'stars' }

/** A table, where a row's first cell is its name. `total` sums the rows, with shares computed from the sums. */
export type Table = {
  title: string
  /** What is counted, in words. */
  note: string
  /** The rules of counting, for the page and file of one report. */
  details?: string
  columns: readonly Column[]
  rows: readonly (readonly Cell[])[]
  total: readonly Cell[]
  /** Each row's source figures; missing if a row's entries aren't stored. */
  subjects?: readonly RowSubject[]
}

/** A row's source figures, by days (inclusive), state, label or shop code. */
export type RowSubject = {
  days?: { from: string; to: string }
  state?: string
  label?: string
  shopCode?: string
}

export const text = (label: string): Column => ({ label, kind: 'text' })
export const count = (label: string): Column => ({ label, kind: 'count' })
export const cents = (label: string): Column => ({ label, kind: 'cents' })
export const ppm = (label: string): Column => ({ label, kind: 'ppm' })
export const stars = (label: string): Column => ({ label, kind: 'stars' })

type Amount = { [Name in keyof Figure]: Figure[Name] extends number ? Name : never }[keyof Figure]

export function sum(figures: readonly Figure[], amount: Amount): number {
  return figures.reduce((whole, figure) => whole + figure[amount], 0)
}

export function ofKind(figures: readonly Figure[], kind: FigureKind): Figure[] {
  return figures.filter((figure) => figure.kind === kind)
}

export function inBin(figures: readonly Figure[], kind: FigureKind, { from, to }: Bins['bins'][number]): Figure[] {
  return ofKind(figures, kind).filter(({ day }) => day !== null && day >= from && day <= to)
}

/** The figures of a kind by label, the largest amount first. */
export function byLabel(figures: readonly Figure[], kind: FigureKind): [string, Figure[]][] {
  return [...Map.groupBy(ofKind(figures, kind), ({ label }) => label)].toSorted(
    ([one, ofOne], [other, ofOther]) =>
      sum(ofOther, 'amountCents') - sum(ofOne, 'amountCents') || (one < other ? -1 : 1),
  )
}

/** What the rows of `byLabel` are made from. */
export function labelsOf(labels: readonly (readonly [string, unknown])[]): RowSubject[] {
  return labels.map(([label]) => ({ label }))
}

export function byFirst([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}

/** The sums of counts and cents over the rows; shares are null. */
export function totalOf(rows: readonly (readonly Cell[])[], columns: readonly Column[]): Cell[] {
  return columns.map(({ kind }, at) => {
    if (at === 0) return 'Total'
    return kind === 'count' || kind === 'cents'
      ? rows.reduce((whole, row) => whole + numberAt(row, at), 0)
      : kind === 'text'
        ? ''
        : null
  })
}

export function numberAt(row: readonly Cell[], at: number): number {
  const cell = row[at]
  return typeof cell === 'number' ? cell : 0
}

/** Returns a share of a whole in parts per million; null if the whole is zero. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1_000_000)
}

export function change(now: number, before: number): number | null {
  return before <= 0 ? null : share(now - before, before)
}
