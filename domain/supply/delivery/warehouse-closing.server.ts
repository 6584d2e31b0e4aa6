/**
 * Closes warehouses. A closing starts now or on a chosen day. After that, new delivery dates, holds, and orders skip the
 * warehouse, and staff move the store's units out of it. It can complete only without open work (trigger
 * `warehouse_closes_empty`). All warehouses of a supplier close when it is retired.
 */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { maxClosingDays, warehouseStateOf, type OpenWork, type WarehouseState } from './warehouse-closing.ts'
import {
  clearStock,
  lockWarehouse,
  selectOpenWork,
  setForSale,
  updateClosing,
  type LockedWarehouse,
} from './warehouse-closing.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
type Ask = { id: number; version: number }

/** `other-state` means that the warehouse's state doesn't allow the step. */
type ClosingRefusal = Refused<'not-allowed'> | Refused<'gone'> | Refused<'other-state'> | Refused<'changed-meanwhile'>

/** Counts the current open work in a warehouse. */
export function readOpenWork({ db, clock }: Deps, id: number): Promise<OpenWork> {
  return selectOpenWork(db, id, clock.now())
}

/**
 * Starts closing a warehouse immediately, or with a job at the start of the local day `on`. Refuses
 * `day-out-of-range` unless the day is after today and within `maxClosingDays`. Of two who close it, the second gets
 * `changed-meanwhile`.
 */
export function closeWarehouse(
  { db, clock }: Deps,
  by: Actor,
  { on, ...of }: Ask & { on: string | null },
): Promise<Outcome<null, ClosingRefusal | Refused<'day-out-of-range'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const locked = await lockIn(tx, by, { ...of, states: ['open', 'scheduled'] }, at)
    if (!locked.ok) return locked
    const { value: warehouse } = locked
    if (on === null) await beginToClose(tx, warehouse, at)
    else {
      const [today, day] = [at.toZonedDateTimeISO(warehouse.timeZone).toPlainDate(), Temporal.PlainDate.from(on)]
      const ahead = today.until(day).days
      if (ahead < 1 || ahead > maxClosingDays) return refused('day-out-of-range')
      await updateClosing(tx, warehouse, { closesOn: on, closedAt: null })
      const runAt = day.toZonedDateTime({ timeZone: warehouse.timeZone }).toInstant()
      await enqueue(tx, 'close-warehouse', { warehouseId: warehouse.id }, { key: jobKey(warehouse.id), runAt })
    }
    await recordAct(tx, { by, act: 'warehouse.closing', subject: warehouse.code, after: { on: on ?? 'now' }, at })
    return ok(null)
  })
}

/** Starts closing a warehouse on its scheduled day. No effect if the schedule was canceled or postponed. */
export function closeDueWarehouse({ db, clock }: Deps, id: number): Promise<void> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const warehouse = await lockWarehouse(tx, id)
    if (!warehouse?.closesOn) return
    const today = at.toZonedDateTimeISO(warehouse.timeZone).toPlainDate()
    if (Temporal.PlainDate.compare(today, warehouse.closesOn) >= 0) await beginToClose(tx, warehouse, at)
  })
}

/** Completes the closing of a warehouse. Refuses `still-open` while it has open work. */
export async function finishClosing(
  { db, clock }: Deps,
  by: Actor,
  of: Ask,
): Promise<Outcome<null, ClosingRefusal | Refused<'still-open'>>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const locked = await lockIn(tx, by, { ...of, states: ['closing'] }, at)
      if (!locked.ok) return locked
      await updateClosing(tx, locked.value, { closesOn: null, closedAt: at })
      await recordAct(tx, { by, act: 'warehouse.closed', subject: locked.value.code, at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'warehouse_closes_empty') return refused('still-open')
    throw error
  }
}

/**
 * Opens a warehouse again, or drops the plan to close it. The store's units that are still there are for sale again; a
 * supplier's next stock file fills its warehouse.
 */
export function reopenWarehouse({ db, clock }: Deps, by: Actor, of: Ask): Promise<Outcome<null, ClosingRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const locked = await lockIn(tx, by, { ...of, states: ['scheduled', 'closing', 'closed'] }, at)
    if (!locked.ok) return locked
    const { value: warehouse } = locked
    await updateClosing(tx, warehouse, { closesOn: null, closedAt: null, retiredAt: null })
    await setForSale(tx, warehouse.id, true)
    await recordAct(tx, {
      by,
      act: 'warehouse.reopened',
      subject: warehouse.code,
      before: { state: warehouseStateOf(warehouse) },
      at,
    })
    return ok(null)
  })
}

const jobKey = (id: number) => `close-warehouse:${id}`

async function beginToClose(tx: Tx, warehouse: LockedWarehouse, at: Temporal.Instant): Promise<void> {
  await updateClosing(tx, warehouse, { closesOn: null, closedAt: null, retiredAt: at })
  if (warehouse.supplierId === null) await setForSale(tx, warehouse.id, false)
  else await clearStock(tx, [warehouse.id])
}

async function lockIn(
  tx: Tx,
  by: Actor,
  { id, version, states }: Ask & { states: readonly WarehouseState[] },
  at: Temporal.Instant,
): Promise<Outcome<LockedWarehouse, ClosingRefusal>> {
  const permitted = await requirePermission(tx, by, 'warehouses.manage', at)
  if (!permitted.ok) return permitted
  const warehouse = await lockWarehouse(tx, id)
  if (!warehouse) return refused('gone')
  if (warehouse.version !== version) return refused('changed-meanwhile')
  return states.includes(warehouseStateOf(warehouse)) ? ok(warehouse) : refused('other-state')
}
