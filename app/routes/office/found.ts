import { requireStaff } from '#app/server/office.server.ts'
import { readSearch, searchOffice, suggestionsOf } from '#app/views/office-search.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/found.ts'

/** The box has room for ten. */
const most = 10

/** What the search box of the back office suggests for the text typed so far: what this reader's roles may see. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop, session } = await requireStaff(context, 'office.open', officePaths.officeFound())
  const groups = await searchOffice(shop, session.roles, readSearch(url.searchParams))
  return Response.json({ found: suggestionsOf(groups, most) }, { headers: { 'cache-control': 'private, no-store' } })
}
