import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listPriceLists } from '#domain/price-tiers/price-tiers.server.ts'
import type { Route } from './+types/price-lists-csv.ts'

/** The price lists as a CSV file. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'price-lists.read', officePaths.officePriceListsCsv())
  const pages = csvPages(
    (after: number | null) => listPriceLists(shop, after),
    ({ name, slug, accountType, rules }) => [name, slug, accountType ?? '', rules],
  )
  return csvResponse('price-lists', ['List', 'In addresses', 'For', 'Rules'], pages)
}
