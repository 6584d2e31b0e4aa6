import { requireStaff } from '#app/server/office.server.ts'
import { paletteOf, readPaletteActs, readSearch, searchOffice } from '#app/views/office/search.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/found.ts'

/** The palette shows this many of each kind. */
const perKind = 3

/**
 * Returns the command palette's results for the typed text of up to 100 characters, as in `GET
 * /office/search/found?q=halst`. Returns only the records and pages that the staff member's roles can open.
 *
 *     {
 *       "groups": [
 *         {
 *           "id": "shops",
 *           "title": "Shops",
 *           "lines": [{ "key": "shops 112", "title": "Halsted Tire", "path": "/office/shops/SW-00112", "notes": "SW-00112 · Chicago, IL" }],
 *           "more": null
 *         },
 *         {
 *           "id": "orders",
 *           "title": "Orders",
 *           "lines": […],
 *           "more": { "title": "All orders with “halst”", "path": "/office/search?q=halst&kind=orders" }
 *         }
 *       ],
 *       "found": [{ "key": "shops 112", "group": "Shops", "title": "Halsted Tire", "path": "…", "notes": "…" }, …],
 *       "pages": [{ "key": "/office/appointments?…", "title": "Appointments at Halsted Tire", "path": "…", "notes": "" }],
 *       "acts": [{ "key": "/office/orders/…", "title": "Refund…", "path": "/office/orders/…", "notes": "S-104921 · Dana Reyes" }]
 *     }
 *
 * - `groups`: the group with the best match first, and the best match first in each, with at most three `lines`. `id`
 *   is `orders`, `numbers` (returns, quotes and other numbered records), `customers`, `companies`, `shops`, `models` or
 *   `tires`. `more` links to the search page with more lines of the group. Null if there are no more.
 * - `key` is unique in the answer. `notes` are up to three facts in one line.
 * - `found`: all lines in the same order, without the groups.
 * - `pages`: the appointments of the shop, if one shop is the best match.
 * - `acts`: up to four actions on the order or the shop, if exactly one was found. Each opens a form.
 *
 * No match is `{ "groups": [], "found": [], "pages": [], "acts": [] }` with status 200. Without a session the answer is a redirect to the sign-in.
 */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { app, session } = await requireStaff(context, 'office.open', officePaths.officeFound())
  const groups = await searchOffice(app, session.roles, { ...readSearch(url.searchParams), limit: perKind })
  const around = await readPaletteActs(app, session, groups)
  return Response.json(paletteOf(groups, around), { headers: { 'cache-control': 'private, no-store' } })
}
