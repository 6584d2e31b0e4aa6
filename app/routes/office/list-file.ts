import { data } from 'react-router'
import { listFile } from '#app/office/list-file.server.ts'
import { listNamed } from '#app/office/lists.server.ts'
import { csvResponse } from '#app/server/csv.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officeFileOf } from '#app/views/office-files.server.ts'
import { filterText, listAddress, officeListPages } from '#app/views/office-lists.ts'
import { officePaths } from '#content/office-paths.ts'
import { recordExport } from '#domain/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/list-file.ts'

/**
 * Answers with a list as CSV: every row that matches the filters of its address. Lists hold names and emails, so the
 * reader authenticates again if they have not recently, and the audit log says who took what.
 */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  // Some lists have had an address of their own for their file: "/office/orders.csv".
  const name = params.list ?? /([\w-]+)\.csv$/.exec(url.pathname)?.[1] ?? ''
  const declared = listNamed(name)
  if (declared) {
    const reader = await requireStaff(
      context,
      declared.exportPermission ?? declared.permission,
      url.pathname + url.search,
    )
    requireFresh(reader, url.pathname + url.search)
    const answer = await listFile(reader, declared, url.searchParams)
    if (!answer) throw seeOther(declared.path)
    return answer
  }
  const file = officeFileOf(name)
  if (!file) throw data(null, { status: 404 })
  const { list, header, batches } = file
  const { permission } = officeListPages[list]
  const filters = filterText(list, url.searchParams)
  const path = officePaths.officeListFile(list, filters)
  const staff = await requireStaff(context, permission, path)
  requireFresh(staff, path)
  const { shop, actor, session } = staff
  const recorded = await recordExport(shop, actor, { list, permission, filters })
  if (!recorded.ok) throw seeOther(listAddress(list, filters))
  const reader = { email: session.email.toLowerCase(), customers: customerFieldsFor(session.roles) }
  return csvResponse(list, header, batches(shop, new URLSearchParams(filters), reader))
}
