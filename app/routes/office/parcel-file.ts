import { requireStaff } from '#app/server/office.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { labelShown, readSlips } from '#app/views/office-parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { found } from '#app/office/decision.server.ts'
import { labelContentTypes, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { findParcel, readLabel } from '#domain/ordering/parcels/parcels.server.ts'
import { isId } from '#platform/ids.ts'
import type { Route } from './+types/parcel-file.ts'

/**
 * Returns a package's packing slip as `packing-slip.pdf`, or the carrier's label as `label.pdf` or `label.zpl`.
 * Responds with 403 to staff who can't see the package's address.
 */
export async function loader({ context, params: { id, file } }: Route.LoaderArgs): Promise<Response> {
  const isSlip = file === 'packing-slip.pdf'
  const [, format] = /^label\.(pdf|zpl)$/.exec(file) ?? []
  const permission = isSlip ? 'parcels.read' : 'parcels.ship'
  const { app, session } = await requireStaff(context, permission, officePaths.officeParcel(id))
  const parcel = found(isId(id) ? await findParcel(app, id) : undefined)
  const order = found(await readOrder(app.db, parcel.orderId))
  if (isSlip) {
    const slips = found(await readSlips(app, order, session.roles, parcel.id))
    return pdfAnswer(await app.packingSlipsPdf(slips), `Packing_Slip_${orderNumber(order.id)}`)
  }
  if (format !== 'pdf' && format !== 'zpl') throw new Response(null, { status: 404 })
  if (!labelShown(parcel, session.roles)) throw new Response(null, { status: 403 })
  const bytes = found(await readLabel(app, { shipmentId: parcel.id, format }))
  if (format === 'pdf') return pdfAnswer(bytes, `Label_${orderNumber(order.id)}`)
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': labelContentTypes.zpl,
      'content-disposition': `attachment; filename="Label_${orderNumber(order.id)}.zpl"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
