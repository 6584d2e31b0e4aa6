/** Stopping a parcel that has not shipped. */
import { counterCarrier } from './warehouse-counter.ts'
import { moveShipment, selectParcelRef } from './order-life.sql.server.ts'
import type { OrderShipment } from './order-view.sql.server.ts'
import type { Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'

/**
 * Cancels a locked parcel, with a job that cancels it at the carrier if it was announced, or refunds the label that may
 * have been bought for it. Throws once it has shipped.
 */
export async function stopParcel(
  tx: Tx,
  orderId: number,
  {
    id: shipmentId,
    state,
    trackingNumber,
    carrier,
  }: Pick<OrderShipment, 'id' | 'state' | 'trackingNumber' | 'carrier'>,
  { note = null, ...change }: { actor: string; at: Temporal.Instant; note?: string | null },
): Promise<void> {
  if (!(await moveShipment(tx, shipmentId, 'canceled', { ...change, note, tracking: null })))
    throw new Error(`Parcel ${shipmentId} of order ${orderId} is ${state}, too far on its way to be canceled.`)
  // A pickup at the store's counter has no label.
  if (carrier === counterCarrier) return
  const parcelRef = trackingNumber === null ? await selectParcelRef(tx, shipmentId) : null
  if (trackingNumber !== null)
    await enqueue(tx, 'cancel-parcel', { orderId, shipmentId, trackingNumber }, { key: `cancel-parcel:${shipmentId}` })
  else if (parcelRef !== null) await enqueue(tx, 'refund-label', { parcelRef }, { key: `refund-label:${shipmentId}` })
}
