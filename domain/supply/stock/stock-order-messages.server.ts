/**
 * Stock orders that go to suppliers electronically. Staff send and cancel them, and jobs carry that to the supplier,
 * which deduplicates by message id. Answers may be duplicated, late or out of order. They only inform staff: units are
 * received as counted at the dock.
 */
import { lockStockOrder } from './stock-orders.sql.server.ts'
import type { StockOrderState } from './stock-orders.ts'
import {
  selectWiredStockOrder,
  updateAnswered,
  updateMissing,
  updateRefused,
  updateTaken,
  updateWithdrawal,
  type WiredStockOrder,
} from './stock-order-messages.sql.server.ts'
import { missingText, orderPayloadId, readAnswer, supplierOrderNumber, type AskedOrder } from './supplier-answer.ts'
import {
  answerOnce,
  askSupplier,
  type Applied,
  type ExchangeDeps,
  type FinalReply,
} from './supplier-exchange.server.ts'
import type { SupplierConfirmation, SupplierMessage, SupplierShipNotice } from './supplier.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = ExchangeDeps & { clock: Clock }
type Asked = { id: number; askedNo: number }

/** Days ahead for which a supplier's delivery day is plausible. */
const maxDaysAhead = 730

/** Queues the sending of a stock order to its supplier. */
export function queueStockOrder(tx: Tx, { id, askedNo }: Asked): Promise<void> {
  const key = `send-stock-order:${id}:${askedNo}`
  return enqueue(tx, 'send-stock-order', { stockOrderId: id }, { key })
}

/** Queues a supplier's cancellation notice for a stock order that its system took. */
export function queueStockOrderWithdrawal(tx: Tx, { id, askedNo }: Asked): Promise<void> {
  const key = `withdraw-stock-order:${id}:${askedNo}`
  return enqueue(tx, 'withdraw-stock-order', { stockOrderId: id, askedNo }, { key })
}

/**
 * Sends a stock order to its supplier. Skips orders that were sent or canceled. The order returns to draft if the
 * supplier's system refuses it, or if the supplier no longer has one. Throws if the supplier is unavailable, so the job
 * retries.
 */
export async function transmitStockOrder(deps: Deps, id: number): Promise<void> {
  const wired = await selectWiredStockOrder(deps.db, id)
  if (wired?.state !== 'sending') return
  const reply = (await tell(deps, wired, 'order')) ?? unreachable
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockStockOrder(tx, id)
    if (locked?.askedNo !== wired.askedNo) return
    if (reply.ok) await noteTaken(tx, { id, ...locked }, at)
    else if (locked.state === 'sending') await updateRefused(tx, id, reply.words.slice(0, 400), at)
  })
}

const unreachable: FinalReply = { ok: false, reason: 'refused', words: 'It has no electronic address now.' }

/** Requests the cancellation of a stock order. A refusal is shown on it. Throws if the supplier is unavailable. */
export async function withdrawStockOrder(
  deps: Deps,
  { stockOrderId: id, askedNo }: { stockOrderId: number; askedNo: number },
): Promise<void> {
  const wired = await selectWiredStockOrder(deps.db, id)
  if (wired?.state !== 'canceled' || wired.askedNo !== askedNo) return
  const reply = (await tell(deps, wired, 'withdraw')) ?? unreachable
  const refusal = reply.ok ? null : reply.words.slice(0, 400)
  await deps.db.transaction().execute((tx) => updateWithdrawal(tx, wired, refusal, deps.clock.now()))
}

async function tell(deps: Deps, wired: WiredStockOrder, what: 'order' | 'withdraw'): Promise<FinalReply | undefined> {
  const { id, askedNo, networkId, sentAt, note, shipTo, lines } = wired
  if (sentAt === null) return undefined
  const asked: AskedOrder = { series: 'SPO', id, askedNo }
  return askSupplier(deps, what, {
    number: supplierOrderNumber(asked),
    payloadId: orderPayloadId(asked),
    networkId,
    at: sentAt,
    isWhole: false,
    note,
    shipTo,
    lines,
  })
}

/** Records that the supplier's system took a locked order. An order canceled since then is withdrawn. */
async function noteTaken(
  tx: Tx,
  { id, askedNo, state, takenAt }: Asked & { state: StockOrderState; takenAt: Temporal.Instant | null },
  at: Temporal.Instant,
): Promise<void> {
  // Staff handle later answers to a refused order.
  if (takenAt !== null || state === 'draft') return
  await updateTaken(tx, id, at)
  if (state === 'canceled') await queueStockOrderWithdrawal(tx, { id, askedNo })
}

/**
 * Handles a supplier's message about a stock order, once per payload id, and returns the response code. Undefined for an
 * unknown order, or one of another supplier.
 */
export async function receiveStockOrderMessage(
  tx: Tx,
  { id, askedNo }: Asked,
  message: SupplierMessage,
  at: Temporal.Instant,
): Promise<number | undefined> {
  const wired = (await lockStockOrder(tx, id)) && (await selectWiredStockOrder(tx, id))
  if (wired?.networkId !== message.networkId) return undefined
  return answerOnce(tx, { supplierId: wired.supplierId, message, stockOrderId: id }, at, async () => {
    if (askedNo !== wired.askedNo)
      return { code: 409, summary: `An answer to sending ${askedNo}; it was sent again or changed.` }
    const says = message.kind === 'confirmation' ? readConfirmation(wired, message) : readShipNotice(wired, message)
    if (!says) return { code: 406, summary: 'Confirmed lines or units that were not ordered.' }
    // A message proves that the order was taken, even if the worker was killed before it recorded that.
    await noteTaken(tx, wired, at)
    if (wired.state === 'draft') return { code: 409, summary: `${says.summary} Its system had refused the order.` }
    if (wired.state === 'canceled') return { code: 409, summary: `${says.summary} The order was canceled.` }
    await says.record(tx, at)
    return { code: 200, summary: says.summary }
  })
}

/** What a message says, with what it records about an open order. */
type Said = Pick<Applied, 'summary'> & { record: (tx: Tx, at: Temporal.Instant) => Promise<void> }

/** Undefined for lines or units that weren't ordered. Of several answers for a line, the last counts. */
function readConfirmation(wired: WiredStockOrder, confirmation: SupplierConfirmation): Said | undefined {
  const read = readAnswer(wired.lines, confirmation)
  if (!read.ok) return undefined
  const { outcome, lines } = read.value
  const answered = wired.lines.flatMap(({ itemId }, index) => {
    const { filled, rejected, backordered } = lines[index] ?? { filled: 0, rejected: 0, backordered: 0 }
    return filled + rejected + backordered === 0 ? [] : [{ itemId, rejected, backordered }]
  })
  const missing = missingText(wired.lines, lines, confirmation.words)
  const whole = outcome === 'filled' ? 'Accepted all of it.' : outcome === 'waiting' ? 'Confirmed a part of it.' : ''
  return {
    summary: [whole, missing].filter(Boolean).join(' '),
    async record(tx, at) {
      const expectedOn = expectedDayOf(wired, confirmation.deliveryOn, at)
      await updateAnswered(tx, wired.id, { reference: confirmation.reference, expectedOn })
      await updateMissing(tx, wired.id, answered)
    },
  }
}

function readShipNotice(wired: WiredStockOrder, { shipmentId, tracking, deliveryOn }: SupplierShipNotice): Said {
  const notice = [shipmentId, ...(tracking === null ? [] : [tracking])].join(', ').slice(0, 100)
  return {
    summary: `Shipped: ${notice}.`,
    record: (tx, at) =>
      updateAnswered(tx, wired.id, { expectedOn: expectedDayOf(wired, deliveryOn, at), shipped: { notice, at } }),
  }
}

/** The day that a supplier names, unless the order has arrived or no delivery can be meant. */
function expectedDayOf({ state, sentAt }: WiredStockOrder, day: string | null, at: Temporal.Instant): string | null {
  if (state === 'received' || day === null) return null
  const [first, last] = [storeDay(sentAt ?? at), storeDay(at).add({ days: maxDaysAhead })]
  return first.toString() <= day && day <= last.toString() ? day : null
}
