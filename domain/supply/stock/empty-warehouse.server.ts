/** Moves everything out of a closing warehouse, so that staff don't transfer each tire by hand. */
import { findWarehouse, lockFromClosing, lockStockToMove, moveStock } from '#domain/supply/delivery/delivery.server.ts'
import { warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { moveLots } from './transfers.server.ts'
import { insertTransfers } from './transfers.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { maxEmptied } from './stock.ts'

/**
 * Why nothing moves. `gone`: one of the warehouses is unknown or a supplier's. `other-state`: the first isn't closing.
 * `target-closing`: the other is closing or closed. `nothing-to-move`: the first has no units.
 */
type EmptyRefusal =
  | Refused<'not-allowed'>
  | Refused<'gone'>
  | Refused<'other-state'>
  | Refused<'target-closing'>
  | Refused<'nothing-to-move'>

/**
 * Moves the free units of up to `maxEmptied` tires from a closing warehouse of the store to an open one, by item ID.
 * Units of orders stay until their packages ship or move. Each tire's transfer is in its history, and the audit log has
 * one entry. Returns the numbers of tires and units. A second submission moves what is left.
 */
export function emptyWarehouse(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { fromId, toId }: { fromId: number; toId: number },
): Promise<Outcome<{ tires: number; units: number }, EmptyRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'stock.adjust', at)
    if (!permitted.ok) return permitted
    await lockFromClosing(tx, [fromId, toId])
    const [from, to] = [await findWarehouse({ db: tx }, fromId), await findWarehouse({ db: tx }, toId)]
    if (!from || !to || from.supplierId !== null || to.supplierId !== null) return refused('gone')
    if (warehouseStateOf(from) !== 'closing') return refused('other-state')
    if (to.isRetired || to.closedAt !== null) return refused('target-closing')
    const moved = await lockStockToMove(tx, { fromId, toId, limit: maxEmptied })
    if (moved.length === 0) return refused('nothing-to-move')
    await moveLots(tx, { fromId, toId, moved })
    await moveStock(tx, { fromId, toId, moved })
    await insertTransfers(tx, { fromId, toId, moved, note: `${from.code} closes`, by: by.name, at })
    const count = { tires: moved.length, units: moved.reduce((sum, { units }) => sum + units, 0) }
    await recordAct(tx, { by, act: 'warehouse.emptied', subject: from.code, after: { to: to.code, ...count }, at })
    return ok(count)
  })
}
