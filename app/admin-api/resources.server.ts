/**
 * What the admin API offers, by the declarations of the office's lists: each list that staff read in the back office is a
 * resource for programs, with the same filters, order, columns and permissions.
 */
import { z } from 'zod'
import type { ListDefinition, ListPage } from '#app/office/define-list.server.ts'
import { readListAsk } from '#app/office/list-address.ts'
import { namesOf, type ListCell, type ListColumn, type ListFilter, type ListRow } from '#app/office/list.ts'
import { officeListDefinitions } from '#app/office/lists.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** A list as a resource of the admin API. */
export type AdminResource = {
  /** The last part of its address. */
  name: string
  definition: ListDefinition
  /** Requires the export permission because it returns all rows. */
  permission: Permission
  columns: readonly ListColumn[]
  parameters: readonly AdminParameter[]
}

/** A filter, with the values that are known in advance. */
export type AdminParameter = {
  name: string
  words: string
  values: readonly string[] | null
  isDay: boolean
  max: number
}

/** In characters, as in the office. Declared before the resources, which have it as a limit. */
const longestText = 254

export const adminResources: readonly AdminResource[] = officeListDefinitions
  .map(resourceOf)
  .toSorted((one, other) => (one.name < other.name ? -1 : 1))

function resourceOf(definition: ListDefinition): AdminResource {
  return {
    name: definition.name,
    definition,
    permission: definition.exportPermission ?? definition.permission,
    columns: definition.columns.filter(({ isPageOnly }) => !isPageOnly),
    parameters: parametersOf(definition),
  }
}

function parametersOf({ view, filters = [], find, sorts = [] }: ListDefinition): AdminParameter[] {
  const parameters = [
    ...(view ? [choice(view.name, view.label, [...view.tabs, ...(view.more ?? [])])] : []),
    ...filters.flatMap(filterParameters),
    ...(find ? [{ name: find.name, words: find.label, values: null, isDay: false, max: longestText }] : []),
    ...(sorts.length > 0
      ? [{ name: 'sort', words: 'The order', values: sorts.map(({ value }) => value), isDay: false, max: longestText }]
      : []),
  ]
  return [...new Map(parameters.map((parameter) => [parameter.name, parameter])).values()]
}

function choice(name: string, words: string, options: readonly (readonly [string, string])[]): AdminParameter {
  const values = options.map(([value]) => value).filter((value) => value !== '')
  return { name, words, values: values.length > 0 ? values : null, isDay: false, max: longestText }
}

function filterParameters(filter: ListFilter): AdminParameter[] {
  if (filter.kind === 'choice') return [choice(filter.name, filter.label, filter.options)]
  if (filter.kind === 'text')
    return [{ name: filter.name, words: filter.label, values: null, isDay: false, max: filter.max }]
  return namesOf(filter).map((name) => ({
    name,
    words: name === 'from' ? `${filter.label}: the first day` : `${filter.label}: the last day`,
    values: null,
    isDay: true,
    max: 10,
  }))
}

/** A resource's valid query, with filters and sort order. */
export type AdminQuestion = { filters: Readonly<Record<string, string>>; sort: string }

/** Checks the filters of a call. Refuses `bad-parameter` with the name of the first that is unknown or has a wrong value. */
export function readQuestion(
  { definition, parameters }: AdminResource,
  sent: ReadonlyMap<string, string>,
): Outcome<AdminQuestion, Refused<'bad-parameter', { name: string; isKnown: boolean }>> {
  const { filters, sort } = readListAsk(definition, new URLSearchParams([...sent]))
  for (const [name, value] of sent) {
    const known = parameters.find((parameter) => parameter.name === name)
    const isValid =
      known !== undefined &&
      value.length <= known.max &&
      (value === '' || (known.values ? known.values.includes(value) : filters[name] === value.trim()))
    if (!isValid) return refused('bad-parameter', { name, isKnown: known !== undefined })
  }
  return ok({ filters, sort })
}

/** A row in the admin API. Amounts are in cents, times are in UTC, and all other values match the list's export. */
export type AdminRow = { id: string; url: string | null; fields: Record<string, string | number | null> }

/** The schema of a resource's rows. */
export function rowSchema({ columns }: AdminResource) {
  return z.object({
    id: z.string(),
    url: z.string().nullable().meta({ format: 'uri', description: 'Its page in the back office' }),
    fields: z
      .object(Object.fromEntries(columns.map((column) => [column.key, fieldSchema(column).optional()])))
      .meta({ description: 'Fields that the program’s permissions do not include are left out.' }),
  })
}

function fieldSchema({ label, kind }: ListColumn): z.ZodType {
  if (kind === 'money') return z.unknown().meta({ type: ['integer', 'null'], description: `${label}, in cents` })
  if (kind === 'time') return z.unknown().meta({ type: ['string', 'null'], format: 'date-time', description: label })
  return z.unknown().meta({ type: ['string', 'number', 'null'], description: label })
}

/** The rows of a page with the columns that `can` read. */
export function adminRows(
  { columns }: AdminResource,
  page: ListPage,
  { can, origin }: { can: (permission: Permission) => boolean; origin: string },
): AdminRow[] {
  const readable = columns.filter(({ permission }) => permission === undefined || can(permission))
  return page.rows.map((row) => ({
    id: row.id,
    url: row.path === null ? null : `${origin}${row.path}`,
    fields: Object.fromEntries(
      readable.map(({ key }): [string, string | number | null] => [key, valueOf(row.cells, key)]),
    ),
  }))
}

function valueOf(cells: ListRow['cells'], key: string): string | number | null {
  const cell: ListCell = cells[key] ?? null
  if (typeof cell !== 'object' || cell === null) return cell
  if (cell.value !== undefined) return cell.value
  return cell.file === undefined ? cell.text : cell.file
}
