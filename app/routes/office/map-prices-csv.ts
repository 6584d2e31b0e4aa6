import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listMinimumPrices } from '#domain/promotions/promotions.server.ts'
import type { Route } from './+types/map-prices-csv.ts'

/** The minimum advertised prices as a CSV file. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'promotions.read', officePaths.officeMapPricesCsv())
  const pages = csvPages(
    (after: number | null) => listMinimumPrices(shop, after),
    ({ sku, name, retailCents, mapCents, setAt }) => [
      sku,
      name,
      (retailCents / 100).toFixed(2),
      (mapCents / 100).toFixed(2),
      setAt.toString(),
    ],
  )
  return csvResponse('minimum-prices', ['SKU', 'Tire', 'Price', 'Minimum', 'Set'], pages)
}
