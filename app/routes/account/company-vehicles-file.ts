import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { listFleetVisits } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Route } from './+types/company-vehicles-file.ts'
import { vehicleColumns, vehicleRows } from './fleet-visit-view.server.ts'
import { requireCompany } from './require-company.server.ts'

/** Exports the fleet's vehicles with each tire. Buyers get only their own orders. */
export async function loader({ context }: Route.LoaderArgs) {
  const { app, company, role, signedIn } = await requireCompany(context, serverPaths.companyVehicles())
  const whose = { companyId: company.id, accountId: companyCan(role, 'see-all-orders') ? null : signedIn.accountId }
  const read = async (after: number | null) => {
    const { visits, next } = await listFleetVisits(app, whose, after)
    return { items: visits.flatMap(vehicleRows), next }
  }
  return csvResponse(
    'vehicles',
    vehicleColumns,
    csvPages(read, (row) => row),
  )
}
