/** Reassigns a rejected purchase order's units to another warehouse, ours or a supplier's, by rule or by staff. */
import { lockStock, takeStock, warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import {
  chooseSources,
  obstacleOf,
  type DeliveryPromise,
  type SourceObstacle,
  type SourceTerms,
} from '#domain/supply/delivery/delivery.ts'
import { expectParcel } from './expected-day.server.ts'
import { hasOrderNote, insertOrderNote, lockOrder } from './order-life.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { moveAllocation, moveParcel, selectAllocatedItems, updateUnitCosts } from './re-source.sql.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  lockWired,
  replaceHeldPurchaseOrder,
  replacePurchaseOrder,
  selectSources,
  selectWired,
  type Source,
  type SupplierAvailability,
  type WiredOrder,
} from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber } from '#domain/supply/stock/stock.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/**
 * A warehouse that can take over, and the day its parcel would arrive; null if unknown. `obstacle` is why only staff can
 * choose it.
 */
export type SourceOption = Source & { arrivesOn: Temporal.PlainDate | null; obstacle: SourceObstacle | null }

/** Lists alternative warehouses for a purchase order's units, earliest arrival first. */
export async function listSources({ db, clock }: Deps, purchaseOrderId: number): Promise<SourceOption[]> {
  const wired = await selectWired(db, purchaseOrderId)
  const order = wired && (await readOrder(db, wired.orderId))
  if (!wired || !order) return []
  const [sources, promises] = await Promise.all([
    selectSources(db, purchaseOrderId, clock.now()),
    warehousePromises({ db, clock }, { zip: order.shipTo.zip, releaseAfter: 0 }),
  ])
  const terms = termsOf(wired, order)
  const options = sources.map((source) => {
    const arrivesOn = promises.ok ? (promises.value.get(source.warehouseId)?.arrivesOn ?? null) : null
    return { ...source, arrivesOn, obstacle: terms ? obstacleOf({ ...source, arrivesOn }, terms) : ('late' as const) }
  })
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
    const actor = `staff:${by.name}`
    const moved = await moveToSource({ db: tx, clock }, { id, state: 'rejected', warehouseId, actor })
    if (!moved.ok) return moved
    const { wired, expectedOn } = moved.value
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

/**
 * Moves a rejected purchase order's units to another warehouse that delivers by the promised day without a loss, at the
 * lowest landed cost. Without one, adds a note for staff. No effect on a purchase order in another state.
 */
export async function reSourceAutomatically(
  deps: Deps & { supplierAvailability?: Pick<SupplierAvailability, 'refresh'> },
  { purchaseOrderId: id, askedNo }: { purchaseOrderId: number; askedNo: number },
): Promise<void> {
  const { db, clock } = deps
  const wired = await selectWired(db, id)
  if (wired?.state !== 'rejected' || wired.askedNo !== askedNo) return
  const order = await readOrder(db, wired.orderId)
  if (!order || !termsOf(wired, order)) return
  await deps.supplierAvailability?.refresh(order.lines.flatMap(({ itemId }) => itemId ?? []))
  for (const { warehouseId } of chooseSources(await listSources(deps, id))) {
    const moved = await db
      .transaction()
      .execute((tx) => moveToSource({ db: tx, clock }, { id, state: 'rejected', warehouseId, actor: 'store' }))
    // Tries the next warehouse if another order took the units.
    if (moved.ok || moved.reason !== 'not-there') return
  }
  const note = `${purchaseOrderNumber(id)} was rejected, and no other warehouse has its tires in time and without a loss. Choose a warehouse.`
  await noteOnce(deps, wired, note)
}

/** Returns the terms of a purchase order's units; null without their parcel. */
function termsOf(wired: WiredOrder, order: OrderView): SourceTerms | null {
  const parcel = order.shipments.find(({ warehouse }) => warehouse.id === wired.warehouseId)
  return parcel ? { promisedOn: parcel.promisedOn, paidCents: paidFor(wired, order) } : null
}

/** What the customer paid for a purchase order's units, in cents, without tax and fees. */
function paidFor({ lines }: WiredOrder, order: OrderView): number {
  return lines.reduce((sum, { lineNo, quantity }) => {
    const line = order.lines.find((each) => each.lineNo === lineNo)
    return sum + (line ? Math.round((line.netCents / line.quantity) * quantity) : 0)
  }, 0)
}

/**
 * Before an order is charged, moves units that a supplier no longer has to the cheapest warehouse that delivers by the
 * promised day without a loss. Otherwise uses the earliest one and notifies the customer of the delay. Returns false,
 * with a note for staff, if no warehouse has them.
 */
export async function confirmSources(
  deps: Deps & { supplierAvailability?: Pick<SupplierAvailability, 'findLacking' | 'refresh'> },
  orderId: number,
): Promise<boolean> {
  const lacking = (await deps.supplierAvailability?.findLacking(orderId)) ?? []
  let isComplete = true
  for (const id of lacking) if (!(await moveLacking(deps, id))) isComplete = false
  return isComplete
}

async function moveLacking(deps: Deps, id: number): Promise<boolean> {
  const { db, clock } = deps
  const wired = await selectWired(db, id)
  if (wired?.state !== 'held') return true
  const options = await listSources(deps, id)
  const best = chooseSources(options)
  const late = options.filter(({ arrivesOn }) => arrivesOn !== null)
  for (const { warehouseId } of [...best, ...late]) {
    const moved = await db
      .transaction()
      .execute((tx) => moveToSource({ db: tx, clock }, { id, state: 'held', warehouseId, actor: 'store' }))
    if (moved.ok || moved.reason !== 'not-there') return true
  }
  await noteOnce(deps, wired, `${wired.supplier} no longer has tires in this order, and no other warehouse has them.`)
  return false
}

/** Adds a note for staff, unless the order has the same one. */
async function noteOnce({ db, clock }: Deps, { orderId }: WiredOrder, note: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const state = await lockOrder(tx, orderId)
    if (!state || (await hasOrderNote(tx, orderId, note))) return
    await insertOrderNote(tx, { id: orderId, state }, { actor: 'store', at: clock.now(), note })
  })
}

/** Moves a purchase order's units. Returns the previous purchase order and the new arrival day, if known. */
async function moveToSource(
  { db: tx, clock }: { db: Tx; clock: Clock },
  { id, state, warehouseId, actor }: { id: number; state: 'rejected' | 'held'; warehouseId: number; actor: string },
): Promise<Outcome<{ wired: WiredOrder; expectedOn: string | null }, Refused<'other-state'> | Refused<'not-there'>>> {
  const at = clock.now()
  const found = await selectWired(tx, id)
  if (!found || (await lockOrder(tx, found.orderId)) !== 'confirmed') return refused('other-state')
  const wired = await lockWired(tx, id)
  if (wired?.state !== state) return refused('other-state')
  const from = { orderId: wired.orderId, warehouseId: wired.warehouseId }
  const items = await selectAllocatedItems(tx, from)
  if (!(await hasUnits(tx, { id, warehouseId, items, at }))) return refused('not-there')
  // The units aren't returned to the supplier's stock, because it reported them unavailable.
  if (!(await takeStock(tx, [{ warehouseId, items }], { cartId: null, at })))
    throw new Error(`The stock of warehouse ${warehouseId} changed while it was locked.`)
  await moveAllocation(tx, from, warehouseId)
  const promise = await promiseFrom({ db: tx, clock }, wired.orderId, warehouseId)
  const shipmentId = await moveParcel(tx, from, { to: warehouseId, shipsBy: promise?.shipsBy ?? null })
  const replace = state === 'held' ? replaceHeldPurchaseOrder : replacePurchaseOrder
  await replace(tx, { ...from, byWarehouseId: warehouseId }, at)
  await updateUnitCosts(tx, { orderId: wired.orderId, warehouseId })
  const expectedOn = promise?.arrivesOn.toString() ?? null
  if (shipmentId !== undefined && expectedOn !== null)
    await expectParcel(tx, { orderId: wired.orderId, shipmentId, expectedOn, asOf: at.toString() }, at)
  const why = state === 'held' ? `is more than ${wired.supplier} has` : 'was rejected'
  const note = `${purchaseOrderNumber(id)} ${why}; its units come from another warehouse.`
  await insertOrderNote(tx, { id: wired.orderId, state: 'confirmed' }, { actor, at, note })
  return ok({ wired, expectedOn })
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
