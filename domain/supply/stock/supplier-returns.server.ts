/** Returns of our stock to suppliers. Sending one takes its units out of stock, and the credit lowers their cost. */
import { lockStock, setStock } from '#domain/supply/delivery/delivery.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { insertAdjustment } from './adjustments.sql.server.ts'
import { replaceLots, selectRemaining } from './dot-lots.sql.server.ts'
import { returnInventory } from './inventory.sql.server.ts'
import { linesWith, lockActive, type LineRefusal } from './stock-orders.server.ts'
import { isOwnWarehouse } from './stock-orders.sql.server.ts'
import type { TypedLine } from './stock-orders.ts'
import { selectAllocated } from './stock.sql.server.ts'
import {
  enterSupplierCredit,
  insertSupplierReturn,
  lockSupplierReturn,
  selectSupplierReturnByKey,
  selectSupplierReturnLines,
  selectSupplierReturns,
  updateSupplierReturn,
  type SupplierReturn,
  type SupplierReturnLine,
  type SupplierReturnRow,
} from './supplier-returns.sql.server.ts'
import { supplierReturnNumber, type SupplierReturnState } from './supplier-returns.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** Lists a page of returns, newest first; `next` is the ID to continue before. */
export async function listSupplierReturns(
  { db }: Pick<Deps, 'db'>,
  query: { state: SupplierReturnState | null; before: number | null },
  limit: number,
): Promise<{ returns: SupplierReturnRow[]; next: number | null }> {
  const found = await selectSupplierReturns(db, query, limit + 1)
  const returns = found.slice(0, limit)
  return { returns, next: found.length > limit ? (returns.at(-1)?.id ?? null) : null }
}

/** Returns a return with its tires; undefined if not found. */
export async function findSupplierReturn(
  { db }: Pick<Deps, 'db'>,
  id: number,
): Promise<{ returned: SupplierReturn; lines: SupplierReturnLine[] } | undefined> {
  const [[returned], lines] = await Promise.all([
    selectSupplierReturns(db, { id }, 1),
    selectSupplierReturnLines(db, id),
  ])
  return returned && { returned, lines }
}

type CreateRefusal =
  | Refused<'not-allowed'>
  | Refused<'supplier-retired'>
  | Refused<'not-ours'>
  | Refused<'no-lines'>
  | LineRefusal

/**
 * Creates a draft and returns its ID, once per `key`. The expected credit for a unit is the supplier's price if it isn't
 * typed.
 */
export async function createSupplierReturn(
  { db, clock }: Deps,
  by: Actor,
  draft: { key: string; supplier: number; warehouse: number; add: readonly TypedLine[]; note: string | null },
): Promise<Outcome<{ id: number }, CreateRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'stock.order', at)
    if (!permitted.ok) return permitted
    const before = await selectSupplierReturnByKey(tx, draft.key)
    if (before) return ok(before)
    const supplier = await lockActive(tx, draft.supplier)
    if (!supplier) return refused('supplier-retired')
    if (!(await isOwnWarehouse(tx, draft.warehouse))) return refused('not-ours')
    const typed = await linesWith(tx, supplier, { lines: [], add: draft.add })
    if (!typed.ok) return typed
    if (typed.value.length === 0) return refused('no-lines')
    const lines = typed.value.map(({ unitCostCents, ...line }) => ({ ...line, unitCreditCents: unitCostCents }))
    const id = await insertSupplierReturn(
      tx,
      { ...draft, supplierId: draft.supplier, warehouseId: draft.warehouse, by: by.name, at },
      lines,
    )
    // A concurrent submission created it.
    if (id === undefined) return ok((await selectSupplierReturnByKey(tx, draft.key)) ?? { id: 0 })
    await recordAct(tx, {
      by,
      act: 'supplier-return.created',
      subject: supplierReturnNumber(id),
      after: { supplier: supplier.code, lines: recorded(lines) },
      at,
    })
    return ok({ id })
  })
}

type StepRefusal = Refused<'not-allowed'> | Refused<'gone'> | Refused<'other-state'> | Refused<'changed-meanwhile'>

/**
 * Sends a draft under the supplier's RMA number. Its units leave our stock and inventory. Refuses `not-enough` for a tire
 * with fewer available units.
 */
export async function sendSupplierReturn(
  { db, clock }: Deps,
  by: Actor,
  { id, version, rma }: { id: number; version: number; rma: string },
): Promise<Outcome<null, StepRefusal | Refused<'not-enough', { sku: string; free: number }>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const locked = await lockIn(tx, by, { id, version, state: 'draft' }, at)
    if (!locked.ok) return locked
    const { warehouseId } = locked.value
    const lines = await selectSupplierReturnLines(tx, id)
    const free = new Map<number, number>()
    for (const { itemId, sku, quantity } of lines) {
      const units = (await lockStock(tx, { itemId, warehouseId })) ?? 0
      if (units < quantity) return refused('not-enough', { sku, free: units })
      free.set(itemId, units)
    }
    for (const line of lines)
      await takeOut(tx, by, { line, warehouseId, free: free.get(line.itemId) ?? 0, note: supplierReturnNumber(id), at })
    await returnInventory(tx, id, lines, at)
    await updateSupplierReturn(tx, id, { state: 'sent', rma, sent_at: at, sent_by: by.name })
    const after = { state: 'sent', reference: rma, lines: recorded(lines) }
    await recordAct(tx, { by, act: 'supplier-return.sent', subject: supplierReturnNumber(id), after, at })
    return ok(null)
  })
}

/** Takes a line's units out of locked stock, with an entry in the history of the tire. */
async function takeOut(
  tx: Tx,
  by: Actor,
  {
    line: { itemId, sku, quantity },
    warehouseId,
    free,
    note,
    at,
  }: { line: SupplierReturnLine; warehouseId: number; free: number; note: string; at: Temporal.Instant },
): Promise<void> {
  const place = { itemId, warehouseId }
  const allocated = await selectAllocated(tx, place)
  await replaceLots(tx, [{ ...place, lots: await selectRemaining(tx, place, free + allocated - quantity) }])
  await setStock(tx, { ...place, units: free - quantity })
  const adjustment = await insertAdjustment(tx, newId(), {
    ...place,
    reason: 'supplier-return',
    beforeUnits: free,
    allocatedUnits: allocated,
    changeUnits: -quantity,
    afterUnits: free - quantity,
    note,
    recordedBy: by.name,
    recordedAt: at,
    receiptId: null,
  })
  await recordAct(tx, {
    by,
    act: 'stock.adjusted',
    subject: sku,
    before: { warehouseId, free, allocated },
    after: { warehouseId, free: free - quantity, adjustment },
    reason: `supplier-return: ${note}`,
    at,
  })
}

/** Records the credit of a sent return. Its difference from the cost of the tires changes the cost of goods sold. */
export async function creditSupplierReturn(
  { db, clock }: Deps,
  by: Actor,
  { id, version, credit, reference }: { id: number; version: number; credit: number; reference: string | null },
): Promise<Outcome<null, StepRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const locked = await lockIn(tx, by, { id, version, state: 'sent' }, at)
    if (!locked.ok) return locked
    await enterSupplierCredit(tx, { id, creditCents: credit, at })
    await updateSupplierReturn(tx, id, {
      state: 'credited',
      credit_cents: credit,
      credit_reference: reference,
      credited_at: at,
      credited_by: by.name,
    })
    await recordAct(tx, {
      by,
      act: 'supplier-return.credited',
      subject: supplierReturnNumber(id),
      after: { state: 'credited', amountCents: credit, reference },
      at,
    })
    return ok(null)
  })
}

/** Cancels a draft. */
export async function cancelSupplierReturn(
  { db, clock }: Deps,
  by: Actor,
  { id, version }: { id: number; version: number },
): Promise<Outcome<null, StepRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const locked = await lockIn(tx, by, { id, version, state: 'draft' }, at)
    if (!locked.ok) return locked
    await updateSupplierReturn(tx, id, { state: 'canceled', canceled_at: at, canceled_by: by.name })
    await recordAct(tx, { by, act: 'supplier-return.canceled', subject: supplierReturnNumber(id), at })
    return ok(null)
  })
}

async function lockIn(
  tx: Tx,
  by: Actor,
  { id, version, state }: { id: number; version: number; state: SupplierReturnState },
  at: Temporal.Instant,
): Promise<Outcome<{ warehouseId: number }, StepRefusal>> {
  const permitted = await requirePermission(tx, by, 'stock.order', at)
  if (!permitted.ok) return permitted
  const locked = await lockSupplierReturn(tx, id)
  if (!locked) return refused('gone')
  if (locked.state !== state) return refused('other-state')
  return locked.version === version ? ok(locked) : refused('changed-meanwhile')
}

function recorded(lines: readonly Pick<SupplierReturnLine, 'itemId' | 'quantity' | 'unitCreditCents'>[]): string {
  return lines
    .map(({ itemId, quantity, unitCreditCents }) => `${quantity} × ${itemId} at ${formatCents(unitCreditCents)}`)
    .join(', ')
}
