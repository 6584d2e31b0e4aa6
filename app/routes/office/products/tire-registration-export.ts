import { pageParts } from '#app/office/page-parts.ts'
import { csvResponse } from '#app/server/csv.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readRegistrationExport } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Route } from './+types/tire-registration-export.ts'

/** Sends an export of registrations as the CSV its maker gets. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const path = officePaths.officeTireRegistrationExport(params.no)
  const staff = await requireStaff(context, pageParts.registrations.permission, path)
  requireFresh(staff, path)
  const no = /^[1-9]\d{0,8}$/.test(params.no) ? Number(params.no) : 0
  const read = await readRegistrationExport(staff.app, staff.actor, no)
  if (!read.ok) throw new Response(null, { status: 403 })
  const rows = read.value
  if (rows.length === 0) throw new Response(null, { status: 404 })
  return csvResponse(`tire-registrations-${no}`, header, batches(rows))
}

const header = [
  'Export',
  'TIN',
  'Brand',
  'Line',
  'Size',
  'Buyer',
  'Street',
  'City',
  'US state',
  'ZIP',
  'Installed',
  'Shop',
]

type Rows = Extract<Awaited<ReturnType<typeof readRegistrationExport>>, { ok: true }>['value']

async function* batches(rows: Rows) {
  yield rows.map((row) => [
    row.exportNo,
    row.tin,
    row.brand,
    row.line,
    row.size,
    row.buyerName,
    row.street,
    row.city,
    row.state,
    row.zip,
    row.installedAt.toZonedDateTimeISO(storeZone).toPlainDate().toString(),
    row.shop,
  ])
}
