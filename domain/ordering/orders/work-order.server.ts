/** The work order of an order that a shop or van installs. */
import { wheelSourceText, type Level, type StatedRequirement } from '#domain/catalog/fitment/fitment.ts'
import { bookingText, cityLine, dayText, serviceText, timeText, vehicleText } from './order-labels.ts'
import type { OrderShipment, OrderView } from './order-view.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { WorkOrder } from './work-order.ts'
import type { Config } from '#platform/config.ts'
import { dateText } from '#platform/day-text.ts'
import { phoneText } from '#platform/phone-text.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'

/** Returns the work order of `order`; undefined if it has no installation. Times are in the shop's zone. */
export function workOrderOf(order: OrderView, config: Pick<Config, 'store' | 'demo'>): WorkOrder | undefined {
  const { shop, booking, address } = order
  if (!shop) return undefined
  const lines = order.lines
    .map(({ quantity, canceled, ...line }) => ({ ...line, quantity: quantity - canceled }))
    .filter(({ quantity }) => quantity > 0)
  const tires = lines.filter(({ kind }) => kind === 'tire')
  const isVan = shop.kind === 'van'
  return {
    store: { name: config.store.name, phone: config.store.phone },
    orderNumber: orderNumber(order.id),
    poNumber: `${order.id}-1`,
    stop: stopOf(order),
    shop: [shop.name, shop.street, cityLine(shop), phoneText(shop.phone)],
    appointment:
      booking && booking.state !== 'canceled'
        ? bookingText(booking, order.timeZone)
        : 'No time is booked. Agree on one with the customer.',
    customer: [
      // The shop greets them, and needs no more of their name.
      `${order.firstName} ${order.lastName.slice(0, 1)}.`,
      phoneText(order.phone),
      ...(isVan ? [address.line1, address.line2 ?? '', cityLine(address)].filter(Boolean) : []),
    ],
    vehicle: vehicleText(order) ?? 'Not given. Ask the customer before the car goes up.',
    fitment: fitmentOf(order),
    torque: torqueOf(order),
    isStaggered: tires.some(({ axle }) => axle === 'front') && tires.some(({ axle }) => axle === 'rear'),
    positions: tires.map(({ axle, description: tire, quantity }) => ({
      position: positions[axle ?? 'all'] ?? 'Any',
      tire,
      quantity,
    })),
    money: 'Prepaid. Do not collect.',
    service: serviceText(order),
    prepaid: lines
      .filter(({ kind }) => done.has(kind))
      .map(({ description, quantity }) => `${description}, ${quantity}`),
    parcels: order.shipments
      .filter(({ state }) => state !== 'canceled')
      .map((parcel, index, all) => parcelOf(parcel, { index, all, zone: order.timeZone })),
    sample: config.demo,
  }
}

const positions: Readonly<Record<string, string>> = { all: 'Any', front: 'Front', rear: 'Rear' }

/** The kinds of lines that are the shop's work, or that it mounts with the tires. */
const done: ReadonlySet<string> = new Set(['part', 'installation', 'service-kit', 'disposal', 'service'])

const verdictNames: Readonly<Record<Level, string>> = {
  fits: 'Fits',
  fits_with_conditions: 'Fits with conditions',
  unknown: 'Not known',
  does_not_fit: 'Does not fit',
}

const sourceNames: Readonly<Record<StatedRequirement['source'], string>> = {
  placard: 'From the door label, confirmed by the customer.',
  catalog: 'From the list of factory sizes. Check the door label.',
  weak: 'From a list that sources disagree about. Check the door label.',
  none: 'No source lists this vehicle. Check the door label.',
}

const checkLabel = 'Check size, load, speed and pressure on the door label before the car goes up.'

/** The verdict that the order was placed under, with the requirement it quotes (rule book, section 9). */
function fitmentOf({ verdict, placedAt, timeZone }: OrderView): WorkOrder['fitment'] {
  const sets = verdict?.sets ?? []
  const checkedOn = placedAt.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const isWhole = sets.length > 0 && sets.every(({ requirement }) => requirement !== undefined)
  return {
    toCheck: isWhole ? null : checkLabel,
    sets: sets.map(({ verdict: level = verdict?.verdict ?? 'unknown', lines, ruleBook, rules, requirement }) => ({
      verdict: verdictNames[level],
      lines,
      basis: `${ruleText(rules, ruleBook)}checked ${dateText(checkedOn)}.`,
      source: requirement ? sourceNames[requirement.source] : null,
      rows: requirement?.rows ?? [],
    })),
  }
}

/** Returns the torque with its source if all results of the order agree. */
function torqueOf({ verdict }: OrderView): string {
  const stated = (verdict?.sets ?? []).map(({ requirement }) => requirement?.wheels)
  const [first] = stated
  const isKnown = first && first.torqueLbFt !== null && stated.every((each) => each?.torqueLbFt === first.torqueLbFt)
  return isKnown ? `${first.torqueLbFt} lb-ft (${wheelSourceText(first.sources)})` : 'See manual'
}

/** Text such as "Rules FR6, FR10 of rule book 2026.11.2, ". Empty for orders placed before rules were stored. */
function ruleText(rules: readonly string[] = [], ruleBook?: string): string {
  const named = rules.length === 0 ? '' : `${pluralForm(rules.length, 'Rule', 'Rules')} ${rules.join(', ')} of `
  return ruleBook === undefined ? 'Result ' : `${named === '' ? 'Result of ' : named}rule book ${ruleBook}, `
}

function stopOf({ state, isService }: OrderView): string | null {
  const it = isService ? 'Do not start.' : 'Do not install it.'
  switch (state) {
    case 'canceled':
      return `This order is canceled. ${it}`
    case 'returned':
      return `This order was returned. ${it}`
    case 'needs-confirmation':
      return isService
        ? 'This order is not confirmed yet. Do not start before it is.'
        : 'This order is not confirmed yet. Do not install it before it is.'
    case 'confirmed':
      return null
  }
}

function parcelOf(
  { items, state, carrier, trackingNumber, deliveredAt, promisedOn }: OrderShipment,
  { index, all, zone }: { index: number; all: readonly OrderShipment[]; zone: string },
): WorkOrder['parcels'][number] {
  const pieces = piecesOf(items)
  const total = all.reduce((sum, parcel) => sum + piecesOf(parcel.items), 0)
  return {
    title: `Parcel ${index + 1} of ${all.length}`,
    pieces: `${pieces} of ${countOf(total, 'piece')}`,
    contents: items.map(({ description, quantity }) => `${quantity} ${description}`),
    tracking: trackingNumber === null ? 'Not announced yet' : `${carrier ?? 'Carrier'} ${trackingNumber}`,
    arrival:
      state === 'returned'
        ? 'Sent back'
        : deliveredAt
          ? `Delivered ${timeText(deliveredAt, zone)}`
          : `Promised by ${dayText(Temporal.PlainDate.from(promisedOn))}`,
  }
}

function piecesOf(items: OrderShipment['items']): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0)
}
