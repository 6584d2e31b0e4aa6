/**
 * A warehouse's daily shipping. Staff buy and print labels, and mark parcels as shipped and delivered. Each act
 * checks the permission again, locks the order with its parcels, decides by what it reads then, and writes the audit
 * entry in the same transaction. Repeating an action has no effect.
 */
import { readFile } from '#domain/kernel/files/files.server.ts'
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import type { Carrier, LabelFormat } from '#domain/ordering/orders/carrier.port.ts'
import {
  buyParcelLabel,
  keepLabelFiles,
  lockWithParcels,
  moveShipment,
  notifyOfParcel,
  quoteParcelLabel,
  selectLabelFile,
  selectLabels,
  selectOrderOfParcel,
  selectParcelRef,
  type LabelRefusal,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { lockCarriers } from '#domain/supply/delivery/delivery.server.ts'
import { shipsWith } from '#domain/supply/delivery/delivery.ts'
import { type ShipmentState } from '#domain/ordering/orders/orders.ts'
import { manifestNumber } from './manifests.ts'
import { selectManifestOf } from './manifests.sql.server.ts'
import { trackingPage, whyNotShip, type OwnTracking } from './parcels.ts'
import { settleFinancedSoon } from '#domain/payments/payments/payments.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export {
  completeManifest,
  findManifest,
  listManifests,
  readManifestFile,
  requestManifests,
  selectManifestOf,
  type Manifest,
} from './manifests.server.ts'
export { packingSlipOf, pickListOf, type PackingSlip } from './packing-slip.ts'
export { findParcel, listParcelsToPack, withBins, type ParcelToPack } from './to-pack.server.ts'

type Deps = { db: Database; clock: Clock }

/** `why`: a sentence for staff, with what to do instead. */
export type ParcelRefusal =
  | Refused<'not-allowed'>
  | Refused<'parcel-not-found'>
  | Refused<'not-possible', { why: string }>

type Found = { order: OrderView; shipment: OrderView['shipments'][number]; at: Temporal.Instant; actor: string }

/** Checks the permission, and locks the order of a parcel with its parcels until the transaction ends. */
async function findToActOn(
  tx: Tx,
  by: Actor,
  id: string,
  at: Temporal.Instant,
): Promise<Outcome<Found, Refused<'not-allowed'> | Refused<'parcel-not-found'>>> {
  const permitted = await requirePermission(tx, by, 'parcels.ship', at)
  if (!permitted.ok) return permitted
  const orderId = await selectOrderOfParcel(tx, id)
  const order = orderId === undefined ? undefined : await lockWithParcels(tx, orderId)
  const shipment = order?.shipments.find((parcel) => parcel.id === id)
  return order && shipment ? ok({ order, shipment, at, actor: `staff:${by.name}` }) : refused('parcel-not-found')
}

function whyNot({ order, shipment }: Found): string | null {
  return whyNotShip({ order, isOwn: shipment.warehouse.isOwn, state: shipment.state })
}

type ToLabel = Found & { isDone: boolean }

/** Locks a parcel whose label is to be bought. `isDone`: it has its label. */
async function findToLabel(
  tx: Tx,
  by: Actor,
  id: string,
  at: Temporal.Instant,
): Promise<Outcome<ToLabel, ParcelRefusal>> {
  const found = await findToActOn(tx, by, id, at)
  if (!found.ok) return found
  const { order, shipment } = found.value
  const why = whyNot(found.value)
  if (why !== null) return refused('not-possible', { why })
  if (shipment.state !== 'processed') {
    const hasLabel = (await selectLabels(tx, order.id)).some(({ shipmentId }) => shipmentId === id)
    return hasLabel ? ok({ ...found.value, isDone: true }) : refused('not-possible', { why: shippedWithout })
  }
  if (shipment.warehouse.shipsByHand) return refused('not-possible', { why: byHand })
  return ok({ ...found.value, isDone: false })
}

type QuoteRefusal = ParcelRefusal | Exclude<LabelRefusal, Refused<'label-unused'>> | Refused<'has-label'>

/**
 * Returns the carrier and cost of a parcel's label without buying it. With `isKept`, the label is then bought at this
 * rate.
 */
export async function quoteLabel(
  deps: Deps & { carrier: Carrier },
  by: Actor,
  id: string,
  { isKept = false }: { isKept?: boolean } = {},
): Promise<Outcome<{ carrier: string; costCents: number }, QuoteRefusal>> {
  const found = await deps.db.transaction().execute((tx) => findToLabel(tx, by, id, deps.clock.now()))
  if (!found.ok) return found
  const { order, shipment, isDone } = found.value
  return isDone ? refused('has-label') : quoteParcelLabel(deps, order, shipment, { isKept })
}

/**
 * Buys a parcel's label from the carrier, at most once however often it is called. Refuses a label that costs more than
 * `maxCents` (`costs-more`). The job that buys it is queued first, so that a label bought by an interrupted process is
 * still found and stored.
 */
export async function buyLabel(
  deps: Deps & { carrier: Carrier },
  by: Actor,
  id: string,
  { maxCents = null }: { maxCents?: number | null } = {},
): Promise<Outcome<{ isNew: boolean }, ParcelRefusal | LabelRefusal | Refused<'costs-more', number>>> {
  if (maxCents !== null) {
    const quoted = await quoteLabel(deps, by, id, { isKept: true })
    if (quoted.ok && quoted.value.costCents > maxCents) return refused('costs-more', quoted.value.costCents)
    if (!quoted.ok && quoted.reason !== 'has-label') return quoted
  }
  const checked = await deps.db.transaction().execute(async (tx): Promise<Outcome<ToLabel, ParcelRefusal>> => {
    const found = await findToLabel(tx, by, id, deps.clock.now())
    if (found.ok && !found.value.isDone)
      await enqueue(tx, 'ship-order', { shipmentId: id, orderId: found.value.order.id }, { key: `ship-order:${id}` })
    return found
  })
  if (!checked.ok) return checked
  const { order, shipment, actor, isDone } = checked.value
  if (isDone) return ok({ isNew: false })
  const bought = await buyParcelLabel(deps, order, shipment, {
    actor,
    alongside: (tx, { carrier, trackingNumber, costCents }) =>
      recordAct(tx, {
        by,
        act: 'parcel.label-bought',
        subject: orderNumber(order.id),
        after: { parcel: id, carrier, trackingNumber, costCents },
        at: deps.clock.now(),
      }),
  })
  return bought.ok ? ok({ isNew: bought.value.isNew }) : bought
}

const byHand = 'This warehouse ships by hand. Enter the carrier and tracking number, then mark the parcel shipped.'
const shippedWithout = 'This parcel has a tracking number already. It needs no label.'

/** Parcels in transit or delivered, where marking them again succeeds. */
const gone: ReadonlySet<ShipmentState> = new Set(['in-transit', 'delivered'])

/**
 * Marks a parcel as handed to the carrier, with the bought label, or with a carrier and tracking number entered by
 * staff, which replace and refund the label. The customer is notified once. Refuses `no-label` without either,
 * `tracking-taken` for the number of another parcel, and `not-possible`, also for a parcel that was shipped with
 * another number.
 */
export async function markShipped(
  { db, clock }: Deps,
  by: Actor,
  { id, own }: { id: string; own: OwnTracking | null },
): Promise<Outcome<{ isNew: boolean }, ParcelRefusal | Refused<'no-label'> | Refused<'tracking-taken'>>> {
  try {
    return await db.transaction().execute(async (tx) => {
      const found = await findToActOn(tx, by, id, clock.now())
      return found.ok ? shipWithin(tx, by, found.value, own) : found
    })
  } catch (error) {
    if (violatedConstraint(error) === 'shipment_tracking_number_key') return refused('tracking-taken')
    throw error
  }
}

async function shipWithin(
  tx: Tx,
  by: Actor,
  found: Found,
  own: OwnTracking | null,
): Promise<Outcome<{ isNew: boolean }, Refused<'not-possible', { why: string }> | Refused<'no-label'>>> {
  const { order, shipment, at, actor } = found
  const { id, trackingNumber } = shipment
  const isSame = own === null || own.trackingNumber === trackingNumber
  if (gone.has(shipment.state))
    return isSame ? ok({ isNew: false }) : refused('not-possible', { why: shipped(shipment) })
  const why = whyNot(found) ?? (isSame ? null : ((await whyKeepLabel(tx, id)) ?? (await whyNotCarrier(tx, found, own))))
  if (why !== null) return refused('not-possible', { why })
  if (own === null && trackingNumber === null) return refused('no-label')
  const tracking = own && { ...own, url: trackingPage(own.carrier, own.trackingNumber) }
  const change = { actor, at, note: null }
  if (shipment.state === 'processed') await moveShipment(tx, id, 'pending-pickup', { ...change, tracking })
  await moveShipment(tx, id, 'in-transit', { ...change, tracking: isSame ? null : tracking })
  if (!isSame) await refundReplaced(tx, id, at)
  const told = { id, orderId: order.id, email: order.email, to: 'in-transit' as const, isNewlyHeld: false, at }
  await notifyOfParcel(tx, 'in-transit', told)
  const before = { parcel: id, state: shipment.state, trackingNumber }
  const { carrier } = shipment
  const after = own ?? { carrier, trackingNumber }
  await recordAct(tx, { by, act: 'parcel.shipped', subject: orderNumber(order.id), before, after, at })
  return ok({ isNew: true })
}

function shipped({ trackingNumber }: Found['shipment']): string {
  return `This parcel shipped with tracking number ${trackingNumber ?? ''}.`
}

/** Returns why a parcel's label can't be replaced; null if it can. */
async function whyKeepLabel(tx: Tx, id: string): Promise<string | null> {
  const manifestId = await selectManifestOf(tx, id)
  if (manifestId === null) return null
  return `This parcel is on manifest ${manifestNumber(manifestId)}, so its label can’t be voided. Mark it shipped with that label.`
}

/** Returns why a parcel can't ship with this carrier; null if it can. A pickup location takes its own carrier's parcels. */
async function whyNotCarrier(tx: Tx, { order, shipment }: Found, own: OwnTracking): Promise<string | null> {
  if (order.fulfillment === 'carrier-pickup') return null
  const carriers = await lockCarriers(tx, shipment.warehouse.id)
  return shipsWith(carriers, own.carrier) ? null : `This warehouse ships only with ${carriers.join(', ')}.`
}

/** A label that is being bought at this moment is bought by then. */
const purchaseTakes = { minutes: 2 }

async function refundReplaced(tx: Tx, shipmentId: string, at: Temporal.Instant): Promise<void> {
  const parcelRef = await selectParcelRef(tx, shipmentId)
  if (parcelRef === null) return
  const job = { key: `refund-label:${shipmentId}`, runAt: at.add(purchaseTakes) }
  await enqueue(tx, 'refund-label', { parcelRef }, job)
}

/**
 * Marks a parcel as delivered that staff shipped with another carrier, which sends no events. The customer is notified
 * once. Refuses parcels with our carrier's label, because its events update them.
 */
export async function markDelivered(
  { db, clock }: Deps,
  by: Actor,
  id: string,
): Promise<Outcome<{ isNew: boolean }, ParcelRefusal>> {
  return db.transaction().execute(async (tx): Promise<Outcome<{ isNew: boolean }, ParcelRefusal>> => {
    const found = await findToActOn(tx, by, id, clock.now())
    if (!found.ok) return found
    const { order, shipment, at, actor } = found.value
    if (shipment.state === 'delivered') return ok({ isNew: false })
    if (shipment.state !== 'in-transit')
      return refused('not-possible', { why: whyNot(found.value) ?? 'This parcel hasn’t shipped yet.' })
    const label = (await selectLabels(tx, order.id)).find(({ shipmentId }) => shipmentId === id)
    if (label?.trackingNumber === shipment.trackingNumber)
      return refused('not-possible', { why: 'The carrier reports the delivery of this parcel. No action is needed.' })
    await moveShipment(tx, id, 'delivered', { actor, at, note: null, tracking: null })
    await settleFinancedSoon(tx, order.id)
    const told = { id, orderId: order.id, email: order.email, to: 'delivered' as const, isNewlyHeld: false, at }
    if (order.state === 'confirmed') await notifyOfParcel(tx, 'delivered', told)
    const { trackingNumber } = shipment
    const subject = orderNumber(order.id)
    await recordAct(tx, { by, act: 'parcel.delivered', subject, after: { parcel: id, trackingNumber }, at })
    return ok({ isNew: true })
  })
}

/**
 * The file of a parcel's label for printing; undefined where no label was bought, it is voided, or the carrier doesn't
 * answer. A file that is not stored yet is fetched now. The caller has checked that the reader may see it.
 */
export async function readLabel(
  deps: Deps & { carrier: Carrier; files: Files },
  { shipmentId, format }: { shipmentId: string; format: LabelFormat },
): Promise<Buffer | undefined> {
  const stored = await selectLabelFile(deps.db, { shipmentId, format })
  if (stored === undefined)
    try {
      await keepLabelFiles(deps, shipmentId)
    } catch {
      // The job that stores it logs why.
      return undefined
    }
  const key = stored ?? (await selectLabelFile(deps.db, { shipmentId, format }))
  return key === undefined ? undefined : (await readFile(deps, key))?.bytes
}
