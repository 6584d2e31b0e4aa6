import { requireShop } from '#app/server/portal.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readCalendarVersion } from '#domain/scheduling/booking/booking.server.ts'
import type { Route } from './+types/day-version.ts'

/** The number that changes with a shop's calendar, for the day and the week to ask whether they are still true. */
export async function loader({ request, context, params: { shopCode } }: Route.LoaderArgs) {
  const { app, place } = await requireShop(context, 'day.read', { shopCode, path: portalPaths.dayVersion(shopCode) })
  const etag = `"${await readCalendarVersion(app.db, place.shopId)}"`
  const headers = { etag, 'cache-control': 'private, no-store', 'content-type': 'text/plain; charset=utf-8' }
  return request.headers.get('if-none-match') === etag
    ? new Response(null, { status: 304, headers })
    : new Response(etag.slice(1, -1), { headers })
}
