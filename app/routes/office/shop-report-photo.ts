import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { parseShopReportNumber } from '#domain/installer-portal/work-orders/work-orders.ts'
import { findReportPhoto } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Route } from './+types/shop-report-photo.ts'

/** Sends the picture that came with a report of a shop. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'shop-reports.read', officePaths.officeShopReport(params.number))
  const id = parseShopReportNumber(params.number)
  return storedFile(app, id === undefined ? undefined : await findReportPhoto(app, id))
}
