/** Shipping costs by zone, with unit and reason. Pure. */
import type {
  DeliveryRegion,
  ShippingException,
  ShippingRates,
  ShippingZoneKey,
  StoreZone,
  ZoneRates,
} from '#domain/kernel/rates/rates.ts'
import { exceptionRateText, tiresText, whereText, zoneKey } from '#domain/kernel/settings/settings.ts'
import { formatCents } from '#platform/money.ts'
import { hasZip, zipRangeDigits } from '#platform/zip-ranges.ts'
import { contiguousStates, regionOf, zipsByRegion } from './regions.ts'

/**
 * A ZIP code with its state's postal code, or a zone such as CONUS or zone-1. Without a ZIP code, the state's rates apply
 * to it.
 */
export type ShippingPlace = ShippingZoneKey | { readonly state: string; readonly zip: string | null }

/** A region, or a named zone that the store added. */
type Zone = { key: ShippingZoneKey; region: DeliveryRegion; name: string | null; rates: ZoneRates }

const regionZone = ({ zones }: ShippingRates, region: DeliveryRegion): Zone => ({
  key: region,
  region,
  name: null,
  rates: zones[region],
})

const isRegion = (key: ShippingZoneKey): key is DeliveryRegion => !key.startsWith('zone-')

/** The zone that a place is in. */
function zoneOf(rates: ShippingRates, place: ShippingPlace): Zone {
  const { zones } = rates.plan
  if (typeof place === 'string') {
    if (isRegion(place)) return regionZone(rates, place)
    const named = zones.find((zone) => zoneKey(zone) === place)
    return named ? namedZone(named, partsOf(named)[0]?.region ?? 'CONUS') : regionZone(rates, 'CONUS')
  }
  const region = regionOf(place.state)
  const named = zoneWithZip(zones, place.zip) ?? zones.find(({ states }) => states.includes(place.state))
  return named ? namedZone(named, region) : regionZone(rates, region)
}

const namedZone = (zone: StoreZone, region: DeliveryRegion): Zone => ({
  key: zoneKey(zone),
  region,
  name: zone.name,
  rates: zone,
})

/** The zone with the most exact range of a ZIP code. */
function zoneWithZip(zones: readonly StoreZone[], zip: string | null): StoreZone | undefined {
  if (zip === null) return undefined
  return zones
    .flatMap((zone) => zone.zips.filter((range) => hasZip(range, zip)).map((range) => ({ zone, range })))
    .toSorted((one, other) => zipRangeDigits(other.range) - zipRangeDigits(one.range))[0]?.zone
}

/** The zone of a place, as exceptions name it. */
export function shippingZoneOf(
  rates: ShippingRates,
  place: ShippingPlace,
): { key: ShippingZoneKey; name: string | null } {
  const { key, name } = zoneOf(rates, place)
  return { key, name }
}

/** The states and ZIP codes of a zone, by region. */
function partsOf({ states, zips }: StoreZone): Omit<ShippingArea, 'place'>[] {
  return [
    ...[...Map.groupBy(states, regionOf)].map(([region, ofRegion]) => ({ region, states: ofRegion, zips: [] })),
    ...[...Map.groupBy(zips.flatMap(zipsByRegion), ({ region }) => region)].map(([region, ranges]) => ({
      region,
      states: [],
      zips: ranges.map(({ range }) => range),
    })),
  ]
}

/** Whether the same rates apply to both places. */
export function isSameZone(rates: ShippingRates, one: ShippingPlace, other: ShippingPlace): boolean {
  return zoneOf(rates, one).key === zoneOf(rates, other).key
}

/** Whether every tire ships free in all contiguous states, so that copy may say so. */
export function isShippingFree(rates: ShippingRates): boolean {
  return shippingAreas(rates)
    .filter(({ region }) => region === 'CONUS')
    .every(({ place }) => isShippingFreeIn(rates, place))
}

/** Whether every tire ships free to a place. */
export function isShippingFreeIn(rates: ShippingRates, place: ShippingPlace): boolean {
  const zone = zoneOf(rates, place)
  return isZoneFree(zone.rates) && !exceptionsIn(rates, zone, 'rate').some(({ cents }) => cents > 0)
}

function isZoneFree({ perTireCents, oversizePerTireCents, handlingCents }: ZoneRates): boolean {
  return perTireCents + oversizePerTireCents + handlingCents === 0
}

/** The exceptions of a kind in a zone, the most specific first. */
function exceptionsIn({ plan }: ShippingRates, { key }: Zone, kind: ShippingException['kind']): ShippingException[] {
  return plan.exceptions
    .filter((exception) => exception.kind === kind && (exception.where === null || exception.where === key))
    .toSorted(
      (one, other) =>
        (other.aboveLb ?? 0) - (one.aboveLb ?? 0) || Number(one.where === null) - Number(other.where === null),
    )
}

/** An area with the same rates, with states or ranges of ZIP codes. */
export type ShippingArea = {
  place: ShippingZoneKey
  region: DeliveryRegion
  states: readonly string[]
  zips: readonly string[]
}

/**
 * Returns areas with the same rates and delivery times. Leaves out territories without a zone. ZIP codes come before
 * states, and the rates of `place` apply in the rest of the area.
 */
export function shippingAreas({ plan }: ShippingRates): ShippingArea[] {
  const taken = new Set(plan.zones.flatMap(({ states }) => states))
  const areas = [
    { place: 'CONUS', region: 'CONUS', states: contiguousStates.filter((state) => !taken.has(state)), zips: [] },
    ...(['AK', 'HI'] as const).map((region) => ({
      place: region,
      region,
      states: taken.has(region) ? [] : [region],
      zips: [],
    })),
    ...plan.zones.flatMap((zone) => partsOf(zone).map((part) => ({ place: zoneKey(zone), ...part }))),
  ] satisfies ShippingArea[]
  return areas.filter(({ states, zips }) => states.length + zips.length > 0)
}

/** Tires as shipping prices them. `unitCents` is the retail price before discounts. */
type ShippedTires = { readonly quantity: number; readonly weightLb: number; readonly unitCents: number }

/** Returns whether tires reach their zone's total for free shipping. */
function isFreeOrder({ freeFromCents }: ZoneRates, tires: readonly ShippedTires[]): boolean {
  if (freeFromCents === null) return false
  return tires.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0) >= freeFromCents
}

/** Returns a zone's total for free shipping in cents, or null without a total or if the zone always ships free. */
export function freeFromCentsIn(rates: ShippingRates, place: ShippingPlace): number | null {
  const zone = zoneOf(rates, place).rates
  return isZoneFree(zone) ? null : zone.freeFromCents
}

/** Returns "with tires for $600 or more". */
export function freeFromText(cents: number): string {
  return `with tires for ${formatCents(cents).replace(/\.00$/, '')} or more`
}

type ShippingUnit = 'tire' | 'order'
type ChargeKind = 'shipping' | 'oversize' | 'exception' | 'handling'
type ShippingRate<Kind = ChargeKind | 'discount'> = {
  /** A region, the name of a zone, or "Everywhere". */
  zone: string
  kind: Kind
  unit: ShippingUnit
  cents: number
  reason: string
}
/** A cart's shipping rate with the number of charged units. */
type ShippingCharge = Omit<ShippingRate<ChargeKind>, 'zone'> & { units: number; totalCents: number }

export const unitWords: Readonly<Record<ShippingUnit, string>> = { tire: 'per tire', order: 'per order' }

const ways: Readonly<Record<DeliveryRegion, string>> = {
  CONUS: 'In the contiguous US, to a shop, your home or a pickup location',
  AK: 'By sea or air from the nearest warehouse',
  HI: 'By sea from the West Coast',
  TERRITORY: 'By sea from the nearest port',
}

/** Every rate of every region and zone, and every exception. */
export function shippingTable(rates: ShippingRates): ShippingRate[] {
  const { zones, plan } = rates
  const all = [
    ...(Object.keys(zones) as DeliveryRegion[]).map((region) => regionZone(rates, region)),
    ...plan.zones.map((zone) => zoneOf(rates, zoneKey(zone))),
  ]
  return [
    ...all.flatMap((zone) => zoneTable(rates, zone)),
    ...plan.exceptions.map((exception): ShippingRate => ({
      zone: whereText(exception.where, plan),
      kind: exception.kind === 'rate' ? 'exception' : 'discount',
      unit: 'tire',
      cents: exception.cents,
      reason: tiresText(exception),
    })),
  ]
}

function zoneTable(rates: ShippingRates, zone: Zone): ShippingRate[] {
  const { perTireCents, oversizePerTireCents, handlingCents } = zone.rates
  const row = { zone: zone.name ?? zone.region }
  return [
    { ...row, kind: 'shipping', unit: 'tire', cents: perTireCents, reason: shippingReason(zone) },
    { ...row, kind: 'oversize', unit: 'tire', cents: oversizePerTireCents, reason: oversizeReason(rates) },
    { ...row, kind: 'handling', unit: 'order', cents: handlingCents, reason: handlingReason(handlingCents) },
  ]
}

function shippingReason({ region, rates }: Zone): string {
  const from = isZoneFree(rates) ? null : rates.freeFromCents
  return from === null ? ways[region] : `${ways[region]}. Free ${freeFromText(from)}`
}

function oversizeReason({ oversizeAboveLb }: ShippingRates): string {
  return `Carriers ask more for a tire over ${oversizeAboveLb} lb`
}

function handlingReason(cents: number): string {
  return cents === 0 ? 'In the price of the tires' : 'Once per order'
}

/** "Tires over 100 lb", with the discount of an exception that lowers the zone's rate. */
function exceptionReason(exception: ShippingException): string {
  const tires = tiresText(exception)
  return exception.kind === 'less' ? `${tires}, ${exceptionRateText(exception)}` : tires
}

/**
 * Returns the shipping charges for `tires` to a place, row by row. An exception with a rate comes before the zone's rates,
 * even if the order ships free. A free order has one row for its other tires.
 */
export function itemizeShipping(
  rates: ShippingRates,
  place: ShippingPlace,
  tires: readonly ShippedTires[],
): ShippingCharge[] {
  const zone = zoneOf(rates, place)
  const [fixed, lowered] = [exceptionsIn(rates, zone, 'rate'), exceptionsIn(rates, zone, 'less')]
  const isFree = isFreeOrder(zone.rates, tires)
  const charges: ShippingCharge[] = []
  const add = (kind: ChargeKind, units: number, cents: number, reason: string) => {
    const same = charges.find((charge) => charge.kind === kind && charge.cents === cents && charge.reason === reason)
    if (same) Object.assign(same, { units: same.units + units, totalCents: same.totalCents + units * cents })
    else
      charges.push({
        kind,
        unit: kind === 'handling' ? 'order' : 'tire',
        units,
        cents,
        totalCents: units * cents,
        reason,
      })
  }
  for (const { quantity, weightLb } of tires) {
    const applies = ({ aboveLb }: ShippingException) => aboveLb === null || weightLb > aboveLb
    const exception = fixed.find(applies)
    if (exception) {
      add('exception', quantity, exception.cents, exceptionReason(exception))
      continue
    }
    const less = lowered.find(applies)
    const { perTireCents, oversizePerTireCents } = isFree ? freeRates : zone.rates
    const reason = less && perTireCents > 0 ? `${shippingReason(zone)}. ${exceptionReason(less)}` : shippingReason(zone)
    add('shipping', quantity, Math.max(0, perTireCents - (less?.cents ?? 0)), reason)
    if (weightLb > rates.oversizeAboveLb && !isFree)
      add(
        'oversize',
        quantity,
        Math.max(0, oversizePerTireCents - Math.max(0, (less?.cents ?? 0) - perTireCents)),
        oversizeReason(rates),
      )
  }
  if (!isFree && tires.length > 0)
    add('handling', 1, zone.rates.handlingCents, handlingReason(zone.rates.handlingCents))
  return charges.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

const freeRates = { perTireCents: 0, oversizePerTireCents: 0 }
const order: readonly ChargeKind[] = ['shipping', 'oversize', 'exception', 'handling']

/** Returns the cost of shipping in cents. */
export function priceShipping(
  rates: ShippingRates,
  place: ShippingPlace,
  tires: readonly ShippedTires[],
): { totalCents: number } {
  return { totalCents: itemizeShipping(rates, place, tires).reduce((sum, { totalCents }) => sum + totalCents, 0) }
}
