/** Receiving stock orders in parts. */
import { beginToStock, lockStock, setStock } from '#domain/supply/delivery/delivery.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { receiveInventory } from './inventory.sql.server.ts'
import { insertAdjustment } from './adjustments.sql.server.ts'
import { replaceLots, selectRemaining } from './dot-lots.sql.server.ts'
import { freightByLine, outstandingUnits, type ReceivedLine } from './receiving.ts'
import { addToLine, insertReceipt, selectReceiptByKey } from './receiving.sql.server.ts'
import {
  lockStockOrder,
  selectStockOrderLines,
  updateStockOrder,
  type StockOrderLine,
} from './stock-orders.sql.server.ts'
import { stockOrderNumber } from './stock-orders.ts'
import { selectAllocated } from './stock.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type ReceiveInput = {
  id: number
  key: string
  freightCents: number
  overReason: string | null
  lines: readonly ReceivedLine[]
  by: Actor
}

type Outstanding = { itemId: number; outstanding: number }
type OverRefusal = Refused<'over', Outstanding> | Refused<'short-over', Outstanding>

/**
 * Reasons a delivery is refused. `over` means more units than outstanding without a reason, `short-over` more missing
 * units, and `freight-without-units` that no unit goes into stock.
 */
export type ReceiveRefusal =
  | Refused<'not-allowed'>
  | Refused<'gone'>
  | Refused<'other-state'>
  | Refused<'nothing'>
  | Refused<'key-used'>
  | Refused<'freight-without-units'>
  | OverRefusal

/**
 * Posts a delivery of a sent order once per `key`, however often it is submitted. Received units go into stock with
 * their DOT weeks, and damaged and missing ones are no longer expected. The order is locked first, so concurrent
 * deliveries count each other’s units. Units beyond the order need `overReason`. The cost of received units includes
 * `freightCents`. Recorded in the audit log.
 */
export async function receiveStockOrder(
  { db, clock }: { db: Database; clock: Clock },
  input: ReceiveInput,
): Promise<Outcome<null, ReceiveRefusal>> {
  try {
    return await db.transaction().execute((tx) => receiveWithin(tx, input, clock.now()))
  } catch (error) {
    // Concurrent submissions for two orders, where only one was received.
    if (violatedConstraint(error) === 'stock_receipt_submission_key_key') return refused('key-used')
    throw error
  }
}

async function receiveWithin(
  tx: Tx,
  { id, key, freightCents, overReason, lines, by }: ReceiveInput,
  at: Temporal.Instant,
): Promise<Outcome<null, ReceiveRefusal>> {
  const permitted = await requirePermission(tx, by, 'stock.adjust', at)
  if (!permitted.ok) return permitted
  const order = await lockStockOrder(tx, id)
  if (!order) return refused('gone')
  const posted = await selectReceiptByKey(tx, key)
  if (posted) return posted.stockOrderId === id ? ok(null) : refused('key-used')
  if (order.state !== 'sent' && order.state !== 'partly-received') return refused('other-state')
  const ordered = new Map((await selectStockOrderLines(tx, id)).map((line) => [line.itemId, line]))
  // By tire, as orders lock stock.
  const delivered = lines
    .filter(({ itemId }) => ordered.has(itemId))
    .toSorted((one, other) => one.itemId - other.itemId)
  if (delivered.length === 0) return refused('nothing')
  const counted = countOver(delivered, { ordered, overReason })
  if (!counted.ok) return counted
  if (!canCarry(freightCents, delivered)) return refused('freight-without-units')
  const freights = freightByLine(freightCents, delivered)
  const receiptId = await insertReceipt(tx, {
    key,
    stockOrderId: id,
    overReason,
    by: by.name,
    at,
    lines: delivered,
    freights,
  })
  for (const line of delivered) {
    await addToLine(tx, id, line, counted.value.get(line.itemId) ?? 0)
    const place = { itemId: line.itemId, warehouseId: order.warehouseId }
    if (line.units > 0) await addToStock(tx, { ...place, line, receiptId, note: stockOrderNumber(id), by: by.name, at })
  }
  await receiveInventory(tx, receiptId, costed(delivered, { ordered, freights }), at)
  const after = await selectStockOrderLines(tx, id)
  const state = after.every((line) => outstandingUnits(line) === 0) ? 'received' : 'partly-received'
  await updateStockOrder(tx, { id, version: order.version }, { state })
  await recordAct(tx, {
    by,
    act: 'stock-order.received',
    subject: stockOrderNumber(id),
    before: { state: order.state },
    after: { state, receipt: receiptId, lines: delivered.map(recorded).join(', '), freightCents },
    reason: overReason ?? undefined,
    at,
  })
  return ok(null)
}

/** Whether a delivery's freight has units to be added to. */
function canCarry(freightCents: number, delivered: readonly ReceivedLine[]): boolean {
  return freightCents === 0 || delivered.some(({ units }) => units > 0)
}

/** What received units cost together, with freight. */
function costed(
  delivered: readonly ReceivedLine[],
  { ordered, freights }: { ordered: ReadonlyMap<number, StockOrderLine>; freights: readonly number[] },
): { itemId: number; units: number; cents: number }[] {
  return delivered.map(({ itemId, units }, index) => ({
    itemId,
    units,
    cents: units * (ordered.get(itemId)?.unitCostCents ?? 0) + (freights[index] ?? 0),
  }))
}

/** The units beyond the order by tire. */
function countOver(
  delivered: readonly ReceivedLine[],
  { ordered, overReason }: { ordered: ReadonlyMap<number, StockOrderLine>; overReason: string | null },
): Outcome<Map<number, number>, OverRefusal> {
  const over = new Map<number, number>()
  for (const { itemId, units, damaged, short } of delivered) {
    const line = ordered.get(itemId)
    const outstanding = line ? outstandingUnits(line) : 0
    const excess = units + damaged + short - outstanding
    if (excess <= 0) continue
    if (short > 0) return refused('short-over', { itemId, outstanding })
    if (overReason === null) return refused('over', { itemId, outstanding })
    over.set(itemId, excess)
  }
  return ok(over)
}

/** Adds received units to the store's stock, with an entry in the history of the tire. */
async function addToStock(
  tx: Tx,
  to: {
    itemId: number
    warehouseId: number
    line: ReceivedLine
    receiptId: number
    note: string
    by: string
    at: Temporal.Instant
  },
): Promise<void> {
  const { itemId, warehouseId, line, receiptId, note } = to
  const place = { itemId, warehouseId }
  await beginToStock(tx, place)
  const free = (await lockStock(tx, place)) ?? 0
  const allocated = await selectAllocated(tx, place)
  const lots = await selectRemaining(tx, place, free + allocated)
  await setStock(tx, { ...place, units: free + line.units })
  await replaceLots(tx, [{ ...place, lots: [...lots, ...line.lots] }])
  await insertAdjustment(tx, newId(), {
    ...place,
    reason: 'received',
    beforeUnits: free,
    allocatedUnits: allocated,
    changeUnits: line.units,
    afterUnits: free + line.units,
    note,
    recordedBy: to.by,
    recordedAt: to.at,
    receiptId,
  })
}

function recorded({ itemId, units, damaged, short }: ReceivedLine): string {
  return `${units} × ${itemId}, ${damaged} damaged, ${short} short`
}
