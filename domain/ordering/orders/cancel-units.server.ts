/** Removes an order's unshipped units from its parcels. The caller has locked the order. */
import { cancelBooking, shortenBooking } from '#domain/scheduling/booking/booking.server.ts'
import { cancelCouponUse } from '#domain/catalog/coupons/coupons.server.ts'
import { cancelStoreCardUse } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { countAllocated, returnParts } from './cancel-units.sql.server.ts'
import { selectOrderTires } from './change-order.sql.server.ts'
import { insertOrderNote, lockOrder, lockShipments, moveOrder, updateToReleased } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { stopParcel } from './stop-parcel.server.ts'
import type { UnshippedPart } from './unshipped-part.ts'
import { cancelReferral } from '#domain/customers/programs/programs.server.ts'
import { renewPurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import { countOf } from '#platform/count-text.ts'

type By = { actor: string; at: Temporal.Instant }

/** Locks an order and its parcels until the transaction ends and returns it, or undefined if it doesn't exist. */
export async function lockWithParcels(tx: Tx, orderId: number): Promise<OrderView | undefined> {
  if (!(await lockOrder(tx, orderId))) return undefined
  // From here on no event of the carrier moves a parcel.
  await lockShipments(tx, orderId)
  return readOrder(tx, orderId)
}

/**
 * Returns units to stock and cancels parcels that become empty. Notes the remaining contents of an announced parcel for
 * the warehouse. Shortens the appointment, or cancels it if the order is empty. An order past its cancellation window
 * counts as released from here on, and the job still captures and ships the rest.
 */
export async function takeOutOfParcels(
  tx: Tx,
  clock: Clock,
  order: OrderView,
  { parts, ...change }: By & { parts: readonly UnshippedPart[] },
): Promise<void> {
  await updateToReleased(tx, order.id, change.at)
  if (parts.length === 0) return
  await returnParts(tx, order.id, parts)
  const warehouseIds = [...new Set(parts.map(({ warehouseId }) => warehouseId))]
  await renewPurchaseOrders(tx, { orderId: order.id, warehouseIds }, change.at)
  const after = await readOrder(tx, order.id)
  for (const shipment of after?.shipments ?? []) {
    const taken = parts.filter(({ shipmentId }) => shipmentId === shipment.id)
    if (taken.length === 0) continue
    if (shipment.items.length === 0) await stopParcel(tx, order.id, shipment, change)
    else if (shipment.trackingNumber !== null) {
      const units = taken.reduce((sum, part) => sum + part.units, 0)
      const note = `Take ${countOf(units, 'tire')} out of parcel ${shipment.trackingNumber} before it is picked up: canceled.`
      await insertOrderNote(tx, order, { ...change, note })
    }
  }
  const left = await countAllocated(tx, order.id)
  if (order.booking?.state === 'confirmed') await fitAppointment(tx, clock, order.id, { left, actor: change.actor })
}

async function fitAppointment(
  tx: Tx,
  clock: Clock,
  orderId: number,
  { left, actor }: { left: number; actor: string },
): Promise<void> {
  const deps = { db: tx, clock }
  if (left === 0) await cancelBooking(deps, { orderId, actor })
  else await shortenBooking(deps, { orderId, tires: await selectOrderTires(tx, orderId), actor })
}

/** Ends a released order after all its tires were canceled. */
export async function endCanceledOrder(tx: Tx, order: OrderView, { actor, at }: By): Promise<void> {
  await moveOrder(tx, order, 'cancel', { actor, at, note: null }, { isLate: true })
  await cancelReferral(tx, order.id, at)
  await cancelCouponUse(tx, order.id, at)
  await cancelStoreCardUse(tx, order.id, at)
}
