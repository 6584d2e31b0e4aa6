import { requireStaff } from '#app/server/office.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { dueText } from '#app/views/office-parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listParcelsToPack, pickListOf } from '#domain/ordering/parcels/parcels.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Route } from './+types/pick-list.ts'

/** In packages. This is more than a warehouse packs in one round. The rest follow as these ship. */
const maxPrinted = 500

/** Returns the pick list as a PDF for the warehouse with the code `warehouse`, or for all warehouses. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'parcels.read', officePaths.officePickList())
  const code = url.searchParams.get('warehouse')?.slice(0, 10) ?? null
  const now = app.clock.now()
  const { parcels } = await listParcelsToPack(app, { code, limit: maxPrinted })
  const list = pickListOf(app.config.store.name, parcels, {
    now,
    zone: parcels[0]?.warehouse.timeZone ?? storeZone,
    when: (at, zone) => dueText(at, zone, now),
  })
  return pdfAnswer(await app.pickListPdf(list), `Pick_List${code === null ? '' : `_${code}`}`)
}
