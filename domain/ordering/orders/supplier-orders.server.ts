/**
 * Purchase orders sent to suppliers. They are sent when the order is released, withdrawn when it is canceled, and
 * answered by events that may be duplicated, late or out of order. Each job can be retried, because the supplier
 * deduplicates by message id.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { expectParcel } from './expected-day.server.ts'
import { insertOrderNote, lockOrder } from './order-life.sql.server.ts'
import { readOrder } from './order-view.sql.server.ts'
import type { SupplierMessage } from '#domain/supply/stock/supplier.port.ts'
import {
  answerOnce,
  applyConfirmation,
  applyShipNotice,
  askSupplier,
  collectEdi,
  connectionFinder,
  lockWired,
  noteReply,
  noteWithdrawn,
  orderPayloadId,
  parcelOf,
  readOrderNumber,
  readOrderPayloadId,
  receiveStockOrderMessage,
  selectWired,
  supplierOrderOf,
  type AppliedToOrder,
  type AskedOrder,
  type ExchangeDeps,
  type FinalReply,
  type WiredOrder,
} from '#domain/supply/stock/stock.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'

type Deps = ExchangeDeps & { clock: Clock }

/**
 * Sends a released purchase order to its supplier. Skips purchase orders that were sent, answered or canceled, and
 * suppliers outside the network. Throws if the supplier is unavailable, so the job retries.
 */
export async function sendPurchaseOrder(deps: Deps, purchaseOrderId: number): Promise<void> {
  const wired = await selectWired(deps.db, purchaseOrderId)
  if (wired?.state !== 'released' || wired.sentAt !== null) return
  const reply = await tell(deps, wired, 'order')
  if (reply) await deps.db.transaction().execute((tx) => noteReply(tx, wired, reply, deps.clock.now()))
}

/**
 * Requests cancellation of an order the supplier accepted. A refusal is noted on the order for the warehouse. Throws if
 * the supplier is unavailable, so the job retries.
 */
export async function withdrawPurchaseOrder(
  deps: Deps,
  { purchaseOrderId, askedNo }: { purchaseOrderId: number; askedNo: number },
): Promise<void> {
  const found = await selectWired(deps.db, purchaseOrderId)
  if (!found) return
  const wired = { ...found, askedNo }
  const reply = await tell(deps, wired, 'withdraw')
  if (!reply) return
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    if (reply.ok) return noteWithdrawn(tx, wired, at)
    await note(tx, wired, `${wired.supplier} does not cancel PO-${wired.id}: ${reply.words} Call them.`, at)
  })
}

/** Sends a request to the supplier; undefined if it isn't reached electronically. */
async function tell(deps: Deps, wired: WiredOrder, what: 'order' | 'withdraw'): Promise<FinalReply | undefined> {
  const order = await readOrder(deps.db, wired.orderId)
  const message = order && supplierOrderOf(wired, { ...order.shipTo, phone: order.phone.replaceAll(/\D/g, '') })
  return message && askSupplier(deps, what, message)
}

/** The endpoint's response, with a protocol status and a retry delay after too many wrong secrets. */
export type SupplierAnswer = { code: number; words: string; retryAfterSeconds?: number }

/**
 * Takes in a message of a supplier, whole or not at all. The same message gets the same answer, and counts once. Orders
 * of other suppliers are answered like those that do not exist.
 */
export async function receiveSupplierMessage(
  { db, clock, suppliers, rateLimits, config }: Deps & { rateLimits: RateLimits },
  { rawBody, from }: { rawBody: string; from: string },
): Promise<SupplierAnswer> {
  const taken = await rateLimits.take('supplier-message', { network: from })
  if (!taken.ok) return { code: 401, words: 'Too many attempts.', retryAfterSeconds: taken.detail.retryAfterSeconds }
  const read = suppliers.readMessage(rawBody, await connectionFinder({ db, config }))
  if (!read.ok && read.reason === 'bad-secret') return { code: 401, words: 'The credentials are wrong.' }
  if (!read.ok) return { code: read.reason === 'not-supported' ? 450 : 406, words: read.words }
  await rateLimits.giveBack('supplier-message', { network: from })
  const { message } = read
  const unknown = { code: 400, words: 'The purchase order is unknown.' }
  const meant = readOrderPayloadId(message.orderPayloadId)
  if (!meant) return unknown
  const code = await receive({ db, clock }, meant, message)
  return code === undefined ? unknown : answerOf(code)
}

/** Reads suppliers' EDI files. A message about an unknown order is logged. */
export async function collectSupplierFiles(deps: Deps & { log: Pick<Log, 'warn'> }): Promise<void> {
  await collectEdi(deps, async (supplier, { orderNumber, ...message }) => {
    const meant = readOrderNumber(orderNumber)
    const code = meant && (await receive(deps, meant, { ...message, orderPayloadId: orderPayloadId(meant) }))
    if (code !== 200)
      deps.log.warn(
        { supplierId: supplier.id, payloadId: message.payloadId, code },
        'a supplier’s message was not applied',
      )
  })
}

/** Handles a message in a transaction. Returns its protocol status, or undefined for an unknown order. */
function receive(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  meant: AskedOrder,
  message: SupplierMessage,
): Promise<number | undefined> {
  const handle = meant.series === 'SPO' ? receiveStockOrderMessage : receivePurchaseOrderMessage
  return db.transaction().execute((tx) => handle(tx, meant, message, clock.now()))
}

/** Handles a message about a purchase order as `receiveStockOrderMessage` does one about a stock order. */
async function receivePurchaseOrderMessage(
  tx: Tx,
  { id, askedNo }: { id: number; askedNo: number },
  message: SupplierMessage,
  at: Temporal.Instant,
): Promise<number | undefined> {
  const found = await selectWired(tx, id)
  if (found?.networkId !== message.networkId) return undefined
  // Orders are always locked first.
  await lockOrder(tx, found.orderId)
  const wired = await lockWired(tx, id)
  if (!wired) return undefined
  return answerOnce(tx, { supplierId: wired.supplierId, message, purchaseOrderId: id }, at, async () => {
    const applied = await apply(tx, wired, { message, askedNo }, at)
    if (applied.note !== undefined) await note(tx, wired, applied.note, at)
    if (applied.expect !== undefined) await expect(tx, wired, applied.expect, at)
    return applied
  })
}

async function apply(
  tx: Tx,
  wired: WiredOrder,
  { message, askedNo }: { message: SupplierMessage; askedNo: number },
  at: Temporal.Instant,
): Promise<AppliedToOrder> {
  if (askedNo !== wired.askedNo) return { code: 409, summary: `An answer to asking ${askedNo}; it was asked again.` }
  return message.kind === 'confirmation'
    ? applyConfirmation(tx, wired, message, at)
    : applyShipNotice(tx, wired, message, at)
}

function answerOf(code: number): SupplierAnswer {
  const words = code === 200 ? 'OK' : code === 406 ? 'The lines don’t match the order.' : 'The order has moved on.'
  return { code, words }
}

/** Adds a note for staff. */
async function note(tx: Tx, { orderId }: WiredOrder, words: string, at: Temporal.Instant): Promise<void> {
  const state = await lockOrder(tx, orderId)
  if (state) await insertOrderNote(tx, { id: orderId, state }, { actor: 'supplier', at, note: words.slice(0, 500) })
}

/** Handles the supplier's delivery day. The shopper is notified if it is after the promised day. */
async function expect(tx: Tx, wired: WiredOrder, expectedOn: string, at: Temporal.Instant): Promise<void> {
  const shipmentId = await parcelOf(tx, wired)
  if (shipmentId !== undefined)
    await expectParcel(tx, { orderId: wired.orderId, shipmentId, expectedOn, asOf: at.toString() }, at)
}
