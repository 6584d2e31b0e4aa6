import { data } from 'react-router'
import { listFile } from '#app/office/list-file.server.ts'
import { listNamed } from '#app/office/lists.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/list-file.ts'

/**
 * Answers with a list as CSV: every row that matches the filters of its address, or the selected ones. Lists hold names
 * and emails, so the reader authenticates again if they have not recently, and the audit log says who took what. Some
 * lists have an older address of their own, such as "/office/orders.csv".
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
