/** Stock by warehouse in the office, and staff adjustments. Orders take their units in domain/supply/delivery. */
import { beginToStock, listWarehouses, lockStock, setBin, setStock } from '#domain/supply/delivery/delivery.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { insertAdjustment, selectAdjustable, selectAdjustments, selectByKey } from './adjustments.sql.server.ts'
import { countInventory, selectInventoryValue, type InventoryValue } from './inventory.sql.server.ts'
import {
  selectAllocated,
  selectStock,
  selectStockPlaces,
  type StockedTire,
  type StockPlace,
} from './stock.sql.server.ts'
import { selectTransfers, type StockTransfer } from './transfers.sql.server.ts'
import { adjustmentOf, type AdjustmentReason, type WarehouseUnits, type StockQuery } from './stock.ts'
import { remainingLots, type Lot } from './dot-lots.ts'
import { replaceLots, selectLots, selectRemaining } from './dot-lots.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export {
  answerPurchaseOrder,
  cancelPurchaseOrders,
  listPurchaseOrders,
  listPurchaseOrdersToPlace,
  listRejectedPurchaseOrders,
  raisePurchaseOrders,
  renewPurchaseOrders,
  releasePurchaseOrders,
  replaceHeldPurchaseOrder,
  replacePurchaseOrder,
} from './purchase-orders.server.ts'
export {
  isToBuy,
  selectOrderPurchases as listOrderPurchases,
  lineSources,
  type LineSource,
  type OrderPurchase,
} from './purchase-orders.sql.server.ts'
export { orderPayloadId, readOrderNumber, readOrderPayloadId, type AskedOrder } from './supplier-answer.ts'
export {
  answerOnce,
  askSupplier,
  isElectronic,
  type ExchangeDeps,
  type FinalReply,
} from './supplier-exchange.server.ts'
export { receiveStockOrderMessage, transmitStockOrder, withdrawStockOrder } from './stock-order-messages.server.ts'
export {
  applyConfirmation,
  applyShipNotice,
  lockWired,
  noteReply,
  parcelOf,
  supplierOrderOf,
  type AppliedToOrder,
} from './supplier-orders.server.ts'
export {
  selectDetail as findPurchaseOrder,
  selectSources,
  selectWired,
  updateWithdrawn as noteWithdrawn,
  type PurchaseOrderDetail,
  type Source,
  type WiredOrder,
} from './supplier-orders.sql.server.ts'
export { availabilityKeyPurpose, createSupplierAvailability, type SupplierAvailability } from './availability.server.ts'
export { selectAnswered as readAnswered } from './availability.sql.server.ts'
export {
  addHeldWarehouse,
  addSupplier,
  changeSupplier,
  collectEdi,
  connectionFinder,
  findSupplier,
  listSuppliers,
  restoreSupplier,
  retireSupplier,
  ediSecretPurpose,
  supplierSecretPurpose,
} from './suppliers.server.ts'
export { selectStockLevel as readStockLevel } from './stock.sql.server.ts'
export { supplierName, suppliersOfOrder } from './supplier-names.sql.server.ts'
export { averageUnitCost, freightFrom, landedCostFrom, soldFreight, soldUnitCost } from './unit-cost.sql.server.ts'
export { selectTireSupply, type TireSupply } from './supply-costs.sql.server.ts'
export { oldestDotWeek } from './dot-lots.sql.server.ts'
export { receiveStockOrder } from './receiving.server.ts'
export {
  cancelSupplierReturn,
  createSupplierReturn,
  creditSupplierReturn,
  findSupplierReturn,
  listSupplierReturns,
  sendSupplierReturn,
} from './supplier-returns.server.ts'
export { selectReceiptLines } from './receiving.sql.server.ts'
export {
  cancelStockOrder,
  changeStockOrder,
  createStockOrder,
  findStockOrder,
  listStockOrdersToFollowUp,
  listStockOrders,
  markStockOrderSent,
  sendStockOrder,
} from './stock-orders.server.ts'
export type { ReorderPoint } from './reorder-points.sql.server.ts'
export {
  findAnyReorderPoint,
  findReorderPoint,
  listLowStock,
  listReorderPoints,
  reorder,
  setReorderPoint,
} from './reorder-points.server.ts'
export { emptyWarehouse } from './empty-warehouse.server.ts'
export { transferStock } from './transfers.server.ts'
export { countInventory, shipInventory } from './inventory.sql.server.ts'
export { inventoryRows, suppliedLineRows, supplierRows } from './report-rows.sql.server.ts'
export type { StockedTire } from './stock.sql.server.ts'

const tiresPerPage = 50
const adjustmentsShown = 20

/** Lists a page of matching tires by id; `next` is the id to continue after, null on the last page. */
export async function listStock(
  { db }: { db: Database },
  query: StockQuery,
  after: number,
  limit = tiresPerPage,
): Promise<{ tires: StockedTire[]; next: number | null }> {
  const found = await selectStock(db, query, { after, limit: limit + 1 })
  const tires = found.slice(0, limit)
  return { tires, next: found.length > limit ? (tires.at(-1)?.itemId ?? null) : null }
}

type TireStock = {
  tire: StockedTire
  places: StockPlace[]
  inventory: InventoryValue
  adjustments: Awaited<ReturnType<typeof selectAdjustments>>
  transfers: StockTransfer[]
  /** Units in our warehouses by DOT week, oldest first; units without a recorded week first. */
  lots: { warehouseId: number; warehouse: string; lots: Lot[] }[]
  /** Our warehouses, those that do not stock it included. */
  warehouses: { id: number; name: string }[]
}

/** One tire with its stock in each warehouse and its latest adjustments and transfers; undefined if it does not exist. */
export async function findTireStock({ db }: { db: Database }, itemId: number): Promise<TireStock | undefined> {
  const [[tire], places, adjustments, transfers, warehouses, lots, inventory] = await Promise.all([
    selectStock(db, { words: [], pool: null }, { after: itemId - 1, limit: 1 }),
    selectStockPlaces(db, itemId),
    selectAdjustments(db, itemId, adjustmentsShown),
    selectTransfers(db, itemId, adjustmentsShown),
    listWarehouses({ db }),
    selectLots(db, itemId),
    selectInventoryValue(db, itemId),
  ])
  if (tire?.itemId !== itemId) return undefined
  const ours = warehouses
    .filter(({ supplierId }) => supplierId === null)
    .map(({ id, code, name }) => ({ id, name: `${code} ${name}` }))
  const byWeek = places
    .filter(({ supplier }) => supplier === null)
    .map(({ warehouseId, code, free, allocated }) => ({
      warehouseId,
      warehouse: code,
      lots: remainingLots(lots.get(warehouseId) ?? [], free + allocated),
    }))
  return { tire, places, inventory, adjustments, transfers, warehouses: ours, lots: byWeek }
}

type AdjustmentInput = {
  itemId: number
  warehouseId: number
  reason: AdjustmentReason
  units: number
  note: string | null
  key: string
  by: Actor
}

/** The reason an adjustment is refused. `held-by-supplier` means that only the supplier's feed can change it. */
export type AdjustmentRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-stocked'>
  | Refused<'held-by-supplier'>
  | Refused<'none'>
  | Refused<'below-allocated', WarehouseUnits>
  | Refused<'key-used'>

/**
 * Adjusts a tire's available units in one of our warehouses, under its row lock, once per `key` however often it is
 * submitted. Starts stocking the tire in the warehouse if necessary. The meaning of `units` depends on the reason
 * (`adjustmentOf`). Recorded in the audit log.
 */
export async function adjustStock(
  { db, clock }: { db: Database; clock: Clock },
  input: AdjustmentInput,
): Promise<Outcome<{ changeUnits: number; afterUnits: number }, AdjustmentRefusal>> {
  try {
    return await db.transaction().execute((tx) => adjustWithin(tx, input, clock.now()))
  } catch (error) {
    // Concurrent submissions for two tires, where only one was adjusted.
    if (violatedConstraint(error) === 'stock_adjustment_submission_key_key') return refused('key-used')
    if (violatedConstraint(error) === 'stock_item_id_fkey') return refused('not-stocked')
    throw error
  }
}

async function adjustWithin(
  tx: Tx,
  input: AdjustmentInput,
  at: Temporal.Instant,
): Promise<Outcome<{ changeUnits: number; afterUnits: number }, AdjustmentRefusal>> {
  const { itemId, warehouseId, reason, note, key, by } = input
  const permitted = await requirePermission(tx, by, 'stock.adjust', at)
  if (!permitted.ok) return permitted
  await beginToStock(tx, input)
  const free = await lockStock(tx, input)
  const adjustable = await selectAdjustable(tx, input)
  if (free === undefined || !adjustable) return refused('not-stocked')
  if (!adjustable.isOurs) return refused('held-by-supplier')
  const before = await selectByKey(tx, key)
  if (before)
    return before.itemId === itemId && before.warehouseId === warehouseId
      ? ok({ changeUnits: before.changeUnits, afterUnits: before.afterUnits })
      : refused('key-used')
  const allocated = await selectAllocated(tx, input)
  const change = adjustmentOf({ free, allocated }, reason, input.units)
  if (!change.ok) return change
  const afterUnits = free + change.value
  // Units that are found have no recorded week, so they are not those that left.
  await replaceLots(tx, [{ itemId, warehouseId, lots: await selectRemaining(tx, input, free + allocated) }])
  await setStock(tx, { itemId, warehouseId, units: afterUnits })
  const adjustment = await insertAdjustment(tx, key, {
    itemId,
    warehouseId,
    reason,
    beforeUnits: free,
    allocatedUnits: allocated,
    changeUnits: change.value,
    afterUnits,
    note,
    recordedBy: by.name,
    recordedAt: at,
    receiptId: null,
  })
  const kind = reason === 'returned' ? 'returned' : 'adjusted'
  await countInventory(tx, [itemId], { kind, source: { adjustment_id: adjustment } }, at)
  await recordAct(tx, {
    by,
    act: 'stock.adjusted',
    subject: adjustable.sku,
    before: { warehouse: adjustable.warehouse, free, allocated },
    after: { warehouse: adjustable.warehouse, free: afterUnits, adjustment },
    reason: note ? `${reason}: ${note}` : reason,
    at,
  })
  return ok({ changeUnits: change.value, afterUnits })
}

/**
 * Sets the bin for a SKU's tires in one of our warehouses; null removes it. Idempotent. Refuses with `not-allowed`,
 * `not-stocked`, and `held-by-supplier`.
 */
export async function changeBin(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { itemId, warehouseId, bin }: { itemId: number; warehouseId: number; bin: string | null },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-stocked'> | Refused<'held-by-supplier'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'stock.adjust', at)
    if (!permitted.ok) return permitted
    const free = await lockStock(tx, { itemId, warehouseId })
    const found = await selectAdjustable(tx, { itemId, warehouseId })
    if (free === undefined || !found) return refused('not-stocked')
    if (!found.isOurs) return refused('held-by-supplier')
    const before = await setBin(tx, { itemId, warehouseId, bin })
    if (before === bin) return ok(null)
    const { sku, warehouse } = found
    await recordAct(tx, {
      by,
      act: 'stock.bin-changed',
      subject: sku,
      before: { warehouse, bin: before },
      after: { warehouse, bin },
      at,
    })
    return ok(null)
  })
}
