/** An office list's URL, with view, filters, columns, order and page. Safe in the browser. */
import { readDay } from '#app/views/office/times.ts'
import { withQuery } from '#content/paths.ts'
import { dateText } from '#platform/day-text.ts'
import { namesOf, type ListChip, type ListChoice, type ListColumn, type ListFilter } from './list.ts'

/** The part of a list that its address depends on. */
export type ListShape = {
  path: string
  columns: readonly ListColumn[]
  /**
   * Predefined views. Each is a value of one parameter, and the first one is the list without it; `more` have no tab.
   * With `isFirstFiltered`, the page filters by the value of the first one, and files and programs get all rows.
   */
  view?: { name: string; label: string; tabs: ListChoice; more?: ListChoice; isFirstFiltered?: boolean }
  filters?: readonly ListFilter[]
  /** A text filter with a separate search box. */
  find?: { name: string; label: string }
  sorts?: readonly { value: string; label: string; column: string }[]
  /** The content of each row's third line, such as "tire size and phone". */
  roomy?: string
}

/** Valid parts of a URL; invalid ones are ignored. */
export type ListAsk = {
  filters: Readonly<Record<string, string>>
  /** Keys of the chosen columns; null for those that are on by default. */
  columns: readonly string[] | null
  /** Empty for the list's own order. */
  sort: string
  /** Whether rows have a third line, such as with the phone. */
  isRoomy: boolean
  after: string | null
  before: string | null
  /** Cursors of earlier pages, oldest first; the empty text is the first page. */
  trail: readonly string[]
  preview: string | null
}

/** In characters; the longest filter is an email. */
const longestFilter = 254
const longestPlace = 200
/** In pages. */
const longestTrail = 12

/** The names of all parameters that a list reads. */
export function listQueryNames(list: ListShape): string[] {
  return [
    ...filterNames(list),
    'columns',
    'sort',
    'rows',
    'after',
    'before',
    'trail',
    'preview',
    'part',
    'menu',
    'done',
    'selected',
  ]
}

function filterNames({ view, filters = [], find }: ListShape): string[] {
  const names = [...(view ? [view.name] : []), ...filters.flatMap(namesOf), ...(find ? [find.name] : [])]
  return [...new Set(names)]
}

export function readListAsk(list: ListShape, query: URLSearchParams): ListAsk {
  const text = (name: string, max: number) => (query.get(name) ?? '').replaceAll('\0', '').trim().slice(0, max)
  const filters = filterNames(list).flatMap((name): [string, string][] => {
    const value = validFilter(list, name, text(name, longestFilter))
    return value === '' ? [] : [[name, value]]
  })
  const place = (name: string) => text(name, longestPlace) || null
  const named = query.getAll('columns').slice(0, 40).join(',').slice(0, 1_000).split(',')
  const chosen = list.columns.filter(({ key, isFixed, isFileOnly }) => !isFixed && !isFileOnly && named.includes(key))
  return {
    filters: Object.fromEntries(filters),
    columns: chosen.length === 0 || isDefault(list, chosen) ? null : chosen.map(({ key }) => key),
    sort: list.sorts?.find(({ value }, index) => index > 0 && value === query.get('sort'))?.value ?? '',
    isRoomy: list.roomy !== undefined && query.get('rows') === 'roomy',
    after: place('after'),
    before: place('before'),
    trail: query.has('trail')
      ? text('trail', longestPlace * longestTrail)
          .split('~')
          .slice(-longestTrail)
      : [],
    preview: place('preview'),
  }
}

function isDefault(list: ListShape, chosen: readonly ListColumn[]): boolean {
  return list.columns.every(
    (column) => column.isFixed || column.isFileOnly || chosen.includes(column) !== (column.isOff ?? false),
  )
}

function validFilter({ view, filters = [] }: ListShape, name: string, value: string): string {
  if (view && name === view.name) return validView(view, value)
  const filter = filters.find((one) => namesOf(one).includes(name))
  if (filter?.kind === 'days') return readDay(value)
  if (filter?.kind === 'choice')
    return filter.options.length === 0 || filter.options.some(([of]) => of === value) ? value : ''
  return value.slice(0, filter?.max ?? longestFilter)
}

function validView({ tabs, more = [] }: NonNullable<ListShape['view']>, value: string): string {
  return [...tabs.slice(1), ...more].some(([of]) => of === value) ? value : ''
}

/** Returns the stored part of a view in a fixed order, with filters, columns, order and row height, but not the page. */
export function viewText(ask: ListAsk): string {
  return new URLSearchParams(keptOf(ask)).toString()
}

type Kept = Pick<ListAsk, 'filters' | 'columns' | 'sort' | 'isRoomy'>

function keptOf({ filters, columns, sort, isRoomy }: Kept): Record<string, string> {
  return {
    ...filters,
    ...(columns && { columns: columns.join(',') }),
    ...(sort && { sort }),
    ...(isRoomy && { rows: 'roomy' }),
  }
}

/** The first page of the list with these filters, columns and order. */
export function listAddress({ path }: ListShape, ask: Kept): string {
  return withQuery(path, keptOf(ask))
}

/** Returns all URL parameters as fields for a form or another URL, excluding the preview. */
export function listValues(ask: ListAsk): Record<string, string> {
  const { after, before, trail } = ask
  return {
    ...keptOf(ask),
    ...(after !== null && { after }),
    ...(before !== null && { before }),
    ...(trail.length > 0 && { trail: trail.join('~') }),
  }
}

/**
 * Returns the URLs of the adjacent pages. `prev` is the previous page's cursor, in bidirectional lists; other lists use
 * the trail.
 */
export function pageAddresses(
  list: ListShape,
  ask: ListAsk,
  { next, prev }: { next: string | null; prev?: string | null },
): { newer: string | null; older: string | null } {
  const page = (place: Record<string, string>) => withQuery(list.path, { ...keptOf(ask), ...place })
  if (prev !== undefined)
    return {
      newer: prev === null ? null : page({ before: prev }),
      older: next === null ? null : page({ after: next }),
    }
  const here = ask.after ?? ask.before ?? ''
  const trail = here === '' ? [] : [...ask.trail, here]
  const last = ask.trail.at(-1) ?? ''
  const rest = ask.trail.slice(0, -1)
  return {
    newer:
      here === ''
        ? null
        : page({ ...(last !== '' && { after: last }), ...(rest.length > 0 && { trail: rest.join('~') }) }),
    older:
      next === null
        ? null
        : page({ after: next, ...(trail.length > 0 && { trail: trail.slice(-longestTrail).join('~') }) }),
  }
}

/** The filters that are set, each with the address without it. A view of the store is its tab, and no chip. */
export function chipsOf(list: ListShape, ask: ListAsk): Omit<ListChip, 'left'>[] {
  const { view, filters = [] } = list
  const without = (names: readonly string[]) =>
    listAddress(list, {
      ...ask,
      filters: Object.fromEntries(Object.entries(ask.filters).filter(([name]) => !names.includes(name))),
    })
  const other = view?.more?.find(([value]) => value === ask.filters[view.name])
  return [
    ...(view && other ? [{ label: view.label, value: other[1], without: without([view.name]) }] : []),
    ...filters.flatMap((filter) => {
      const names = namesOf(filter)
      const value = chipText(filter, ask.filters)
      return value === '' ? [] : [{ label: filter.label, value, without: without(names) }]
    }),
  ]
}

function chipText(filter: ListFilter, filters: Readonly<Record<string, string>>): string {
  if (filter.kind === 'days') {
    const { from, to } = filters
    if (from !== undefined && to !== undefined) return `${dateText(from)} to ${dateText(to)}`
    return from === undefined ? (to === undefined ? '' : `until ${dateText(to)}`) : `from ${dateText(from)}`
  }
  const value = filters[filter.name] ?? ''
  return filter.kind === 'choice' ? (filter.options.find(([of]) => of === value)?.[1] ?? value) : value
}
