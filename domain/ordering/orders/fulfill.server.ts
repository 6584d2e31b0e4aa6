/**
 * Fulfillment after the cancellation window. Captures the charge (unless the order has an invoice or its lender pays on
 * delivery), sends purchase orders to suppliers, and announces parcels to the carrier (announce-parcel.server.ts), once
 * accepted in a supplier's case. Carrier events then advance the parcels. Every step can run twice, because external
 * effects use idempotency keys and ours are guarded by states.
 */
import { enterTransfer, entriesOfReceipt } from '#domain/payments/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { Carrier, CarrierEvent } from './carrier.port.ts'
import { expectParcel } from './expected-day.server.ts'
import {
  insertOrderNote,
  keepHeld,
  lockOrderByTracking,
  moveShipment,
  updateToReleased,
  type TrackedShipment,
} from './order-life.sql.server.ts'
import { confirmSources } from './re-source.server.ts'
import { isReplacedLabel } from './parcel-labels.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import { openPickup } from './warehouse-counter.server.ts'
import { mayShipmentMove, nextOrderState, type ShipmentState } from './orders.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { captureCharge, recordCapture, settleFinancedSoon } from '#domain/payments/payments/payments.server.ts'
import { keepHandledEvent } from '#domain/kernel/provider-events/provider-events.server.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import { promiseTaxReport } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { releasePurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import { promiseText } from '#domain/messaging/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider; carrier: Carrier }
type ReleaseDeps = Deps & Parameters<typeof confirmSources>[0]

/**
 * Clocks of two processes differ slightly, and a release that starts too early would be retried much later than this.
 */
const releaseSlack = { seconds: 1 }

/** The job that captures and ships an order once it can no longer be canceled. */
export function releaseJob(orderId: number, cancelUntil: Temporal.Instant): Job {
  return {
    name: 'release-order',
    payload: { orderId },
    runAt: cancelUntil.add(releaseSlack),
    key: `release-order:${orderId}`,
  }
}

/**
 * Charges a confirmed order after its window and requests its shipments, once suppliers with a service confirmed that
 * they have its tires. Throws if the provider is unavailable, the window is still open, or no warehouse has the tires,
 * so the job retries.
 */
export async function releaseOrder(deps: ReleaseDeps, orderId: number): Promise<void> {
  // Recorded before the capture, so that a released order can't be canceled and a canceled order can't be released.
  const isReleased = await updateToReleased(deps.db, orderId, deps.clock.now())
  const isSourced = !isReleased || (await confirmSources(deps, orderId))
  const order = await readOrder(deps.db, orderId)
  if (!order || !(order.payment || order.invoice)) return
  const isFinanced = order.payment !== null && isPaidOnDelivery(order.payment.method)
  if (!isOwed(order, { isFinanced })) {
    if (!nextOrderState(order.state, 'release')) return
    if (!isReleased) throw new Error(`The window for canceling order ${orderId} is not over.`)
    if (!isSourced) throw new Error(`No warehouse has the tires of order ${orderId}.`)
  }
  // A lender pays with the goods.
  const captures = isFinanced ? [] : await captureCharges(deps, order)
  if (!captures) return
  await deps.db.transaction().execute(async (tx) => {
    for (const capture of captures) await enterCapture(tx, { orderId, ...capture, at: deps.clock.now() })
    await promiseTaxReport(tx, orderId)
    const awaited = await releasePurchaseOrders(tx, orderId, deps.clock.now())
    if (order.warehousePickup)
      return openPickup(tx, { orderId, ...order.warehousePickup, timeZone: order.timeZone }, deps.clock.now())
    for (const shipment of order.shipments)
      if (mayShipmentMove(shipment.state, 'pending-pickup') && !awaited.has(shipment.warehouse.id))
        await enqueue(tx, 'ship-order', { shipmentId: shipment.id, orderId }, { key: `ship-order:${shipment.id}` })
  })
}

/** Whether an order was canceled by line after its release, so that its promised refunds depend on the capture. */
function isOwed({ state, releasedAt, payment }: OrderView, { isFinanced }: { isFinanced: boolean }): boolean {
  return state === 'canceled' && releasedAt !== null && payment?.state === 'authorized' && !isFinanced
}

/**
 * Captures an order's charges, both the original charge and charges for paid edits. Returns undefined, with a note for staff,
 * if a capture fails, and an empty list for an invoiced order. Throws while the provider is away.
 */
async function captureCharges(
  deps: Deps,
  order: OrderView,
): Promise<{ paymentId: string; capturedCents: number }[] | undefined> {
  const captures: { paymentId: string; capturedCents: number }[] = []
  for (const paymentId of order.payment ? [order.payment.id, ...order.payment.differenceIds] : []) {
    const captured = await captureCharge(deps, paymentId)
    if (!captured.ok) {
      if (captured.reason === 'payment-unavailable') throw new Error('The payment provider is away.')
      await noteOnOrder(deps, order, `The charge could not be captured: it is ${captured.detail.state}.`)
      return undefined
    }
    captures.push({ paymentId, capturedCents: captured.value.capturedCents })
  }
  return captures
}

async function enterCapture(
  tx: Tx,
  {
    orderId,
    paymentId,
    capturedCents,
    at,
  }: { orderId: number; paymentId: string; capturedCents: number; at: Temporal.Instant },
) {
  if (!(await recordCapture(tx, paymentId, { capturedCents, at, actor: 'store' }))) return
  await enterTransfer(tx, {
    orderId,
    reason: 'charge captured',
    at,
    entries: entriesOfReceipt(capturedCents),
  })
}

/**
 * Takes in a message of the carrier, whole or not at all. Ignores duplicate and outdated events. Refuses with
 * `shipment-not-found` if the tracking number isn't stored, so the carrier retries. Its event may arrive before we
 * store its own response.
 */
export async function receiveCarrierEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'carrier'>,
  rawBody: string,
  signature: string,
): Promise<
  Outcome<null, Refused<'bad-signature'> | Refused<'unreadable', { cause: unknown }> | Refused<'shipment-not-found'>>
> {
  const read = deps.carrier.readEvent(rawBody, signature)
  if (!read.ok) return read.reason === 'unreadable' ? refused(read.reason, { cause: read.cause }) : refused(read.reason)
  const { event } = read
  if (event === null) return ok(null)
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const shipment = await lockOrderByTracking(tx, event.trackingNumber)
    // The parcel went with another number, and the carrier reports on the label that was not used.
    if (!shipment && (await isReplacedLabel(tx, event.trackingNumber))) return ok(null)
    if (!shipment) return refused('shipment-not-found')
    const isNew = await keepHandledEvent(tx, { provider: 'carrier', id: event.id, kind: event.state, body: event }, at)
    if (isNew) await applyCarrierEvent(tx, event, shipment, at)
    return ok(null)
  })
}

async function applyCarrierEvent(
  tx: Tx,
  event: CarrierEvent,
  shipment: TrackedShipment,
  at: Temporal.Instant,
): Promise<void> {
  const { orderId, id: shipmentId } = shipment
  if (event.expectedOn !== null)
    await expectParcel(tx, { orderId, shipmentId, expectedOn: event.expectedOn, asOf: event.at }, at)
  if (event.state === 'unknown') return
  if (event.state === 'trouble') return noteTrouble(tx, event, shipment, at)
  const to = stateAfter(event.state)
  if (shipment.state === 'canceled') {
    const note = `The carrier reports a canceled parcel as ${event.state}: ${event.trackingNumber}. Have it sent back.`
    if (to === 'in-transit' || to === 'delivered')
      await insertOrderNote(tx, { id: shipment.orderId, state: shipment.orderState }, { actor: 'carrier', at, note })
    return
  }
  // Events may arrive out of order. A delivery without a preceding pickup passes through the intermediate states.
  for (const step of stepsTo(to))
    await moveShipment(tx, shipment.id, step, {
      actor: 'carrier',
      at,
      note: step === to ? event.note : null,
      tracking: null,
    })
  if (to === 'delivered') await settleFinancedSoon(tx, shipment.orderId)
  const isNewlyHeld =
    event.state === 'held' && shipment.isPickedUp && (await keepHeld(tx, shipment.id, Temporal.Instant.from(event.at)))
  // Customers of an order canceled for a delay get only refund emails, not parcel emails. They get
  // no pickup email after the delivery.
  const isLate = event.state === 'in-transit' && shipment.state === 'delivered'
  if (shipment.orderState === 'confirmed' && !isLate)
    await notifyOfParcel(tx, event.state, { ...shipment, to, isNewlyHeld, at })
}

/** Emails the shopper once when a parcel ships, is ready for pickup, or is delivered. */
export async function notifyOfParcel(
  tx: Tx,
  state: CarrierEvent['state'],
  {
    id,
    orderId,
    email,
    to,
    isNewlyHeld,
    at,
  }: Pick<TrackedShipment, 'id' | 'orderId' | 'email'> & {
    to: ShipmentState
    isNewlyHeld: boolean
    at: Temporal.Instant
  },
): Promise<void> {
  if (isNewlyHeld) await queueMessage(tx, { kind: 'pickup-ready', key: `pickup-ready:${id}`, to: email, orderId, at })
  if (state === 'in-transit') {
    await queueMessage(tx, { kind: 'order-shipped', key: `order-shipped:${id}`, to: email, orderId, at })
    await promiseText(tx, { kind: 'shipped', key: `shipped:${id}`, orderId, at })
  }
  if (to === 'delivered') {
    await queueMessage(tx, { kind: 'order-delivered', key: `order-delivered:${id}`, to: email, orderId, at })
    await promiseText(tx, { kind: 'delivered', key: `delivered:${id}`, orderId, at })
  }
}

/**
 * Maps a carrier status to a parcel state. A lost parcel counts as returned, and one held at a counter as in transit.
 */
function stateAfter(said: Exclude<CarrierEvent['state'], 'trouble' | 'unknown'>): ShipmentState {
  if (said === 'lost') return 'returned'
  return said === 'held' ? 'in-transit' : said
}

/** What the carrier cannot place is for staff to ask about; the parcel stays where it was. */
async function noteTrouble(tx: Tx, event: CarrierEvent, shipment: TrackedShipment, at: Temporal.Instant) {
  const words = event.note ? `: ${event.note}` : '.'
  const note = `The carrier reports trouble with parcel ${event.trackingNumber}${words}`.slice(0, 500)
  await insertOrderNote(tx, { id: shipment.orderId, state: shipment.orderState }, { actor: 'carrier', at, note })
}

const road: ShipmentState[] = ['pending-pickup', 'in-transit', 'delivered']

function stepsTo(to: ShipmentState): ShipmentState[] {
  const index = road.indexOf(to)
  return index < 0 ? ['in-transit', to] : road.slice(0, index + 1)
}

/** Adds a note for staff without changing the order's state. */
async function noteOnOrder({ db, clock }: Pick<Deps, 'db' | 'clock'>, order: OrderView, note: string): Promise<void> {
  await insertOrderNote(db, order, { actor: 'store', at: clock.now(), note })
}
