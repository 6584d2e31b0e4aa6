import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listYearTotals } from '#domain/payouts/payouts.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/shop-pay-year.ts'

/** What each shop was sent in a year, for its 1099, as a CSV file; this year unless the address names another. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'pay.read', officePaths.officeShopPayYear())
  const asked = /^20\d{2}$/.exec(url.searchParams.get('year') ?? '')
  const year = asked ? Number(asked[0]) : storeDay(shop.clock.now()).year
  const read = (after: number | null) => listYearTotals(shop.db, { year, after, limit: 500 })
  return csvResponse(
    `shop-pay-${year}`,
    ['Shop', 'Name', 'Year', 'Paid, dollars'],
    csvPages(read, ({ code, name, sentCents }) => [code, name, year, (sentCents / 100).toFixed(2)]),
  )
}
