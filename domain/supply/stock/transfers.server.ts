/** Moving units between the warehouses of the store. */
import {
  beginToStock,
  lockStock,
  setStock,
  stockKey,
  type MovedUnits,
} from '#domain/supply/delivery/delivery.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { selectAdjustable } from './adjustments.sql.server.ts'
import { insertTransfer, selectTransferByKey } from './transfers.sql.server.ts'
import { remainingLots, takeOldest } from './dot-lots.ts'
import { replaceLots, selectLotsAt } from './dot-lots.sql.server.ts'
import { selectAllocatedAt } from './stock.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type TransferInput = {
  itemId: number
  fromId: number
  toId: number
  units: number
  note: string | null
  key: string
  by: Actor
}

/**
 * Why no units are moved. `not-stocked`: one of the warehouses is unknown or a supplier's, or the first is out of
 * stock. `closing`: the warehouse that would get them is closing.
 */
type TransferRefusal =
  | Refused<'not-allowed'>
  | Refused<'not-stocked'>
  | Refused<'same-warehouse'>
  | Refused<'closing'>
  | Refused<'too-few', { free: number }>
  | Refused<'key-used'>

/**
 * Moves a tire's free units from one store warehouse to another, which stocks the tire from then on. Both rows are
 * locked in key order, as orders lock them; units of orders stay where they are. Moves once per `key` however often it
 * is submitted. The act is in the audit log.
 */
export async function transferStock(
  { db, clock }: { db: Database; clock: Clock },
  input: TransferInput,
): Promise<Outcome<null, TransferRefusal>> {
  if (input.fromId === input.toId) return refused('same-warehouse')
  try {
    return await db.transaction().execute((tx) => transferWithin(tx, input, clock.now()))
  } catch (error) {
    // Of two concurrent submissions, the other moved the units.
    if (violatedConstraint(error) === 'stock_transfer_submission_key_key') return refused('key-used')
    if (violatedConstraint(error) === 'stock_item_id_fkey') return refused('not-stocked')
    throw error
  }
}

async function transferWithin(
  tx: Tx,
  { itemId, fromId, toId, units, note, key, by }: TransferInput,
  at: Temporal.Instant,
): Promise<Outcome<null, TransferRefusal>> {
  const permitted = await requirePermission(tx, by, 'stock.adjust', at)
  if (!permitted.ok) return permitted
  const [origin, target] = [
    { itemId, warehouseId: fromId },
    { itemId, warehouseId: toId },
  ]
  const free = await lockInOrder(tx, { origin, target })
  const before = await selectTransferByKey(tx, key)
  if (before)
    return before.itemId === itemId && before.fromId === fromId && before.toId === toId ? ok(null) : refused('key-used')
  const [from, to] = [await selectAdjustable(tx, origin), await selectAdjustable(tx, target)]
  const [held, there] = [free.get(fromId), free.get(toId)]
  if (!from?.isOurs || !to?.isOurs || held === undefined || there === undefined) return refused('not-stocked')
  if (to.isClosing) return refused('closing')
  if (held < units) return refused('too-few', { free: held })
  await moveLots(tx, { fromId, toId, moved: [{ itemId, units, free: held, there }] })
  await setStock(tx, { ...origin, units: held - units })
  await setStock(tx, { ...target, units: there + units })
  await insertTransfer(tx, { key, itemId, fromId, toId, units, note, by: by.name, at })
  await recordAct(tx, {
    by,
    act: 'stock.transferred',
    subject: from.sku,
    before: { fromUnits: held, toUnits: there },
    after: { from: from.warehouse, to: to.warehouse, fromUnits: held - units, toUnits: there + units },
    reason: note ?? undefined,
    at,
  })
  return ok(null)
}

/** Moves the oldest lots with the units, for any number of tires in four statements. */
export async function moveLots(
  tx: Tx,
  { fromId, toId, moved }: { fromId: number; toId: number; moved: readonly MovedUnits[] },
): Promise<void> {
  const places = { itemIds: moved.map(({ itemId }) => itemId), warehouseIds: [fromId, toId] }
  const [lots, allocated] = [await selectLotsAt(tx, places), await selectAllocatedAt(tx, places)]
  const hasLots = ({ itemId }: MovedUnits) =>
    [fromId, toId].some((warehouseId) => lots.has(stockKey({ itemId, warehouseId })))
  const changed = moved.filter(hasLots).flatMap(({ itemId, units, free, there }) => {
    const lotsAt = (warehouseId: number, freeUnits: number) => {
      const key = stockKey({ itemId, warehouseId })
      return remainingLots(lots.get(key) ?? [], freeUnits + (allocated.get(key) ?? 0))
    }
    const { taken, rest } = takeOldest(lotsAt(fromId, free), units)
    return [
      { itemId, warehouseId: toId, lots: [...lotsAt(toId, there), ...taken] },
      { itemId, warehouseId: fromId, lots: rest },
    ]
  })
  await replaceLots(tx, changed)
}

type Place = { itemId: number; warehouseId: number }

/** Locks both rows in key order. The second row can be new. Returns the free units by warehouse. */
async function lockInOrder(tx: Tx, { origin, target }: { origin: Place; target: Place }): Promise<Map<number, number>> {
  await beginToStock(tx, target)
  const free = new Map<number, number>()
  for (const place of [origin, target].toSorted((one, other) => one.warehouseId - other.warehouseId)) {
    const units = await lockStock(tx, place)
    if (units !== undefined) free.set(place.warehouseId, units)
  }
  return free
}
