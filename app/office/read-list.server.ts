/** Reads what the page of an office list shows. Every list is read by this, and may show no more than its reader's role. */
import type { RouterContextProvider } from 'react-router'
import { requireStaff, type Staff } from '#app/server/office.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listViews } from '#domain/kernel/staff/staff.server.ts'
import { staffCan, type SavedView } from '#domain/kernel/staff/staff.ts'
import { countOf, countText as numberText } from '#platform/count-text.ts'
import { mostAtOnce } from './bulk/act.server.ts'
import { chipsOf, listAddress, listValues, pageAddresses, readListAsk, viewText, type ListAsk } from './list-address.ts'
import {
  rowsPerPage,
  type ListCount,
  type ListDefinition,
  type ListPage,
  type ListReader,
  type ListTally,
} from './define-list.server.ts'
import type { FilterCounts, ListCell, ListChoice, ListFilter, ListPreview, ListRow, ListTab, ListView } from './list.ts'

/** The loader data of a list. With `part=preview` or `part=counts`, only that part. `menu=filters` adds the counts. */
export type ListData = { list: ListView | null; preview: ListPreview | null; counts: FilterCounts | null }

type ListRequest = { context: Readonly<RouterContextProvider>; url: URL }

export async function readList(request: ListRequest, definition: ListDefinition): Promise<ListData> {
  return (await openList(request, definition)).data
}

/** Reads a list and its reader, for a page that shows more than the list. */
export async function openList(
  { context, url }: ListRequest,
  definition: ListDefinition,
): Promise<{ data: ListData; reader: ListReader }> {
  const staff = await requireStaff(context, definition.permission, definition.path + url.search)
  const reader = readerOf(staff)
  const ask = readListAsk(definition, url.searchParams)
  const part = url.searchParams.get('part')
  const isCounted = part === 'counts' || url.searchParams.get('menu') === 'filters'
  const [list, preview, counts] = await Promise.all([
    part === 'preview' || part === 'counts' ? null : readView(reader, definition, ask, url.searchParams),
    ask.preview === null ? undefined : definition.preview?.(reader, ask.preview),
    isCounted ? readFilterCounts(reader, definition, ask) : null,
  ])
  return { data: { list, preview: preview ?? null, counts }, reader }
}

export function readerOf({ app, session }: Pick<Staff, 'app' | 'session'>): ListReader {
  return {
    app,
    session,
    customers: customerFieldsFor(session.roles),
    now: app.clock.now(),
    can: (permission) => staffCan(session.roles, permission),
  }
}

async function readView(
  reader: ListReader,
  definition: ListDefinition,
  ask: ListAsk,
  asked: URLSearchParams,
): Promise<ListView> {
  const { sort, after, before } = ask
  const filters = pageFilters(definition, ask)
  const query = { filters, sort, after, before, limit: rowsPerPage, ids: null, view: viewText(ask) }
  const [page, { choices, facts, start }, saved] = await Promise.all([
    definition.read(reader, query),
    readAround(reader, definition, filters),
    listViews(reader.app, reader.session, definition.name),
  ])
  const list = { ...definition, filters: (definition.filters ?? []).map((filter) => withChoices(filter, choices)) }
  const isWhole = after === null && before === null && page.next === null
  const counts = await readCounts(reader, list, ask, { saved, known: isWhole ? page.rows.length : null })
  const chips = chipsOf(list, ask)
  const columns = columnsOf(reader, list, { ...ask, filters })
  const all = isWhole || !definition.bulk ? null : await countAll(reader, definition, filters)
  const left = page.rows.length === 0 && isWhole ? await countEach(reader, list, chips) : []
  return {
    ...head(reader, list, { ask, saved, all }),
    selected: (asked.get('selected') ?? '').slice(0, longestSelection).split(','),
    news: definition.news?.[asked.get('done') ?? ''] ?? null,
    start,
    columns,
    facts,
    roomy: definition.roomy === undefined ? null : { text: definition.roomy, isOn: ask.isRoomy },
    rows: page.rows.map((row) => shownPart(row, columns, ask.isRoomy)),
    tabs: tabsOf(list, ask, { saved, counts }),
    chips: chips.map((chip, index) => ({ ...chip, left: left[index] ?? null })),
    filters: [...viewFilter(list), ...list.filters],
    hasCounts: definition.tally !== undefined,
    total: isWhole ? countOf(page.rows.length, ...list.nouns) : null,
    ...pageAddresses(list, ask, page),
  }
}

/** In characters; bulk actions have at most a hundred rows. */
const longestSelection = 4_000

/** The text for selecting every row of a view with several pages; null if they can't be counted. */
async function countAll(
  reader: ListReader,
  { count }: ListDefinition,
  filters: ListAsk['filters'],
): Promise<string | null> {
  const found = await count?.(reader, filters)
  if (!found) return null
  return found.isAtLeast || found.count > mostAtOnce ? `Select the first ${mostAtOnce}` : `Select all ${found.count}`
}

/** Returns the IDs of the rows in a view, as many as a bulk action can have. `view` is the query of an address. */
export async function readRowIds(reader: ListReader, definition: ListDefinition, view: string): Promise<string[]> {
  const ask = readListAsk(definition, new URLSearchParams(view))
  const ids = new Set<string>()
  for await (const rows of listRows(reader, definition, { ...ask, filters: pageFilters(definition, ask), ids: null })) {
    for (const { id, selectId = id } of rows) ids.add(selectId)
    if (ids.size >= mostAtOnce) break
  }
  return [...ids].slice(0, mostAtOnce)
}

/** Reads the optional parts of a page. */
async function readAround(reader: ListReader, definition: ListDefinition, filters: ListAsk['filters']) {
  const [choices, facts, start] = await Promise.all([
    definition.choices?.(reader, filters) ?? {},
    definition.facts?.(reader, filters) ?? [],
    definition.start?.(reader) ?? null,
  ])
  return { choices, facts, start }
}

/** Returns the filters of a page, with the first view's if it has one. */
function pageFilters({ view }: Pick<ListDefinition, 'view'>, { filters }: ListAsk): ListAsk['filters'] {
  const first = view?.tabs[0]?.[0]
  return view?.isFirstFiltered && first && filters[view.name] === undefined
    ? { [view.name]: first, ...filters }
    : filters
}

function withChoices(
  filter: ListFilter,
  choices: Awaited<ReturnType<NonNullable<ListDefinition['choices']>>>,
): ListFilter {
  return filter.kind === 'choice' ? { ...filter, options: choices[filter.name] ?? filter.options } : filter
}

/** The store's views that have no tab are chosen as a filter. */
function viewFilter({ view }: ListDefinition): ListFilter[] {
  return view?.more
    ? [{ kind: 'choice', name: view.name, label: view.label, options: [...view.tabs.slice(1), ...view.more] }]
    : []
}

/** The text of an empty list, either because no rows match the filters or because there are no rows yet. */
function emptyText({ empty, nouns, view }: ListDefinition, { filters }: ListAsk): string {
  const noMatch = `No ${nouns[1]} match this view.`
  if (Object.values(filters).some((value) => value !== '')) return noMatch
  // The first tab of some lists is a filter, such as "To review".
  const isWhole = (view?.tabs[0]?.[1] ?? 'All') === 'All'
  return empty ?? (isWhole ? `No ${nouns[1]} yet.` : noMatch)
}

function head(
  { can }: ListReader,
  list: ListDefinition,
  { ask, saved, all }: { ask: ListAsk; saved: readonly SavedView[]; all: string | null },
) {
  const { name, title, path, crumbs = [], caption, find, permission, exportPermission = permission } = list
  const text = viewText(ask)
  const mayExport = can(exportPermission)
  return {
    name,
    title,
    path,
    crumbs,
    caption,
    empty: emptyText(list, ask),
    find: find ? { ...find, value: ask.filters[find.name] ?? '' } : null,
    values: listValues(ask),
    save:
      isStoreView(list, ask) || saved.some(({ query }) => query === text)
        ? null
        : officePaths.officeViews({ list: name, filters: text }),
    manage: saved.some(({ isMine }) => isMine) ? officePaths.officeViews({ list: name }) : null,
    file: mayExport ? officePaths.officeListFile(name, text) : null,
    bulk: bulkOf(list, { can, mayExport, view: text, all }),
    links: (list.links ?? [])
      .filter((link) => link.permission === undefined || can(link.permission))
      .map(({ label, path: to, isPrimary = false, hotkey = null }) => ({ label, path: to, isPrimary, hotkey })),
    hasPreviews: list.preview !== undefined,
  }
}

function bulkOf(
  list: ListDefinition,
  { can, mayExport, view, all }: { can: ListReader['can']; mayExport: boolean; view: string; all: string | null },
): ListView['bulk'] {
  const acts = Object.entries(list.bulk?.acts ?? {}).filter(([, act]) => can(act.permission))
  const field = selectionField(list)
  const shown = [
    ...acts.map(([name, { label, isStop = false }]) => ({ name, label, action: officePaths.officeBulk(name), isStop })),
    ...(list.exportsSelected && mayExport
      ? [{ name: '', label: 'Export selected', action: officePaths.officeListFile(list.name), isStop: false }]
      : []),
  ]
  return shown.length === 0 ? null : { field, acts: shown, view, all }
}

/** The name under which the id of a selected row is sent. */
export function selectionField({ bulk }: ListDefinition): string {
  return bulk?.field ?? 'row'
}

/** Returns whether the URL selects exactly one of the store's built-in views. */
function isStoreView({ view }: ListDefinition, { filters, columns, sort, isRoomy }: ListAsk): boolean {
  const names = Object.keys(filters)
  return (
    columns === null && sort === '' && !isRoomy && names.every((name) => name === view?.name) && !isOther(view, filters)
  )
}

function isOther(view: ListDefinition['view'], filters: ListAsk['filters']): boolean {
  return view?.more?.some(([value]) => value === filters[view.name]) ?? false
}

function columnsOf(
  { can }: ListReader,
  { columns, sorts = [], ...list }: ListDefinition,
  ask: ListAsk,
): ListView['columns'] {
  const relevant = list.relevantColumns?.(ask.filters)
  return columns
    .filter(({ isFileOnly, permission }) => !isFileOnly && (permission === undefined || can(permission)))
    .filter(({ key }) => relevant?.includes(key) ?? true)
    .map((column) => {
      const own = sorts.filter(({ column: key }) => key === column.key)
      const present = own.find(({ value }) => value === (ask.sort || sorts[0]?.value))
      const other = own.find((one) => one !== present)
      return {
        ...column,
        isShown: column.isFixed || (ask.columns ? ask.columns.includes(column.key) : !column.isOff),
        sort: other
          ? {
              words: present?.label ?? '',
              isAscending: present !== own[0],
              path: listAddress({ ...list, columns }, { ...ask, sort: other === sorts[0] ? '' : other.value }),
            }
          : null,
      }
    })
}

/** Returns the row with only its visible columns. Export-only columns aren't sent to the browser. */
function shownPart(row: ListRow, columns: ListView['columns'], isRoomy: boolean): ListRow {
  const cells = columns.flatMap(({ key, isShown }): [string, ListCell][] => {
    const cell = row.cells[key]
    if (!isShown || cell === undefined) return []
    if (typeof cell !== 'object' || cell === null) return [[key, cell]]
    const { file: _, value: _value, more = null, ...shown } = cell
    return [[key, isRoomy ? { ...shown, more } : shown]]
  })
  return { ...row, cells: Object.fromEntries(cells) }
}

type Counts = { store: readonly (ListCount | null)[]; saved: readonly (ListCount | null)[] }

/**
 * Returns the row count of each view, up to 100. Uses the list's own count, or the current page if it is the only one.
 */
async function readCounts(
  reader: ListReader,
  list: ListDefinition,
  ask: ListAsk,
  { saved, known }: { saved: readonly SavedView[]; known: number | null },
): Promise<Counts> {
  const present = viewText(ask)
  const countOfView = async (text: string) => {
    if (text === present && known !== null) return { count: known, isAtLeast: false }
    const filters = pageFilters(list, readListAsk(list, new URLSearchParams(text)))
    return list.count && Object.keys(filters).length > 0 ? list.count(reader, filters) : null
  }
  const [store, own] = await Promise.all([
    Promise.all((list.view?.tabs ?? []).map(([value], index) => countOfView(index === 0 ? '' : viewOf(list, value)))),
    Promise.all(saved.map(({ query }) => countOfView(query))),
  ])
  return { store, saved: own }
}

const viewOf = ({ view }: ListDefinition, value: string) => (view ? `${view.name}=${value}` : '')

/** How many rows there are without each of the chips. */
function countEach(
  reader: ListReader,
  list: ListDefinition,
  chips: readonly { without: string }[],
): Promise<(string | null)[]> {
  const { count } = list
  return Promise.all(
    chips.map(async ({ without }) => {
      const { filters } = readListAsk(list, new URLSearchParams(without.split('?')[1] ?? ''))
      return count && Object.keys(filters).length > 0 ? countText(await count(reader, filters)) : null
    }),
  )
}

/** From this many rows, a filter's value shows "1,000+". */
const mostTallied = 1_000

/** The number of rows that the values of the filter menu would leave. States use the same counts as the tabs. */
async function readFilterCounts(reader: ListReader, list: ListDefinition, ask: ListAsk): Promise<FilterCounts> {
  const filters = pageFilters(list, ask)
  const [tally, states] = await Promise.all([
    list.tally?.(reader, filters),
    Promise.all(
      viewFilter(list)
        .flatMap(optionsOf)
        .map(async ([state]): Promise<[string, string]> => {
          const found = await list.count?.(reader, { ...filters, [list.view?.name ?? '']: state })
          return [state, countText(found ?? null) ?? '']
        }),
    ),
  ])
  const counted = (list.filters ?? []).flatMap((filter): [string, Record<string, string>][] => {
    const counts = filter.kind === 'choice' ? tally?.counts[filter.name] : undefined
    if (filter.kind !== 'choice' || !counts) return []
    const values = filter.options.map(([value]): [string, string] => [value, tallyText(counts[value] ?? 0, tally)])
    return [[filter.name, Object.fromEntries(values)]]
  })
  return { ...Object.fromEntries(counted), ...(list.view && { [list.view.name]: Object.fromEntries(states) }) }
}

function optionsOf(filter: ListFilter): ListChoice {
  return filter.kind === 'choice' ? filter.options : []
}

/** "27", or "27+" where more rows were not looked at. */
function tallyText(count: number, tally: ListTally | undefined): string {
  if (count >= mostTallied) return `${numberText(mostTallied)}+`
  return tally?.isAtLeast ? `${count}+` : String(count)
}

/** "27", or "99+" where there are more than are counted. */
function countText(found: ListCount | null): string | null {
  if (found === null) return null
  const { count, isAtLeast } = found
  return count > 99 ? '99+' : isAtLeast ? `${count}+` : String(count)
}

function tabsOf(
  list: ListDefinition,
  ask: ListAsk,
  { saved, counts }: { saved: readonly SavedView[]; counts: Counts },
): ListTab[] {
  const { view } = list
  const text = viewText(ask)
  const on = saved.find(({ query }) => query === text)
  const value = view ? (ask.filters[view.name] ?? '') : ''
  const present = { columns: null, sort: '', isRoomy: false, filters: {} }
  return [
    ...(view?.tabs ?? [['', 'All'] as const]).map(([of, label], index) => ({
      label,
      path: listAddress(list, index === 0 || !view ? present : { ...present, filters: { [view.name]: of } }),
      count: countText(counts.store[index] ?? null),
      isOn: !on && (index === 0 ? value === '' || isOther(view, ask.filters) : value === of),
      note: null,
      isSaved: false,
    })),
    ...saved.map((one, index) => ({
      label: one.name,
      path: `${list.path}?${one.query}`,
      count: countText(counts.saved[index] ?? null),
      isOn: one === on,
      note: one.isMine ? null : `Shared by ${one.savedBy}`,
      isSaved: true,
    })),
  ]
}

/** All rows of a list for its file, page by page. */
export async function* listRows(
  reader: ListReader,
  definition: ListDefinition,
  { filters, sort, ids }: Pick<ListAsk, 'filters' | 'sort'> & { ids: readonly string[] | null },
): AsyncGenerator<ListRow[]> {
  for (let after: string | null = null; ;) {
    const page: ListPage = await definition.read(reader, {
      filters,
      sort,
      after,
      before: null,
      limit: 500,
      ids,
      view: '',
    })
    if (page.rows.length > 0) yield page.rows
    if (page.next === null) return
    after = page.next
  }
}
