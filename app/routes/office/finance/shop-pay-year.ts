import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listYearTotals, recordYearExport } from '#domain/installer-portal/payouts/payouts.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/shop-pay-year.ts'

/**
 * Answers with what each shop was sent in a year, for its Form 1099, as CSV; this year unless the address names another.
 * The reader signs in again if they have not recently, and the audit log records the export.
 */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const path = officePaths.officeShopPayYear() + url.search
  const staff = await requireStaff(context, 'pay.read', path)
  requireFresh(staff, path)
  const { app, actor } = staff
  const asked = /^20\d{2}$/.exec(url.searchParams.get('year') ?? '')
  const year = asked ? Number(asked[0]) : storeDay(app.clock.now()).year
  const recorded = await recordYearExport(app, actor, year)
  if (!recorded.ok) throw seeOther(officePaths.officeShopPays())
  const read = (after: number | null) => listYearTotals(app.db, { year, after, limit: 500 })
  return csvResponse(
    `shop-pay-${year}`,
    ['Shop', 'Name', 'Year', 'Paid, dollars'],
    csvPages(read, ({ code, name, sentCents }) => [code, name, year, (sentCents / 100).toFixed(2)]),
  )
}
