import { data } from 'react-router'
import { listFile } from '#app/office/list-file.server.ts'
import { listNamed } from '#app/office/lists.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/list-file.ts'

/**
 * Exports every row that matches the URL's filters, or the selected rows, as CSV. Lists contain names and emails, so
 * the export requires a recent sign-in and adds an audit entry. Some lists have an older URL, such as
 * "/office/orders.csv".
 */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const list = listNamed(params.list ?? url.pathname.slice(url.pathname.lastIndexOf('/') + 1, -'.csv'.length))
  if (!list) throw data(null, { status: 404 })
  const path = url.pathname + url.search
  const staff = await requireStaff(context, list.exportPermission ?? list.permission, path)
  requireFresh(staff, path)
  const answer = await listFile(staff, list, url.searchParams)
  if (!answer) throw seeOther(list.path)
  return answer
}
