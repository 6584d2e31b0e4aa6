import { requireStaff } from '#app/server/office.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { dueText } from '#app/views/office-parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { pickListOf } from '#domain/parcels/packing-slip.ts'
import { listParcelsToPack } from '#domain/parcels/parcels.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Route } from './+types/pick-list.ts'

/** In parcels: more than a warehouse packs in a round. The next ones follow as these ship. */
const maxPrinted = 500

/** The pick list as a PDF: of the warehouse with the code in `warehouse`, or of each. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { shop } = await requireStaff(context, 'parcels.read', officePaths.officeParcels())
  const code = url.searchParams.get('warehouse')?.slice(0, 10) ?? null
  const now = shop.clock.now()
  const { parcels } = await listParcelsToPack(shop, { code, limit: maxPrinted })
  const list = pickListOf(shop.config.store.name, parcels, {
    now,
    zone: parcels[0]?.warehouse.timeZone ?? storeZone,
    when: (at, zone) => dueText(at, zone, now),
  })
  return pdfAnswer(await shop.pickListPdf(list), `Pick_List${code === null ? '' : `_${code}`}`)
}
