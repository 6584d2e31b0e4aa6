/** An office list as a CSV file, with every row that matches its URL, or the selected ones. `all` selects the view in `back`. */
import type { Staff } from '#app/server/office.server.ts'
import { csvResponse } from '#app/server/csv.server.ts'
import { recordExport } from '#domain/kernel/staff/staff.server.ts'
import { fileHeading, rowsPerPage, type ListDefinition } from './define-list.server.ts'
import type { ListCell, ListColumn } from './list.ts'
import { readListAsk, viewText } from './list-address.ts'
import { listRows, readerOf, selectionField } from './read-list.server.ts'

/**
 * Returns the file, after the audit log records who downloaded it. Undefined if the user lost the permission since, or
 * their sign-in is no longer recent.
 */
export async function listFile(
  staff: Staff,
  list: ListDefinition,
  query: URLSearchParams,
): Promise<Response | undefined> {
  const { name, permission, exportPermission = permission } = list
  const isAll = query.get('all') !== null
  const ask = readListAsk(list, isAll ? new URLSearchParams(query.get('back') ?? '') : query)
  const selected = list.exportsSelected && !isAll ? query.getAll(selectionField(list)).slice(0, rowsPerPage) : []
  const recorded = await recordExport(staff.app, staff.actor, {
    list: name,
    permission: exportPermission,
    filters: selected.length > 0 ? `selected: ${selected.join(', ').slice(0, 1_000)}` : viewText(ask),
  })
  if (!recorded.ok) return undefined
  const { filters, sort } = ask
  const rows = listRows(readerOf(staff), list, { filters, sort, ids: selected.length > 0 ? selected : null })
  const relevant = list.relevantColumns?.(filters)
  const columns = list.columns.filter(({ key, isPageOnly }) => !isPageOnly && (relevant?.includes(key) ?? true))
  return csvResponse(name, columns.map(fileHeading), batchesOf(columns, rows))
}

async function* batchesOf(
  columns: readonly ListColumn[],
  rows: ReturnType<typeof listRows>,
): AsyncGenerator<(string | number | null)[][]> {
  for await (const batch of rows) yield batch.map(({ cells }) => columns.map(({ key }) => fileCell(cells[key] ?? null)))
}

function fileCell(cell: ListCell): string | number | null {
  if (typeof cell !== 'object' || cell === null) return cell
  return cell.file === undefined ? cell.text : cell.file
}
