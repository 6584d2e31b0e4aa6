/** Reorder points and suggested stock orders. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  deletePoint,
  isTire,
  lockPoint,
  lockSuggestedDraft,
  selectLowPoints,
  selectAnyPoint,
  selectPoint,
  selectPointsOf,
  upsertPoint,
  type ReorderPoint,
} from './reorder-points.sql.server.ts'
import { suggestedUnits } from './reorder-points.ts'
import { lockActive, priceOf } from './stock-orders.server.ts'
import {
  insertStockOrder,
  isOwnWarehouse,
  lockStockOrder,
  replaceStockOrderLines,
  selectStockOrderLines,
  updateStockOrder,
} from './stock-orders.sql.server.ts'
import { expectedDay, maxStockOrderLines, stockOrderNumber } from './stock-orders.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

/** Lists a page of low tires by reorder point id. `isUncovered` skips tires covered by open orders. */
export async function listLowStock(
  { db }: Pick<Deps, 'db'>,
  query: { isUncovered: boolean; after: number },
  limit: number,
): Promise<{ points: ReorderPoint[]; next: number | null }> {
  const found = await selectLowPoints(db, query, limit + 1)
  const points = found.slice(0, limit)
  return { points, next: found.length > limit ? (points.at(-1)?.id ?? null) : null }
}

/** Returns the reorder point with this id. Undefined if it doesn't exist. */
export function findReorderPoint({ db }: Pick<Deps, 'db'>, id: number): Promise<ReorderPoint | undefined> {
  return selectPoint(db, id)
}

/** The same, also in a warehouse that is closing or closed. */
export function findAnyReorderPoint({ db }: Pick<Deps, 'db'>, id: number): Promise<ReorderPoint | undefined> {
  return selectAnyPoint(db, id)
}

/** Lists the reorder points of a tire by warehouse. */
export function listReorderPoints({ db }: Pick<Deps, 'db'>, itemId: number): Promise<ReorderPoint[]> {
  return selectPointsOf(db, itemId)
}

/**
 * Sets at how many available and incoming units a tire is ordered for a warehouse, and up to how many; nulls remove the
 * reorder point. Refuses `not-allowed`, `not-ours` for a warehouse of a supplier, `supplier-retired`, and `gone` for an
 * unknown tire.
 */
export async function setReorderPoint(
  { db, clock }: Deps,
  by: Actor,
  point: {
    itemId: number
    warehouseId: number
    supplierId: number
    reorderAt: number | null
    orderUpTo: number | null
  },
): Promise<
  Outcome<null, Refused<'not-allowed'> | Refused<'not-ours'> | Refused<'supplier-retired'> | Refused<'gone'>>
> {
  const at = clock.now()
  const { itemId, warehouseId, supplierId, reorderAt, orderUpTo } = point
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'stock.order', at)
      if (!permitted.ok) return permitted
      if (!(await isOwnWarehouse(tx, warehouseId))) return refused('not-ours')
      if (!(await lockActive(tx, supplierId))) return refused('supplier-retired')
      const before = (await selectPointsOf(tx, itemId)).find((each) => each.warehouseId === warehouseId)
      if (!before && !(await isTire(tx, itemId))) return refused('gone')
      if (reorderAt === null || orderUpTo === null) await deletePoint(tx, point)
      else await upsertPoint(tx, point, { supplierId, reorderAt, orderUpTo, by: by.name, at })
      await recordAct(tx, {
        by,
        act: 'stock.reorder-point-changed',
        subject: String(itemId),
        before: before && { warehouseId, reorderAt: before.reorderAt, orderUpTo: before.orderUpTo },
        after: { warehouseId, supplierId, reorderAt, orderUpTo },
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'reorder_point_item_id_fkey') return refused('gone')
    throw error
  }
}

/**
 * Adds a low tire's suggested quantity to the draft that this list made for its supplier and warehouse, or to a new
 * one. The reorder point is locked and incoming units are read again, so concurrent requests order once. Refuses
 * `covered` if open orders suffice, `cost-missing`, `supplier-retired`, `gone` and `not-allowed`.
 */
export async function reorder(
  { db, clock }: Deps,
  by: Actor,
  pointId: number,
): Promise<
  Outcome<
    { id: number },
    | Refused<'not-allowed'>
    | Refused<'gone'>
    | Refused<'covered'>
    | Refused<'cost-missing'>
    | Refused<'supplier-retired'>
  >
> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'stock.order', at)
    if (!permitted.ok) return permitted
    await lockPoint(tx, pointId)
    const point = await selectPoint(tx, pointId)
    if (!point) return refused('gone')
    const quantity = suggestedUnits(point)
    if (quantity <= 0) return refused('covered')
    const supplier = await lockActive(tx, point.supplierId)
    if (!supplier) return refused('supplier-retired')
    const unitCostCents = priceOf(point, supplier.discountPpm)
    if (unitCostCents === null) return refused('cost-missing')
    const { id, isNew } = await addToDraft(tx, by, at, { point, supplier, quantity, unitCostCents })
    await recordAct(tx, {
      by,
      act: isNew ? 'stock-order.created' : 'stock-order.changed',
      subject: stockOrderNumber(id),
      after: { supplier: supplier.code, suggested: `${quantity} × ${point.itemId} at ${formatCents(unitCostCents)}` },
      at,
    })
    return ok({ id })
  })
}

/** Adds units to a supplier and warehouse's suggested draft, or to a new one if the draft doesn't exist or is full. */
async function addToDraft(
  tx: Tx,
  by: Actor,
  at: Temporal.Instant,
  {
    point,
    supplier,
    quantity,
    unitCostCents,
  }: {
    point: { itemId: number; supplierId: number; warehouseId: number }
    supplier: { leadDays: number }
    quantity: number
    unitCostCents: number
  },
): Promise<{ id: number; isNew: boolean }> {
  const draftId = await lockSuggestedDraft(tx, point)
  const lines = draftId === undefined ? [] : await selectStockOrderLines(tx, draftId)
  if (draftId !== undefined && lines.length < maxStockOrderLines) {
    const there = lines.find(({ itemId }) => itemId === point.itemId)
    const line = { itemId: point.itemId, quantity: quantity + (there?.quantity ?? 0), unitCostCents }
    await replaceStockOrderLines(tx, draftId, [...lines.filter((each) => each !== there), line])
    const locked = await lockStockOrder(tx, draftId)
    if (locked) await updateStockOrder(tx, { id: draftId, version: locked.version }, {})
    return { id: draftId, isNew: false }
  }
  const id = await insertStockOrder(tx, {
    key: newId(),
    supplierId: point.supplierId,
    warehouseId: point.warehouseId,
    expectedOn: expectedDay(storeDay(at), supplier.leadDays).toString(),
    note: null,
    isSuggested: true,
    by: by.name,
    at,
  })
  if (id === undefined) throw new Error('A stock order with a new key exists already.')
  await replaceStockOrderLines(tx, id, [{ itemId: point.itemId, quantity, unitCostCents }])
  return { id, isNew: true }
}
