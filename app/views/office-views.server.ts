/** The saved views of a list, as the tabs above it. */
import { officePaths } from '#content/office-paths.ts'
import type { OfficeListName } from '#domain/staff/staff.ts'
import { listViews } from '#domain/staff/staff.server.ts'
import type { Staff } from '#app/server/office.server.ts'
import { filterText, listAddress } from './office-lists.ts'

export type ViewTabs = {
  tabs: { id: string; label: string; path: string; isOn: boolean; note: string | null }[]
  /** Where the present filters are kept as a view; null if there are none, or if they are a tab already. */
  save: string | null
  /** Where views are deleted; null without any. */
  manage: string | null
  /** The file of all rows that match, for lists whose file is named after them. */
  file: string
}

/** Whether these filters are no more than one of the tabs that the list has anyway. */
function isTab(filters: string): boolean {
  const names = [...new URLSearchParams(filters).keys()]
  return names.every((name) => name === 'state' || name === 'show')
}

/** Reads the views of `list` that the reader sees, with the one that the address shows marked. */
export async function readViewTabs(
  { shop, session }: Pick<Staff, 'shop' | 'session'>,
  list: OfficeListName,
  query: URLSearchParams,
): Promise<ViewTabs> {
  const filters = filterText(list, query)
  const views = await listViews(shop, session, list)
  const on = views.find((view) => view.query === filters)
  return {
    tabs: views.map((view) => ({
      id: view.id,
      label: view.name,
      path: listAddress(list, view.query),
      isOn: view === on,
      note: view.isMine ? null : `Shared by ${view.savedBy}`,
    })),
    save: filters === '' || on || isTab(filters) ? null : officePaths.officeViews({ list, filters }),
    manage: views.some(({ isMine }) => isMine) ? officePaths.officeViews({ list }) : null,
    file: officePaths.officeListFile(list, filters),
  }
}
