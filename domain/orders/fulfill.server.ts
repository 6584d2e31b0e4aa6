/**
 * After the canceling window: the charge is captured, where there is no invoice and no lender who pays on delivery, purchase orders go to suppliers, and
 * the parcels are announced to the carrier (announce-parcel.server.ts), whose messages then move them on; a supplier's once it accepted. Each step can run twice: keys make the outside's effects single, states
 * make ours.
 */
import { enterTransfer, entriesOfReceipt } from '#domain/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messages/messages.server.ts'
import type { Carrier, CarrierEvent } from '#domain/orders/carrier.port.ts'
import { expectParcel } from '#domain/orders/expected-day.server.ts'
import {
  insertOrderNote,
  keepHeld,
  lockOrderByTracking,
  moveShipment,
  updateToReleased,
  type TrackedShipment,
} from '#domain/orders/order-life.sql.server.ts'
import { isReplacedLabel } from '#domain/orders/parcel-labels.sql.server.ts'
import { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
import { openPickup } from '#domain/orders/warehouse-counter.server.ts'
import { mayShipmentMove, nextOrderState, type ShipmentState } from '#domain/orders/orders.ts'
import type { PaymentProvider } from '#domain/payments/payment-provider.port.ts'
import { captureCharge, keepHandledEvent, recordCapture, settleFinancedSoon } from '#domain/payments/payments.server.ts'
import { isPaidOnDelivery } from '#domain/payments/payments.ts'
import { promiseTaxReport } from '#domain/sales-tax/sales-tax.server.ts'
import { releasePurchaseOrders } from '#domain/stock/stock.server.ts'
import { promiseText } from '#domain/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider; carrier: Carrier }

/** Clocks of two processes differ slightly: a release that starts too early would be retried much later than this. */
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
 * Charges a confirmed order whose window is over and asks for its parcels to be sent. Throws when the provider is away,
 * or the window is not over: the job tries again.
 */
export async function releaseOrder(deps: Deps, orderId: number): Promise<void> {
  // Written down before the money is asked for: an order that is released cannot be canceled, and a canceled one not
  // released.
  const isReleased = await updateToReleased(deps.db, orderId, deps.clock.now())
  const order = await readOrder(deps.db, orderId)
  if (!order || !(order.payment || order.invoice)) return
  // Canceled by line after its release: the money that was promised back waits for this capture.
  const isFinanced = order.payment !== null && isPaidOnDelivery(order.payment.method)
  const isOwed =
    order.state === 'canceled' && order.releasedAt !== null && order.payment?.state === 'authorized' && !isFinanced
  if (!isOwed && !nextOrderState(order.state, 'release')) return
  if (!isOwed && !isReleased) throw new Error(`The window for canceling order ${orderId} is not over.`)
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

/**
 * Captures the charges of an order: the one it was placed with, and those of paid changes. Undefined, with a note for
 * staff, if one cannot be captured; none for an order on an invoice. Throws while the provider is away.
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
 * Takes in a message of the carrier, whole or not at all. A message that came before, or that no longer applies,
 * changes nothing. Refuses `shipment-not-found` for a number that is not kept (yet: the carrier may be faster than our
 * note of its own answer), so that it is sent again.
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
  // Messages may overtake each other: a delivery without a pickup before it passes through the states in between.
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
  // An order canceled for a delay hears of its refund, not of its parcels.
  if (shipment.orderState === 'confirmed') await notifyOfParcel(tx, event.state, { ...shipment, to, isNewlyHeld, at })
}

/** Writes to the shopper that a parcel left, waits at its pickup place, or is there; once each. */
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

/** The state of a parcel that the carrier reports so: lost, it does not arrive; kept at a counter, it is on its way. */
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

/** Writes down what people have to look at; the order stays as it is. */
async function noteOnOrder({ db, clock }: Pick<Deps, 'db' | 'clock'>, order: OrderView, note: string): Promise<void> {
  await insertOrderNote(db, order, { actor: 'store', at: clock.now(), note })
}
