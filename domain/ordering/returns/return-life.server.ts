/** A return's lifecycle until its tires arrive, with labels, carrier scans and cancellation. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { Carrier, CarrierEvent } from '#domain/ordering/orders/carrier.port.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { keepHandledEvent } from '#domain/kernel/provider-events/provider-events.server.ts'
import { findReturnWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { canCancelReturn, mayTireMove, returnNumber } from './return-terms.ts'
import { readReturn, selectReturnableLines, type ReturnTire, type ReturnView } from './return-view.sql.server.ts'
import { findTireByTracking, keepParcel, lockReturn, moveTire, noteOnTire } from './returns.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/**
 * Buys a label for each tire without one, and emails them when all are ready. Throws if the carrier is unavailable, so
 * the job retries; labels bought so far are retained. A tire that the carrier does not take is noted for staff.
 */
export async function labelReturn(
  deps: Deps & { carrier: Carrier; config: Pick<Config, 'store'> },
  returnId: number,
): Promise<void> {
  const found = await readReturn(deps.db, returnId)
  const order = found && (await readOrder(deps.db, found.orderId))
  if (!found || !order) return
  const weights = await selectReturnableLines(deps.db, order.id)
  for (const tire of found.tires)
    if (tire.state === 'requested' && tire.shipsBack)
      await labelTire(deps, found, order, {
        tire,
        weightLb: Math.ceil(weights.find(({ lineNo }) => lineNo === tire.lineNo)?.weightLb ?? 1),
      })
  await deps.db.transaction().execute(async (tx) => {
    await lockReturn(tx, returnId)
    const now = await readReturn(tx, returnId)
    if (now?.tires.some(({ state }) => state === 'labeled'))
      await queueMessage(tx, {
        kind: 'return-labels',
        key: `return-labels:${returnId}`,
        to: order.email,
        orderId: order.id,
        at: deps.clock.now(),
      })
  })
}

async function labelTire(
  { db, clock, carrier, config }: Deps & { carrier: Carrier; config: Pick<Config, 'store'> },
  found: ReturnView,
  order: OrderView,
  { tire, weightLb }: { tire: ReturnTire; weightLb: number },
): Promise<void> {
  const { id: returnId } = found
  const shippedFrom = order.shipments.find(({ state }) => state === 'delivered')?.warehouse
  if (!shippedFrom) throw new Error(`Order ${order.id} of return ${returnId} has no parcel that arrived.`)
  // A retry uses the address that the carrier already has.
  const warehouse = tire.warehouse ?? (await findReturnWarehouse(db, shippedFrom.id))
  const { city, state, zip } = warehouse
  const bought = await carrier.buyReturnLabel({
    reference: `${returnNumber(returnId)}-${tire.tireNo}`,
    from: { ...order.shipTo, phone: order.phone },
    to: { name: `${config.store.name} Returns`, street: warehouse.name, city, state, zip },
    weightLb,
    parcelRef: tire.parcelRef,
    keep: (parcelRef) => keepParcel(db, { returnId, tireNo: tire.tireNo }, { parcelRef, warehouseId: warehouse.id }),
  })
  if (!bought.ok && bought.reason === 'unavailable') throw new Error('The carrier is away.', { cause: bought.cause })
  const change = { actor: 'store', at: clock.now(), note: null }
  await db.transaction().execute(async (tx) => {
    await lockReturn(tx, returnId)
    const now = (await readReturn(tx, returnId))?.tires.find(({ tireNo }) => tireNo === tire.tireNo)
    // Canceled or received since.
    if (now?.state !== 'requested') return
    const at = { returnId, tireNo: tire.tireNo, state: now.state }
    if (!bought.ok) return noteOnTire(tx, at, { ...change, note: 'The carrier does not take this tire. Send a label.' })
    const { carrier: name, trackingNumber, labelUrl } = bought.value
    await moveTire(tx, at, 'labeled', {
      carrier: name,
      tracking_number: trackingNumber,
      label_url: labelUrl,
      change: { ...change, note: trackingNumber },
    })
  })
}

/**
 * Takes in a message of the carrier about a returned tire, whole or not at all. Events may be duplicated, late and out
 * of order. Each is stored once, and outdated ones are only logged. The carrier's delivery to our dock starts the 48
 * hours. Refuses what `receiveCarrierEvent` refuses.
 */
export async function receiveReturnScan(
  deps: Deps & { carrier: Carrier },
  rawBody: string,
  signature: string,
): Promise<
  Outcome<null, Refused<'bad-signature'> | Refused<'unreadable', { cause: unknown }> | Refused<'shipment-not-found'>>
> {
  const read = deps.carrier.readEvent(rawBody, signature)
  if (!read.ok) return read.reason === 'unreadable' ? refused(read.reason, { cause: read.cause }) : refused(read.reason)
  const { event } = read
  if (event === null) return ok(null)
  const found = await findTireByTracking(deps.db, event.trackingNumber)
  if (!found) return refused('shipment-not-found')
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    await lockReturn(tx, found.returnId)
    const isNew = await keepHandledEvent(tx, { provider: 'carrier', id: event.id, kind: event.state, body: event }, at)
    if (isNew) await applyScan(tx, found, event, at)
    return ok(null)
  })
}

async function applyScan(
  tx: Tx,
  { returnId, tireNo }: { returnId: number; tireNo: number },
  event: CarrierEvent,
  at: Temporal.Instant,
): Promise<void> {
  const view = await readReturn(tx, returnId)
  const tire = view?.tires.find((each) => each.tireNo === tireNo)
  if (!view || !tire) return
  const place = { returnId, tireNo, state: tire.state }
  const change = { actor: 'carrier', at, note: event.note }
  if (event.state === 'in-transit' && mayTireMove(tire.state, 'shipped'))
    await moveTire(tx, place, 'shipped', { change })
  else if (event.state === 'delivered' && mayTireMove(tire.state, 'received')) {
    await moveTire(tx, place, 'received', { received_at: at, change })
    await tellReceived(tx, view, at)
  } else
    await noteOnTire(tx, place, { ...change, note: `${scanWords[event.state]}${event.note ? `. ${event.note}` : ''}` })
}

const scanWords: Record<CarrierEvent['state'], string> = {
  'pending-pickup': 'The carrier expects the tire',
  'in-transit': 'On the way',
  held: 'Ready at a pickup location',
  delivered: 'Delivered to us',
  returned: 'The carrier took it back to the shopper',
  lost: 'The carrier lost it',
  trouble: 'The carrier reports trouble',
  unknown: 'No tracking updates from the carrier',
}

/** Emails the shopper once a day about received tires, so that tires arriving together share one email. */
export async function tellReceived(tx: Tx, { id, orderId }: ReturnView, at: Temporal.Instant): Promise<void> {
  const order = await readOrder(tx, orderId)
  if (!order) throw new Error(`Return ${id} has no order.`)
  const key = `return-received:${id}:${storeDay(at).toString()}`
  await queueMessage(tx, { kind: 'return-received', key, to: order.email, orderId, at })
}

/** Cancels a whole return before any of its tires has shipped. Idempotent. The units can be returned again. */
export async function cancelReturn(
  { db, clock }: Deps,
  { id, actor }: { id: number; actor: string },
): Promise<Outcome<{ isNew: boolean }, Refused<'return-not-found'> | Refused<'shipped'>>> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockReturn(tx, id))) return refused('return-not-found')
    const view = await readReturn(tx, id)
    if (!view) return refused('return-not-found')
    if (view.tires.every(({ state }) => state === 'canceled')) return ok({ isNew: false })
    if (!canCancelReturn(view.tires)) return refused('shipped')
    const change = { actor, at: clock.now(), note: null }
    for (const { tireNo, state } of view.tires)
      await moveTire(tx, { returnId: id, tireNo, state }, 'canceled', { change })
    return ok({ isNew: true })
  })
}
