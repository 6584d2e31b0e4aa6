/** Reassigns a rejected purchase order's units to another warehouse, ours or a supplier's. */
import { lockStock, takeStock, warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import type { DeliveryPromise } from '#domain/supply/delivery/delivery.ts'
import { expectParcel } from './expected-day.server.ts'
import { insertOrderNote, lockOrder } from './order-life.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder } from './order-view.sql.server.ts'
import { moveAllocation, moveParcel, selectAllocatedItems } from './re-source.sql.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  lockWired,
  replacePurchaseOrder,
  selectSources,
  selectWired,
  type Source,
} from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber } from '#domain/supply/stock/stock.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** A warehouse that can take over, and the day its parcel would arrive; null where no carrier can say. */
export type SourceOption = Source & { arrivesOn: Temporal.PlainDate | null }

/** Lists alternative warehouses for a purchase order's units, earliest arrival first. */
export async function listSources({ db, clock }: Deps, purchaseOrderId: number): Promise<SourceOption[]> {
  const wired = await selectWired(db, purchaseOrderId)
  const order = wired && (await readOrder(db, wired.orderId))
  if (!order) return []
  const [sources, promises] = await Promise.all([
    selectSources(db, purchaseOrderId, clock.now()),
    warehousePromises({ db, clock }, { zip: order.shipTo.zip, releaseAfter: 0 }),
  ])
  const options = sources.map((source) => ({
    ...source,
    arrivesOn: promises.ok ? (promises.value.get(source.warehouseId)?.arrivesOn ?? null) : null,
  }))
  const key = ({ arrivesOn }: SourceOption) => arrivesOn?.toString() ?? '9999'
  return options.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

/** `not-there` means that the warehouse no longer has all units, or already ships another part of the order. */
export type ReSourceRefusal = Refused<'not-allowed'> | Refused<'other-state'> | Refused<'not-there'>

/**
 * Moves a rejected purchase order's units, parcel and expected day to another warehouse. Sends a purchase order to a
 * supplier immediately; our own warehouses ship the parcel. If the new arrival misses the promised day, the shopper is
 * notified as for any delay. A duplicate submission is refused with `other-state`.
 */
export async function reSource(
  { db, clock }: Deps,
  { id, warehouseId, by }: { id: number; warehouseId: number; by: Actor },
): Promise<Outcome<null, ReSourceRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'suppliers.source', at)
    if (!permitted.ok) return permitted
    const found = await selectWired(tx, id)
    if (!found || (await lockOrder(tx, found.orderId)) !== 'confirmed') return refused('other-state')
    const wired = await lockWired(tx, id)
    if (wired?.state !== 'rejected') return refused('other-state')
    const from = { orderId: wired.orderId, warehouseId: wired.warehouseId }
    const items = await selectAllocatedItems(tx, from)
    if (!(await hasUnits(tx, { id, warehouseId, items, at }))) return refused('not-there')
    // Rejected units aren't returned to the supplier's stock, because it reported them unavailable.
    if (!(await takeStock(tx, [{ warehouseId, items }], { cartId: null, at })))
      throw new Error(`The stock of warehouse ${warehouseId} changed while it was locked.`)
    await moveAllocation(tx, from, warehouseId)
    const promise = await promiseFrom({ db: tx, clock }, wired.orderId, warehouseId)
    const shipmentId = await moveParcel(tx, from, { to: warehouseId, shipsBy: promise?.shipsBy ?? null })
    await replacePurchaseOrder(tx, { ...from, byWarehouseId: warehouseId }, at)
    const expectedOn = promise?.arrivesOn.toString() ?? null
    if (shipmentId !== undefined && expectedOn !== null)
      await expectParcel(tx, { orderId: wired.orderId, shipmentId, expectedOn, asOf: at.toString() }, at)
    const words = `${purchaseOrderNumber(id)} was rejected; its units come from another warehouse.`
    await insertOrderNote(tx, { id: wired.orderId, state: 'confirmed' }, { actor: `staff:${by.name}`, at, note: words })
    await recordAct(tx, {
      by,
      act: 'supplier.re-sourced',
      subject: purchaseOrderNumber(id),
      before: { state: 'rejected', warehouse: wired.warehouseId },
      after: { state: 'canceled', warehouse: warehouseId, order: orderNumber(wired.orderId), expectedOn },
      at,
    })
    return ok(null)
  })
}

/** Locks the stock of a warehouse in key order, and answers whether it has all of it for the purchase order. */
async function hasUnits(
  tx: Tx,
  {
    id,
    warehouseId,
    items,
    at,
  }: { id: number; warehouseId: number; items: { itemId: number; quantity: number }[]; at: Temporal.Instant },
): Promise<boolean> {
  for (const { itemId } of items) await lockStock(tx, { itemId, warehouseId })
  return items.length > 0 && (await selectSources(tx, id, at)).some((source) => source.warehouseId === warehouseId)
}

async function promiseFrom(
  { db, clock }: Deps,
  orderId: number,
  warehouseId: number,
): Promise<DeliveryPromise | undefined> {
  const order = await readOrder(db, orderId)
  const promises = order && (await warehousePromises({ db, clock }, { zip: order.shipTo.zip, releaseAfter: 0 }))
  return promises?.ok ? promises.value.get(warehouseId) : undefined
}
