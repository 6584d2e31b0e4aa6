/**
 * Shipping labels, bought from the carrier once per parcel, stored with their files, and refunded if unused. The
 * carrier has no idempotency keys, so its parcel reference is stored before the label is bought, and a retry looks that
 * reference up first (decision 014).
 */
import { storeFile } from '#domain/kernel/files/files.server.ts'
import { labelFormats, type Carrier, type CarrierAnswer, type CarrierLabel, type LabelFormat } from './carrier.port.ts'
import { insertOrderNote, keepParcelRef, lockParcel, moveShipment, selectParcelRef } from './order-life.sql.server.ts'
import { readOrder, type OrderShipment, type OrderView } from './order-view.sql.server.ts'
import { mayShipmentMove, nextOrderState } from './orders.ts'
import {
  insertLabel,
  insertLabelFile,
  lockLabel,
  requestVoid,
  selectLabelToKeep,
  selectUnusedRef,
  updateVoided,
} from './parcel-labels.sql.server.ts'
import { findCarriers } from '#domain/supply/delivery/delivery.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; carrier: Carrier }

/**
 * `carrier-refused`: asking again would get the same answer. `carriers` has the only ones that the warehouse ships with,
 * empty for any. `label-unused` means that the parcel was canceled, or shipped with another tracking number, during the
 * carrier request; the label is refunded.
 */
export type LabelRefusal =
  | Refused<'carrier-away', { cause: unknown }>
  | Refused<'carrier-refused', { carriers: readonly string[] }>
  | Refused<'label-unused'>

/** Job that buys a parcel's label. Throws if the carrier is unavailable, so the job retries. */
export async function shipOrder(deps: Deps, input: { orderId: number; shipmentId: string }): Promise<void> {
  const order = await readOrder(deps.db, input.orderId)
  if (!order || order.warehousePickup) return
  const shipment = order.shipments.find((candidate) => candidate.id === input.shipmentId)
  // The job was interrupted after buying the label and the parcel was canceled since, so only this job can refund the
  // label.
  if (!shipment || !nextOrderState(order.state, 'ship') || !mayShipmentMove(shipment.state, 'pending-pickup'))
    return refundUnused(deps, input.shipmentId)
  if (shipment.warehouse.shipsByHand) return
  const bought = await buyParcelLabel(deps, order, shipment, { actor: 'store' })
  if (bought.ok || bought.reason === 'label-unused') return
  if (bought.reason === 'carrier-away') throw new Error('The carrier is away.', { cause: bought.detail.cause })
  // People have to look at it.
  const { carriers } = bought.detail
  const only = carriers.length > 0 ? ` The warehouse ships only with ${carriers.join(', ')}.` : ''
  const note = `The carrier does not take shipment ${shipment.id} to ${order.shipTo.zip}.${only}`
  await insertOrderNote(deps.db, order, { actor: 'store', at: deps.clock.now(), note })
}

/**
 * Buys and stores the label for a `processed` parcel, then advances the parcel's state. If another process already
 * bought the label, stores that one. `alongside` runs in the transaction that stores it, once.
 */
export async function buyParcelLabel(
  deps: Deps,
  order: OrderView,
  shipment: OrderShipment,
  { actor, alongside }: { actor: string; alongside?: (tx: Tx, label: CarrierLabel) => Promise<void> },
): Promise<Outcome<{ isNew: boolean; trackingNumber: string }, LabelRefusal>> {
  const prepared = await prepareOnce(deps, order, shipment)
  const carriers = await carriersOf(deps, order, shipment)
  const label = prepared.ok ? await deps.carrier.buyLabel(prepared.value.parcelRef, carriers) : prepared
  if (!label.ok) return refusalOf(label, carriers)
  const { trackingNumber } = label.value
  const at = deps.clock.now()
  const isNew = await deps.db.transaction().execute(async (tx) => {
    const isMoved = await moveShipment(tx, shipment.id, 'pending-pickup', {
      actor,
      at,
      note: null,
      tracking: { carrier: label.value.carrier, trackingNumber, url: label.value.trackingUrl },
    })
    if (!isMoved) return false
    const { shipTo } = order
    await insertLabel(tx, { shipmentId: shipment.id, ...label.value, shipTo, at, by: actor })
    await enqueue(tx, 'keep-label', { shipmentId: shipment.id }, { key: `keep-label:${shipment.id}` })
    await alongside?.(tx, label.value)
    return true
  })
  if (isNew) return ok({ isNew, trackingNumber })
  const now = await lockParcel(deps.db, shipment.id)
  if (now && now.state !== 'canceled' && now.trackingNumber === trackingNumber) return ok({ isNew, trackingNumber })
  await cancelParcel(deps, { orderId: order.id, shipmentId: shipment.id, trackingNumber })
  return refused('label-unused')
}

/**
 * Returns the carrier and the cost of a parcel's label without buying it. With `isKept`, the label is then bought at this
 * rate.
 */
export async function quoteParcelLabel(
  deps: Deps,
  order: OrderView,
  shipment: OrderShipment,
  { isKept }: { isKept: boolean },
): Promise<Outcome<{ carrier: string; costCents: number }, Exclude<LabelRefusal, Refused<'label-unused'>>>> {
  const prepared = await (isKept ? prepareOnce : prepareUnlessKept)(deps, order, shipment)
  const carriers = await carriersOf(deps, order, shipment)
  const quoted = prepared.ok ? await deps.carrier.quoteLabel(prepared.value.parcelRef, carriers) : prepared
  return quoted.ok ? ok(quoted.value) : refusalOf(quoted, carriers)
}

/** The only carriers that a parcel may go with, empty for any. A pickup location takes its carrier's parcels. */
async function carriersOf({ db }: Deps, order: OrderView, { warehouse }: OrderShipment): Promise<readonly string[]> {
  return order.fulfillment === 'carrier-pickup' ? [] : findCarriers(db, warehouse.id, order.shipTo.zip)
}

function refusalOf(
  answer: Extract<CarrierAnswer<never>, { ok: false }>,
  carriers: readonly string[],
): Exclude<LabelRefusal, Refused<'label-unused'>> {
  return answer.reason === 'unavailable'
    ? refused('carrier-away', { cause: answer.cause })
    : refused('carrier-refused', { carriers })
}

/**
 * Cancels an announced parcel at the carrier. Throws if the carrier is unavailable, so the job retries. What the
 * carrier refuses is noted on the order, for the warehouse.
 */
export async function cancelParcel(
  deps: Deps,
  { orderId, shipmentId, trackingNumber }: { orderId: number; shipmentId: string; trackingNumber: string },
): Promise<void> {
  const parcelRef = await selectParcelRef(deps.db, shipmentId)
  if (parcelRef !== null && (await voidLabel(deps, parcelRef))) return
  const order = await readOrder(deps.db, orderId)
  if (!order) return
  const note = `The carrier does not cancel ${trackingNumber} (shipment ${shipmentId}). Keep the parcel from being picked up.`
  await insertOrderNote(deps.db, order, { actor: 'store', at: deps.clock.now(), note })
}

/**
 * Refunds the label for a parcel that won't be sent. A refusal is final, because the carrier has the parcel or its
 * manifest, or never sold a label. Throws if the carrier is unavailable, so the job retries.
 */
export async function refundLabel(deps: Deps, parcelRef: string): Promise<void> {
  await voidLabel(deps, parcelRef)
}

/** Returns whether the carrier refunds the label, which it doesn't for one on a manifest. Throws if it is unavailable. */
async function voidLabel({ db, clock, carrier }: Deps, parcelRef: string): Promise<boolean> {
  if (!(await requestVoid(db, parcelRef, clock.now()))) return false
  const refunded = await carrier.refundLabel(parcelRef)
  if (!refunded.ok && refunded.reason === 'unavailable')
    throw new Error('The carrier is away.', { cause: refunded.cause })
  await updateVoided(db, parcelRef, { isVoided: refunded.ok, at: clock.now() })
  return refunded.ok
}

async function refundUnused(deps: Deps, shipmentId: string): Promise<void> {
  const parcelRef = await selectUnusedRef(deps.db, shipmentId)
  if (parcelRef !== null) await refundLabel(deps, parcelRef)
}

/**
 * Downloads and stores the files of a bought label, each once. Skips labels that are voided, complete, or erased with
 * their customer. Throws if the carrier is unavailable, so the job retries.
 */
export async function keepLabelFiles({ db, clock, carrier }: Deps, shipmentId: string): Promise<void> {
  const label = await selectLabelToKeep(db, shipmentId)
  if (!label) return
  const missing = labelFormats.filter((format) => !label.formats.includes(format))
  for (const format of missing) {
    const file = await carrier.readLabelFile(label.parcelRef, format)
    if (!file.ok && file.reason === 'unavailable') throw new Error('The carrier is away.', { cause: file.cause })
    if (!file.ok) continue
    const contentType = labelContentTypes[format]
    await db.transaction().execute(async (tx) => {
      const now = await lockLabel(tx, shipmentId)
      if (!now || now.formats.includes(format)) return
      const key = await storeFile(tx, { contentType, bytes: file.value }, clock.now())
      await insertLabelFile(tx, { shipmentId, format, key })
    })
  }
}

export const labelContentTypes: Readonly<Record<LabelFormat, string>> = {
  pdf: 'application/pdf',
  zpl: 'application/zpl',
}

/** Returns the carrier's reference for a shipment, creating and storing it on first use. */
async function prepareOnce(
  { db, carrier }: Deps,
  order: OrderView,
  shipment: OrderShipment,
): Promise<CarrierAnswer<{ parcelRef: string }>> {
  const kept = await selectParcelRef(db, shipment.id)
  if (kept !== null) return { ok: true, value: { parcelRef: kept } }
  const prepared = await prepareNew({ carrier }, order, shipment)
  if (!prepared.ok) return prepared
  const of = { shipmentId: shipment.id, warehouseId: shipment.warehouse.id }
  const parcelRef = await keepParcelRef(db, of, prepared.value.parcelRef)
  if (parcelRef === undefined)
    return { ok: false, reason: 'unavailable', cause: new Error('The parcel was moved to another warehouse.') }
  return { ok: true, value: { parcelRef } }
}

/** Returns the reference of a shipment. A new one isn't stored, so that the parcel can still change. */
async function prepareUnlessKept(
  { db, carrier }: Deps,
  order: OrderView,
  shipment: OrderShipment,
): Promise<CarrierAnswer<{ parcelRef: string }>> {
  const kept = await selectParcelRef(db, shipment.id)
  return kept === null ? prepareNew({ carrier }, order, shipment) : { ok: true, value: { parcelRef: kept } }
}

function prepareNew(
  { carrier }: Pick<Deps, 'carrier'>,
  order: OrderView,
  shipment: OrderShipment,
): Promise<CarrierAnswer<{ parcelRef: string }>> {
  return carrier.prepare({
    reference: `S-${order.id}`,
    from: shipment.warehouse,
    ...receiverOf(order),
    weightLb: shipment.items.reduce((sum, item) => sum + item.quantity * item.weightLb, 0),
  })
}

/** Where a parcel goes. A pickup location releases it to the person named on the label. */
function receiverOf({ fulfillment, shipTo, firstName, lastName, phone }: OrderView) {
  return fulfillment === 'carrier-pickup'
    ? { to: { ...shipTo, name: `${firstName} ${lastName}`, company: shipTo.name, phone }, isHeld: true }
    : { to: { ...shipTo, phone } }
}
