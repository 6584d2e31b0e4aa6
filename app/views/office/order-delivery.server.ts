/** An order's delivery and installation in the back office. */
import { shipToShown, slipShown } from '#app/views/customer-fields.server.ts'
import { labelShown } from '#app/views/office/parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  bookingText,
  cityLine,
  dayText,
  installationState,
  storageText,
  timeText,
} from '#domain/ordering/orders/orders.ts'
import { hasCodes, type OrderView, type ParcelLabel } from '#domain/ordering/orders/orders.server.ts'
import { whyNotShip } from '#domain/ordering/parcels/parcels.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import type { LineSource } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber } from '#domain/supply/stock/stock.ts'
import { phoneText } from '#platform/phone-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Tone } from './order.server.ts'

export type ParcelView = {
  id: string
  name: string
  from: string
  /** The supplier's purchase order; null for our warehouses. Its path is null for roles without access. */
  purchase: { number: string; path: string | null } | null
  tracking: string | null
  trackingUrl: string | null
  carrier: string | null
  /** The page for packing and shipping, and the label; null for roles without access, and if missing. */
  path: string | null
  labelPath: string | null
  /** The parcel's next step, such as "Mark shipped"; null without one. */
  next: string | null
  promised: string
  tag: { label: string; tone: Tone }
  /** The last thing that happened to it, with when. */
  last: string | null
}

export type AppointmentView = {
  tag: { label: string; tone: Tone }
  time: [label: string, value: string][]
  shop: { name: string; code: string; rows: [label: string, value: string][] }
  /** Whether this role may see the codes that the customer shows at the shop. */
  hasCodes: boolean
}

export type DeliveryView = {
  parcels: ParcelView[]
  appointment: AppointmentView | null
  shipTo: string[] | null
  /** The packing slips of all parcels; null for roles that may not print them. */
  slipsPath: string | null
}

/** Shows the parcels, the appointment, and to the roles that may see it the address that parcels go to. */
export function deliveryOf(
  order: OrderView,
  {
    roles,
    now,
    labels,
    sources,
  }: {
    roles: readonly StaffRole[]
    now: Temporal.Instant
    labels: readonly ParcelLabel[]
    sources: readonly LineSource[]
  },
): DeliveryView {
  const { shipTo } = order
  const isSent = order.fulfillment !== 'warehouse-pickup'
  const hasSlips =
    isSent &&
    order.releasedAt !== null &&
    order.shipments.some((parcel) => parcel.state !== 'canceled' && slipShown(order, parcel, roles))
  return {
    parcels: order.shipments.map((parcel, index) => {
      const label = labels.find(({ shipmentId, voidedAt }) => shipmentId === parcel.id && voidedAt === null)
      return {
        ...parcelOf(order, parcel, { index, now }),
        ...senderOf(
          parcel,
          sources.find(({ warehouse }) => warehouse.id === parcel.warehouse.id),
          roles,
        ),
        path: isSent && staffCan(roles, 'parcels.read') ? officePaths.officeParcel(parcel.id) : null,
        labelPath:
          label && staffCan(roles, 'parcels.ship') && labelShown(parcel, roles)
            ? officePaths.officeParcelFile(parcel.id, 'label.pdf')
            : null,
        next: staffCan(roles, 'parcels.ship') && canShip(order, parcel) ? nextSteps[parcel.state] : null,
      }
    }),
    slipsPath: hasSlips && staffCan(roles, 'parcels.read') ? officePaths.officePackingSlips(order.id) : null,
    appointment: appointmentOf(order, roles),
    shipTo: shipToShown(order, roles) ? [shipTo.name, shipTo.street, cityLine(shipTo)] : null,
  }
}

type Parcel = OrderView['shipments'][number]

function canShip(order: OrderView, { warehouse, state }: Parcel): boolean {
  return whyNotShip({ order, isOwn: warehouse.isOwn, state }) === null
}

const nextSteps: Readonly<Record<Parcel['state'], string | null>> = {
  processed: 'Buy label or mark shipped',
  'pending-pickup': 'Mark shipped',
  'in-transit': null,
  delivered: null,
  canceled: null,
  returned: null,
}

const parcelTags: Readonly<Record<Parcel['state'], { label: string; tone: Tone }>> = {
  processed: { label: 'Processed', tone: 'plain' },
  'pending-pickup': { label: 'Pending pickup', tone: 'plain' },
  'in-transit': { label: 'In transit', tone: 'go' },
  delivered: { label: 'Delivered', tone: 'go' },
  canceled: { label: 'Canceled', tone: 'stop' },
  returned: { label: 'Returned', tone: 'stop' },
}

function parcelOf(
  { timeZone }: OrderView,
  parcel: Parcel,
  { index, now }: { index: number; now: Temporal.Instant },
): Omit<ParcelView, 'path' | 'labelPath' | 'next' | 'from' | 'purchase'> {
  const { id, carrier, trackingNumber, trackingUrl, promisedOn, items, events, state } = parcel
  const last = events.at(-1)
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    id,
    name: `${index + 1}, ${countOf(count, 'tire')}`,
    tracking: trackingNumber,
    trackingUrl,
    carrier,
    promised: dayText(Temporal.PlainDate.from(promisedOn)),
    tag: lateTag(parcel, now.toZonedDateTimeISO(timeZone).toPlainDate()) ?? parcelTags[state],
    last: last ? `${last.note ?? parcelTags[last.state].label}, ${timeText(last.at, timeZone)}` : null,
  }
}

/** "From Joliet, IL", or "From Great Lakes Tire Supply, Grove City, OH". */
function senderOf(
  { warehouse: { name, city, state } }: Parcel,
  source: LineSource | undefined,
  roles: readonly StaffRole[],
): Pick<ParcelView, 'from' | 'purchase'> {
  if (!source) return { from: `From ${city}, ${state}`, purchase: null }
  const { supplier, purchaseOrderId: id } = source
  const path = staffCan(roles, 'suppliers.read') ? officePaths.officePurchaseOrder(id) : null
  return {
    from: `From ${[supplier, name, name === city ? null : city, state].filter(Boolean).join(', ')}`,
    purchase: { number: purchaseOrderNumber(id), path },
  }
}

/** "2 days late": by the day its carrier expects now, or by today. */
function lateTag({ state, promisedOn, expectedOn }: Parcel, today: Temporal.PlainDate) {
  if (state === 'delivered' || state === 'canceled' || state === 'returned') return null
  const promised = Temporal.PlainDate.from(promisedOn)
  const expected = expectedOn === null ? today : Temporal.PlainDate.from(expectedOn)
  const late = Temporal.PlainDate.compare(expected, today) < 0 ? today : expected
  const { days } = promised.until(late)
  return days > 0 ? ({ label: countOf(days, 'day late', 'days late'), tone: 'stop' } as const) : null
}

function appointmentOf(order: OrderView, roles: readonly StaffRole[]): AppointmentView | null {
  const { booking, shop, dealer, widget, timeZone } = order
  if (!shop) return null
  const cameFrom =
    widget && `The widget of ${widget.partner} (${[widget.id, widget.source].filter(Boolean).join(', ')})`
  const rows: [string, string | null][] = [
    ['Address', `${shop.street}, ${cityLine(shop)}`],
    ['Phone', phoneText(shop.phone)],
    ['Removed set', storageText(order)],
    ['Place at the shop', order.storedSet?.place ?? null],
    ['Dealer', dealer && `${dealer.name} (${dealer.dealerCode})`],
    ['Came from', cameFrom],
  ]
  return {
    tag: tagOf(order),
    time: booking ? [['Time', withoutCode(bookingText({ ...booking, dropOffCode: null }, timeZone))]] : [],
    shop: {
      name: shop.name,
      code: shop.code,
      rows: rows.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : [])),
    },
    hasCodes: hasCodes(order) && staffCan(roles, 'orders.codes'),
  }
}

/** The code that `bookingText` ends with is shown only on request. */
function withoutCode(text: string): string {
  const at = text.lastIndexOf(' (code ')
  return at === -1 ? text : text.slice(0, at)
}

function tagOf(order: OrderView): { label: string; tone: Tone } {
  switch (installationState(order)) {
    case 'booked':
      return comesLate(order) ? { label: 'At risk', tone: 'signal' } : { label: 'Confirmed', tone: 'go' }
    case 'done':
      return { label: order.isService ? 'Done' : 'Installed', tone: 'go' }
    case 'missed':
      return { label: 'No-show', tone: 'stop' }
    case 'unbooked':
      return { label: 'No time booked', tone: 'signal' }
    case 'none':
      return { label: 'None', tone: 'plain' }
  }
}

/** Returns the last arrival day of an order's tires, if it is after the appointment; otherwise null. */
export function comesLate({ shipments, booking, timeZone }: OrderView): Temporal.PlainDate | null {
  if (booking?.state !== 'confirmed') return null
  const last = shipments
    .filter(({ state }) => state !== 'delivered' && state !== 'canceled' && state !== 'returned')
    .map(({ promisedOn, expectedOn }) => (expectedOn !== null && expectedOn > promisedOn ? expectedOn : promisedOn))
    .toSorted()
    .at(-1)
  const day = booking.start.toZonedDateTimeISO(timeZone).toPlainDate()
  if (last === undefined) return null
  const arrives = Temporal.PlainDate.from(last)
  return Temporal.PlainDate.compare(arrives, day) > 0 ? arrives : null
}
