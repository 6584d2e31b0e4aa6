import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { priceListColumns } from '#domain/pricing/price-tiers/price-tiers.ts'
import { findPriceListVersion, listPriceListEntries } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { fileRowOf } from './price-list-view.server.ts'
import type { Route } from './+types/price-list-entries-csv.ts'

/** The rules of a version as a CSV file, which can be uploaded again. */
export async function loader({ context, params: { slug, version } }: Route.LoaderArgs): Promise<Response> {
  const path = officePaths.officePriceListEntriesCsv(slug, Number(version))
  const { app } = await requireStaff(context, 'price-lists.read', path)
  const found = await findPriceListVersion(app, slug, version)
  if (!found) throw new Response(null, { status: 404 })
  const read = (after: number | null) => listPriceListEntries(app, found.version.id, after)
  return csvResponse(`${slug}-${version}`, priceListColumns, csvPages(read, fileRowOf))
}
