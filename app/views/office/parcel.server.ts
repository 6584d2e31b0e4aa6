/** Parcels as those who pack and ship them see them. */
import { canUse } from '#app/office/page-parts.ts'
import { slipShown } from '#app/views/customer-fields.server.ts'
import { selectOrderParcels, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { cityLine } from '#domain/ordering/orders/orders.ts'
import {
  packingSlipOf,
  withBins,
  type PackingSlip,
  type ParcelToPack,
} from '#domain/ordering/parcels/parcels.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { manifestNumber, whyNotShip } from '#domain/ordering/parcels/parcels.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockText, timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { Tone } from './order.server.ts'

/** Whether a parcel is still at its warehouse. */
export function isToPack({ state }: { state: string }): boolean {
  return state === 'processed' || state === 'pending-pickup'
}

/**
 * Returns whether these roles can see a label, which names the customer; packers can only before the parcel is packed.
 */
export function labelShown(parcel: { state: string }, roles: readonly StaffRole[]): boolean {
  return staffCan(roles, 'customers.read') || (canUse(roles, 'ship-to') && isToPack(parcel))
}

/**
 * Reads the packing slips of an order or one parcel. `hidden` counts the parcels with a destination that these roles
 * can't see.
 */
export async function listSlips(
  app: Pick<Application, 'db' | 'config'>,
  order: OrderView,
  roles: readonly StaffRole[],
  only?: string,
): Promise<{ slips: PackingSlip[]; hidden: number }> {
  const all = await withBins(app.db, await selectOrderParcels(app.db, order.id))
  const asked = all.filter(({ id }) => only === undefined || id === only)
  const shown = asked.filter((parcel) => slipShown(order, parcel, roles))
  const slips = shown.map((parcel) =>
    packingSlipOf(app.config, order, parcel, { place: all.indexOf(parcel) + 1, of: all.length }),
  )
  return { slips, hidden: asked.length - shown.length }
}

/**
 * Reads the packing slips of orders, or of one parcel; undefined if there aren't any. Throws a 403 for roles without
 * access to any parcel's destination.
 */
export async function readSlips(
  app: Pick<Application, 'db' | 'config'>,
  orders: readonly OrderView[],
  roles: readonly StaffRole[],
  only?: string,
): Promise<PackingSlip[] | undefined> {
  const slips: PackingSlip[] = []
  let isHidden = false
  for (const order of orders) {
    const of = await listSlips(app, order, roles, only)
    slips.push(...of.slips)
    isHidden ||= of.hidden > 0
  }
  if (slips.length > 0) return slips
  if (isHidden) throw new Response(null, { status: 403 })
  return undefined
}

/** "Today, 4:00 PM CT", in the time zone of the warehouse. */
export function dueText(at: Temporal.Instant, zone: string, now: Temporal.Instant): string {
  const day = at.toZonedDateTimeISO(zone).toPlainDate()
  const isToday = day.equals(now.toZonedDateTimeISO(zone).toPlainDate())
  return `${isToday ? 'Today' : dayText(day)}, ${clockText(at, zone)}`
}

/** Returns the shipping cutoff, red if it has passed or is less than an hour away. */
export function parcelDue(
  shipsBy: Temporal.Instant,
  warehouse: ParcelToPack['warehouse'],
  now: Temporal.Instant,
): { text: string; note: string | null; tone?: Tone } {
  const minutes = now.until(shipsBy).total('minutes')
  const isUrgent = minutes < 60
  return {
    text: dueText(shipsBy, warehouse.timeZone, now),
    note: minutes < 0 ? 'Cut-off missed' : null,
    ...(isUrgent && { tone: 'stop' }),
  }
}

/** What is next for a parcel that is to be packed. */
export function parcelStep({
  state,
  warehouse,
  label,
  trackingNumber,
}: Pick<ParcelToPack, 'state' | 'warehouse' | 'label' | 'trackingNumber'>): { text: string; note: string | null } {
  if (label && label.voidedAt === null) return { text: 'Pack and ship', note: trackingNumber }
  if (state === 'pending-pickup') return { text: 'Pack and ship', note: trackingNumber }
  return warehouse.shipsByHand
    ? { text: 'Enter tracking', note: 'Ships by hand' }
    : { text: 'Buy label', note: 'No label yet' }
}

const states: Readonly<Record<ParcelToPack['state'], { label: string; tone: Tone }>> = {
  processed: { label: 'To pack', tone: 'signal' },
  'pending-pickup': { label: 'Pending pickup', tone: 'signal' },
  'in-transit': { label: 'In transit', tone: 'go' },
  delivered: { label: 'Delivered', tone: 'go' },
  canceled: { label: 'Canceled', tone: 'stop' },
  returned: { label: 'Returned', tone: 'stop' },
}

/** "In transit" */
export function parcelStateLabel(state: ParcelToPack['state']): string {
  return states[state].label
}

/** Returns a parcel's page for staff with these roles. `acts` are the actions allowed by its state and their roles. */
export function parcelView(
  order: OrderView,
  parcel: ParcelToPack,
  { roles, now, manifestId }: { roles: readonly StaffRole[]; now: Temporal.Instant; manifestId: number | null },
) {
  const { warehouse, label, state, carrier, trackingNumber, trackingUrl } = parcel
  const mayShip = staffCan(roles, 'parcels.ship')
  const why = whyNotShip({ order, isOwn: warehouse.isOwn, state })
  const due = isToPack(parcel) && parcel.shipsBy ? parcelDue(parcel.shipsBy, warehouse, now) : null
  const isShown = slipShown(order, parcel, roles)
  const { shipTo } = order
  return {
    id: parcel.id,
    order: orderNumber(order.id),
    orderId: order.id,
    state: states[state],
    timer: due && { text: `Ships by ${due.text}`, tone: due.tone ?? 'plain' },
    why: mayShip && isToPack(parcel) ? why : null,
    warehouse: `${warehouse.code} ${warehouse.name}`,
    shipTo: isShown ? [shipTo.name, shipTo.street, cityLine(shipTo)] : null,
    carrier,
    tracking: trackingNumber,
    trackingUrl,
    label: label && {
      cost: formatCents(label.costCents),
      voided: label.voidedAt && timeText(label.voidedAt, warehouse.timeZone),
    },
    manifest: manifestId && { number: manifestNumber(manifestId), path: officePaths.officeManifest(manifestId) },
    items: parcel.items,
    /** The only carriers with which staff can ship it; empty for any. */
    carriers: order.fulfillment === 'carrier-pickup' ? [] : warehouse.carriers,
    prints: {
      slip: isShown,
      label: mayShip && hasLabel(parcel) && labelShown(parcel, roles),
    },
    acts: actsOn(parcel, { mayShip, isPossible: why === null, isOnManifest: manifestId !== null }),
  }
}

function hasLabel({ label }: Pick<ParcelToPack, 'label'>): boolean {
  return label !== null && label.voidedAt === null
}

function actsOn(
  parcel: ParcelToPack,
  { mayShip, isPossible, isOnManifest }: { mayShip: boolean; isPossible: boolean; isOnManifest: boolean },
) {
  const { state, warehouse } = parcel
  const canAct = mayShip && isPossible
  return {
    buy: canAct && state === 'processed' && !warehouse.shipsByHand,
    ship: canAct && state === 'pending-pickup',
    own: canAct && isToPack(parcel) && !isOnManifest,
    deliver: mayShip && warehouse.isOwn && state === 'in-transit' && !hasLabel(parcel),
  }
}

export type ParcelPageView = ReturnType<typeof parcelView>
