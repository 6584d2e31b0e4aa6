/**
 * After the canceling window: the charge is captured, where there is no invoice, and the parcels are announced to the
 * carrier, whose messages then move them on. Each step can run twice: keys make the outside's effects single, states
 * make ours.
 */
import { enterTransfer, entriesOfReceipt } from '#domain/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messages/messages.server.ts'
import type { Carrier, CarrierEvent } from '#domain/orders/carrier.port.ts'
import {
  insertOrderNote,
  moveShipment,
  selectShipmentByTracking,
  updateToReleased,
} from '#domain/orders/order-life.sql.server.ts'
import { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
import { mayShipmentMove, nextOrderState, type ShipmentState } from '#domain/orders/orders.ts'
import type { PaymentProvider } from '#domain/payments/payment-provider.port.ts'
import { captureCharge, keepHandledEvent, recordCapture } from '#domain/payments/payments.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider; carrier: Carrier }

/**
 * Charges a confirmed order whose window is over and asks for its parcels to be sent. Throws when the provider is away,
 * or the window is not over: the job tries again.
 */
export async function releaseOrder(deps: Deps, orderId: number): Promise<void> {
  // Written down before the money is asked for: an order that is released cannot be canceled, and a canceled one not
  // released.
  const isReleased = await updateToReleased(deps.db, orderId, deps.clock.now())
  const order = await readOrder(deps.db, orderId)
  if (!order || !nextOrderState(order.state, 'release') || !(order.payment || order.invoice)) return
  if (!isReleased) throw new Error(`The window for canceling order ${orderId} is not over.`)
  const captured = order.payment && (await captureCharge(deps, order.payment.id))
  if (captured && !captured.ok) {
    if (captured.reason === 'payment-unavailable') throw new Error('The payment provider is away.')
    await noteOnOrder(deps, order, `The charge could not be captured: it is ${captured.detail.state}.`)
    return
  }
  await deps.db.transaction().execute(async (tx) => {
    if (order.payment && captured)
      await enterCapture(tx, {
        orderId,
        paymentId: order.payment.id,
        capturedCents: captured.value.capturedCents,
        at: deps.clock.now(),
      })
    for (const shipment of order.shipments)
      if (mayShipmentMove(shipment.state, 'pending-pickup'))
        await enqueue(tx, 'ship-order', { shipmentId: shipment.id, orderId }, { key: `ship-order:${shipment.id}` })
  })
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
 * Announces one shipment to the carrier and notes its tracking number. Throws when the carrier is away: the job tries
 * again.
 */
export async function shipOrder(deps: Deps, input: { orderId: number; shipmentId: string }): Promise<void> {
  const order = await readOrder(deps.db, input.orderId)
  const shipment = order?.shipments.find((candidate) => candidate.id === input.shipmentId)
  if (!order || !shipment) return
  if (!nextOrderState(order.state, 'ship') || !mayShipmentMove(shipment.state, 'pending-pickup')) return
  const announced = await deps.carrier.announce({
    key: shipment.id,
    reference: `S-${order.id}`,
    from: shipment.warehouse,
    to: order.shipTo,
    pieces: shipment.items.reduce((sum, item) => sum + item.quantity, 0),
    weightLb: Math.ceil(shipment.items.reduce((sum, item) => sum + item.quantity * item.weightLb, 0)),
  })
  if (!announced.ok && announced.reason === 'unavailable')
    throw new Error('The carrier is away.', { cause: announced.cause })
  if (!announced.ok) {
    // Asking again would get the same answer: people have to look at it.
    await noteOnOrder(deps, order, `The carrier does not take shipment ${shipment.id} to ${order.shipTo.zip}.`)
    return
  }
  await moveShipment(deps.db, shipment.id, 'pending-pickup', {
    actor: 'store',
    at: deps.clock.now(),
    note: null,
    tracking: announced.value,
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
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const shipment = await selectShipmentByTracking(tx, event.trackingNumber)
    if (!shipment) return refused('shipment-not-found')
    const isNew = await keepHandledEvent(tx, { provider: 'carrier', id: event.id, kind: event.state, body: event }, at)
    if (isNew) await applyCarrierEvent(tx, event, shipment, at)
    return ok(null)
  })
}

async function applyCarrierEvent(
  tx: Tx,
  event: CarrierEvent,
  shipment: { id: string; orderId: number; email: string },
  at: Temporal.Instant,
): Promise<void> {
  const to: ShipmentState = event.state === 'lost' ? 'returned' : event.state
  // Messages may overtake each other: a delivery without a pickup before it passes through the states in between.
  for (const step of stepsTo(to))
    await moveShipment(tx, shipment.id, step, {
      actor: 'carrier',
      at,
      note: step === to ? event.note : null,
      tracking: null,
    })
  if (to === 'in-transit')
    await queueMessage(tx, {
      kind: 'order-shipped',
      key: `order-shipped:${shipment.id}`,
      to: shipment.email,
      orderId: shipment.orderId,
      at,
    })
  if (to === 'delivered')
    await queueMessage(tx, {
      kind: 'order-delivered',
      key: `order-delivered:${shipment.id}`,
      to: shipment.email,
      orderId: shipment.orderId,
      at,
    })
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
