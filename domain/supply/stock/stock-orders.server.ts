/** Stock orders, which staff draft, send to a supplier or mark as sent, receive in parts, or cancel. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  insertStockOrder,
  isOwnWarehouse,
  lockStockOrder,
  replaceStockOrderLines,
  selectStockOrder,
  selectStockOrderByKey,
  selectStockOrderLines,
  selectStockOrders,
  selectStockOrdersToFollowUp,
  selectTiresBySku,
  updateStockOrder,
  type LockedStockOrder,
  type StockOrder,
  type StockOrderLine,
  type StockOrderQuery,
  type StockOrderRow,
} from './stock-orders.sql.server.ts'
import {
  expectedDay,
  maxLineUnits,
  maxStockOrderLines,
  maxStockOrderSendings,
  stockOrderLife,
  stockOrderNumber,
  type EditedLine,
  type StockOrderState,
  type TypedLine,
} from './stock-orders.ts'
import { queueStockOrder, queueStockOrderWithdrawal } from './stock-order-messages.server.ts'
import { isElectronic } from './supplier-exchange.server.ts'
import { supplierCost } from './supplier-form.ts'
import { selectMessages, type ShownMessage } from './supplier-orders.sql.server.ts'
import type { SupplierWire } from './supplier.port.ts'
import { lockSupplier, selectSuppliers, type OfficeSupplier } from './suppliers.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

const ordersPerPage = 50

/** Lists a page of orders, newest first, of a state or all; `next` is where the following page starts. */
export async function listStockOrders(
  { db }: Pick<Deps, 'db'>,
  query: StockOrderQuery,
  limit = ordersPerPage,
): Promise<{ orders: StockOrderRow[]; next: number | null }> {
  const found = await selectStockOrders(db, query, limit + 1)
  const orders = found.slice(0, limit)
  return { orders, next: found.length > limit ? (orders.at(-1)?.id ?? null) : null }
}

/** Returns an order with its lines, and its supplier's messages, newest first. Undefined if it doesn't exist. */
export async function findStockOrder(
  { db }: Pick<Deps, 'db'>,
  id: number,
): Promise<{ order: StockOrder; lines: StockOrderLine[]; messages: ShownMessage[] } | undefined> {
  const [order, lines, messages] = await Promise.all([
    selectStockOrder(db, id),
    selectStockOrderLines(db, id),
    selectMessages(db, 'stock_order_id', id),
  ])
  return order && { order, lines, messages }
}

/** Lists up to `limit` orders that a supplier's system refused, or that are overdue in the store’s time zone. */
export function listStockOrdersToFollowUp({ db, clock }: Deps, limit: number) {
  return selectStockOrdersToFollowUp(db, storeDay(clock.now()), limit)
}

/** Reasons lines can’t be added, such as unknown SKUs or a missing cost in the catalog. */
export type LineRefusal =
  | Refused<'sku-unknown', { skus: string[] }>
  | Refused<'cost-missing', { skus: string[] }>
  | Refused<'too-many-lines'>
  | Refused<'too-many-units', { sku: string }>

type PlaceRefusal = Refused<'supplier-retired'> | Refused<'not-ours'>

/**
 * Creates a draft and returns its id; the same `key` creates one draft, however often it is submitted. Without a cost, a
 * line has the catalog's after the supplier's discount. Without a day, the draft is expected after the supplier's lead
 * time. Refuses `not-allowed`, `supplier-retired`, `not-ours` for a warehouse of a supplier, and unusable lines.
 */
export async function createStockOrder(
  { db, clock }: Deps,
  by: Actor,
  draft: {
    key: string
    supplier: number
    warehouse: number
    expectedOn: string | null
    add: readonly TypedLine[]
    note: string | null
  },
): Promise<Outcome<{ id: number }, Refused<'not-allowed'> | PlaceRefusal | LineRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'stock.order', at)
    if (!permitted.ok) return permitted
    const before = await selectStockOrderByKey(tx, draft.key)
    if (before) return ok(before)
    const supplier = await lockActive(tx, draft.supplier)
    if (!supplier) return refused('supplier-retired')
    if (!(await isOwnWarehouse(tx, draft.warehouse))) return refused('not-ours')
    const lines = await linesWith(tx, supplier, { lines: [], add: draft.add })
    if (!lines.ok) return lines
    const id = await insertStockOrder(tx, {
      key: draft.key,
      supplierId: draft.supplier,
      warehouseId: draft.warehouse,
      expectedOn: draft.expectedOn ?? expectedDay(storeDay(at), supplier.leadDays).toString(),
      note: draft.note,
      isSuggested: false,
      by: by.name,
      at,
    })
    // A concurrent submission created it.
    if (id === undefined) return ok((await selectStockOrderByKey(tx, draft.key)) ?? { id: 0 })
    await replaceStockOrderLines(tx, id, lines.value)
    const after = { supplier: supplier.code, ...recorded(lines.value) }
    await recordAct(tx, { by, act: 'stock-order.created', subject: stockOrderNumber(id), after, at })
    return ok({ id })
  })
}

type DraftRefusal = Refused<'not-allowed'> | Refused<'gone'> | Refused<'other-state'> | Refused<'changed-meanwhile'>

/**
 * Changes a draft's lines, day and note. Refuses `gone`, `other-state` unless it is a draft, `changed-meanwhile` if its
 * version is no longer the one that the form was filled from, and unusable lines as `createStockOrder` does.
 */
export async function changeStockOrder(
  { db, clock }: Deps,
  by: Actor,
  id: number,
  draft: {
    version: number
    expectedOn: string | null
    lines: readonly EditedLine[]
    add: readonly TypedLine[]
    note: string | null
  },
): Promise<Outcome<null, DraftRefusal | Refused<'supplier-retired'> | LineRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const locked = await lockIn(tx, by, { id, version: draft.version, states: ['draft'] }, at)
    if (!locked.ok) return locked
    const supplier = await lockActive(tx, locked.value.supplierId)
    if (!supplier) return refused('supplier-retired')
    const before = await selectStockOrderLines(tx, id)
    // A form can’t add a tire by its id.
    const kept = draft.lines.filter(({ itemId }) => before.some((line) => line.itemId === itemId))
    const lines = await linesWith(tx, supplier, { lines: kept, add: draft.add })
    if (!lines.ok) return lines
    const expectedOn = draft.expectedOn ?? expectedDay(storeDay(at), supplier.leadDays).toString()
    await replaceStockOrderLines(tx, id, lines.value)
    await updateStockOrder(tx, { id, version: draft.version }, { expected_on: expectedOn, note: draft.note })
    const subject = stockOrderNumber(id)
    await recordAct(tx, {
      by,
      act: 'stock-order.changed',
      subject,
      before: recorded(before),
      after: { ...recorded(lines.value), expectedOn },
      at,
    })
    return ok(null)
  })
}

type SendRefusal = DraftRefusal | PlaceRefusal | Refused<'no-lines'>

/**
 * Sends a draft to its supplier electronically, at the supplier's payment terms of that moment. A job carries it there,
 * and it is a draft again if the supplier's system refuses it. Refuses as `changeStockOrder` does, `not-ours` if its
 * warehouse is closing, `no-lines` for an empty draft, `not-electronic` for a supplier that staff have to send it to,
 * and `sent-too-often`.
 */
export async function sendStockOrder(
  { db, clock, suppliers }: Deps & { suppliers: Pick<SupplierWire, 'hasNetwork'> },
  by: Actor,
  order: { id: number; version: number },
): Promise<Outcome<null, SendRefusal | Refused<'not-electronic'> | Refused<'sent-too-often'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await lockToSend(tx, by, { ...order, states: ['draft'] }, at)
    if (!found.ok) return found
    const { supplier, locked, lines } = found.value
    if (!isElectronic(suppliers, supplier)) return refused('not-electronic')
    const asked = { id: order.id, askedNo: locked.askedNo + 1 }
    if (asked.askedNo > maxStockOrderSendings) return refused('sent-too-often')
    await updateStockOrder(tx, order, {
      ...sentNow(by, supplier, at),
      state: 'sending',
      asked_no: asked.askedNo,
    })
    await queueStockOrder(tx, asked)
    const after = { supplier: supplier.code, ...recorded(lines) }
    await recordAct(tx, { by, act: 'stock-order.sent', subject: stockOrderNumber(order.id), after, at })
    return ok(null)
  })
}

/**
 * Records that staff placed an order with its supplier, at the current payment terms. The order is a draft, or is being
 * sent without a response. Refuses as `sendStockOrder` does.
 */
export async function markStockOrderSent(
  { db, clock }: Deps,
  by: Actor,
  order: { id: number; version: number },
): Promise<Outcome<null, SendRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const found = await lockToSend(tx, by, { ...order, states: ['draft', 'sending'] }, at)
    if (!found.ok) return found
    const { supplier, locked, lines } = found.value
    await updateStockOrder(tx, order, { ...sentNow(by, supplier, at), state: 'sent' })
    await recordAct(tx, {
      by,
      act: 'stock-order.marked-sent',
      subject: stockOrderNumber(order.id),
      before: { state: locked.state },
      after: { supplier: supplier.code, ...recorded(lines) },
      at,
    })
    return ok(null)
  })
}

async function lockToSend(
  tx: Tx,
  by: Actor,
  order: { id: number; version: number; states: readonly StockOrderState[] },
  at: Temporal.Instant,
): Promise<Outcome<{ supplier: OfficeSupplier; locked: LockedStockOrder; lines: StockOrderLine[] }, SendRefusal>> {
  const locked = await lockIn(tx, by, order, at)
  if (!locked.ok) return locked
  const supplier = await lockActive(tx, locked.value.supplierId)
  if (!supplier) return refused('supplier-retired')
  if (!(await isOwnWarehouse(tx, locked.value.warehouseId))) return refused('not-ours')
  const lines = await selectStockOrderLines(tx, order.id)
  return lines.length === 0 ? refused('no-lines') : ok({ supplier, locked: locked.value, lines })
}

function sentNow(by: Actor, { paymentDays }: OfficeSupplier, at: Temporal.Instant) {
  return { sent_at: at, sent_by: by.name, payment_days: paymentDays, refusal: null, refused_at: null }
}

/**
 * Cancels an order. Received units stay in stock. A supplier that received the order electronically is notified.
 * Refuses as `changeStockOrder` does; `other-state` once it was received in full.
 */
export async function cancelStockOrder(
  { db, clock }: Deps,
  by: Actor,
  { id, version, reason }: { id: number; version: number; reason: string },
): Promise<Outcome<null, DraftRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const states = (Object.keys(stockOrderLife) as StockOrderState[]).filter((state) =>
      stockOrderLife[state].includes('canceled'),
    )
    const locked = await lockIn(tx, by, { id, version, states }, at)
    if (!locked.ok) return locked
    await updateStockOrder(
      tx,
      { id, version },
      {
        state: 'canceled',
        canceled_at: at,
        canceled_by: by.name,
        cancel_reason: reason,
        refusal: null,
        refused_at: null,
      },
    )
    const { askedNo, takenAt } = locked.value
    if (takenAt !== null) await queueStockOrderWithdrawal(tx, { id, askedNo })
    await recordAct(tx, {
      by,
      act: 'stock-order.canceled',
      subject: stockOrderNumber(id),
      before: { state: locked.value.state },
      reason,
      at,
    })
    return ok(null)
  })
}

async function lockIn(
  tx: Tx,
  by: Actor,
  { id, version, states }: { id: number; version: number; states: readonly StockOrderState[] },
  at: Temporal.Instant,
): Promise<Outcome<LockedStockOrder, DraftRefusal>> {
  const permitted = await requirePermission(tx, by, 'stock.order', at)
  if (!permitted.ok) return permitted
  const locked = await lockStockOrder(tx, id)
  if (!locked) return refused('gone')
  if (!states.includes(locked.state)) return refused('other-state')
  return locked.version === version ? ok(locked) : refused('changed-meanwhile')
}

/** Locks an active supplier, so its terms can’t change in this transaction. */
export async function lockActive(tx: Tx, id: number): Promise<OfficeSupplier | undefined> {
  const locked = await lockSupplier(tx, id)
  return locked?.retiredAt === null ? (await selectSuppliers(tx, id))[0] : undefined
}

type Line = { itemId: number; quantity: number; unitCostCents: number }

/** The lines with those that are added; a tire that is there already gets more units, at the cost that was typed last. */
export async function linesWith(
  tx: Tx,
  { discountPpm }: Pick<OfficeSupplier, 'discountPpm'>,
  { lines, add }: { lines: readonly Line[]; add: readonly TypedLine[] },
): Promise<Outcome<Line[], LineRefusal>> {
  const skus = add.map(({ sku }) => sku)
  const tires = add.length === 0 ? [] : await selectTiresBySku(tx, skus)
  const bySku = new Map(tires.map((tire) => [tire.sku.toLowerCase(), tire]))
  const unknown = skus.filter((sku) => !bySku.has(sku.toLowerCase()))
  if (unknown.length > 0) return refused('sku-unknown', { skus: unknown })
  const byItem = new Map(lines.flatMap((line): [number, Line][] => (line.quantity === 0 ? [] : [[line.itemId, line]])))
  for (const typed of add) {
    const tire = bySku.get(typed.sku.toLowerCase())
    if (!tire) continue
    const { itemId, sku } = tire
    const there = byItem.get(itemId)
    const unitCostCents = typed.unitCostCents ?? there?.unitCostCents ?? priceOf(tire, discountPpm)
    if (unitCostCents === null) return refused('cost-missing', { skus: [sku] })
    const quantity = typed.quantity + (there?.quantity ?? 0)
    if (quantity > maxLineUnits) return refused('too-many-units', { sku })
    byItem.set(itemId, { itemId, quantity, unitCostCents })
  }
  return byItem.size > maxStockOrderLines ? refused('too-many-lines') : ok([...byItem.values()])
}

/** Returns the supplier’s price of a tire in cents; null if the catalog has no cost. */
export function priceOf({ costCents }: { costCents: number | null }, discountPpm: number): number | null {
  return costCents === null ? null : Math.max(1, supplierCost(costCents, discountPpm))
}

function recorded(lines: readonly Line[]) {
  return {
    lines: lines
      .map(({ itemId, quantity, unitCostCents }) => `${quantity} × ${itemId} at ${formatCents(unitCostCents)}`)
      .join(', '),
  }
}
