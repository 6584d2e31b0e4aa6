import { requireStaff } from '#app/server/office.server.ts'
import { readCounts } from '#app/views/office/counts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/counts.ts'

/** The counts of the sidebar, for an open page to ask whether they have changed. */
export async function loader({ request, context }: Route.LoaderArgs): Promise<Response> {
  const { app, session } = await requireStaff(context, 'office.open', officePaths.officeCounts())
  const counts = await readCounts(app, session.roles)
  const etag = `"${new URLSearchParams(Object.entries(counts).map(([page, count]) => [page, String(count)])).toString()}"`
  const headers = { etag, 'cache-control': 'private, no-store' }
  return request.headers.get('if-none-match') === etag
    ? new Response(null, { status: 304, headers })
    : Response.json(counts, { headers })
}
