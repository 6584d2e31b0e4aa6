/** Shipping costs by region, with unit and reason. Totals are from `priceShipping`. Pure. */
import type { DeliveryRegion, ShippingRates, ZoneRates } from '#domain/kernel/rates/rates.ts'
import { formatCents } from '#platform/money.ts'

/** Whether every tire ships free in the contiguous states, so that copy may say so. */
export function isShippingFree({ zones: { CONUS } }: ShippingRates): boolean {
  return CONUS.perTireCents === 0 && CONUS.oversizePerTireCents === 0 && CONUS.handlingCents === 0
}

/** Tires as shipping prices them. `unitCents` is the retail price before discounts. */
type ShippedTires = { readonly quantity: number; readonly weightLb: number; readonly unitCents: number }

/** Returns whether tires reach their zone's total for free shipping. */
function isFreeOrder({ freeFromCents }: ZoneRates, tires: readonly ShippedTires[]): boolean {
  if (freeFromCents === null) return false
  return tires.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0) >= freeFromCents
}

/** Returns a zone's total for free shipping in cents, or null without a total or if the zone always ships free. */
export function freeFromCentsIn({ zones }: ShippingRates, region: DeliveryRegion): number | null {
  const { perTireCents, oversizePerTireCents, handlingCents, freeFromCents } = zones[region]
  return perTireCents + oversizePerTireCents + handlingCents > 0 ? freeFromCents : null
}

/** Returns "with tires for $600 or more". */
export function freeFromText(cents: number): string {
  return `with tires for ${formatCents(cents).replace(/\.00$/, '')} or more`
}

type ShippingUnit = 'tire' | 'order'
type ShippingRate = {
  region: DeliveryRegion
  kind: 'shipping' | 'oversize' | 'handling'
  unit: ShippingUnit
  cents: number
  reason: string
}
/** A cart's shipping rate with the number of charged units. */
type ShippingCharge = ShippingRate & { units: number; totalCents: number }

export const unitWords: Readonly<Record<ShippingUnit, string>> = { tire: 'per tire', order: 'per order' }

const ways: Readonly<Record<DeliveryRegion, string>> = {
  CONUS: 'In the contiguous US, to a shop, your home or a pickup location',
  AK: 'By sea or air from the nearest warehouse',
  HI: 'By sea from the West Coast',
  TERRITORY: 'By sea from the nearest port',
}

/** Every rate of every region. */
export function shippingTable(rates: ShippingRates): ShippingRate[] {
  const { zones, oversizeAboveLb } = rates
  return (Object.entries(zones) as [DeliveryRegion, ZoneRates][]).flatMap(
    ([region, { perTireCents, oversizePerTireCents, handlingCents }]): ShippingRate[] => [
      { region, kind: 'shipping', unit: 'tire', cents: perTireCents, reason: shippingReason(rates, region) },
      {
        region,
        kind: 'oversize',
        unit: 'tire',
        cents: oversizePerTireCents,
        reason: `Carriers ask more for a tire over ${oversizeAboveLb} lb`,
      },
      {
        region,
        kind: 'handling',
        unit: 'order',
        cents: handlingCents,
        reason: handlingCents === 0 ? 'In the price of the tires' : 'Once per order',
      },
    ],
  )
}

function shippingReason(rates: ShippingRates, region: DeliveryRegion): string {
  const cents = freeFromCentsIn(rates, region)
  return cents === null ? ways[region] : `${ways[region]}. Free ${freeFromText(cents)}`
}

/** What shipping `tires` to a region costs, row by row; oversize only where a tire is. One row if the order ships free. */
export function itemizeShipping(
  rates: ShippingRates,
  region: DeliveryRegion,
  tires: readonly ShippedTires[],
): ShippingCharge[] {
  const isFree = isFreeOrder(rates.zones[region], tires)
  const sum = (of: readonly { quantity: number }[]) => of.reduce((units, { quantity }) => units + quantity, 0)
  const heavy = sum(tires.filter(({ weightLb }) => weightLb > rates.oversizeAboveLb))
  const units = { shipping: sum(tires), oversize: heavy, handling: 1 }
  return shippingTable(rates)
    .filter((rate) => rate.region === region && units[rate.kind] > 0 && (rate.kind === 'shipping' || !isFree))
    .map((rate) => (isFree ? { ...rate, cents: 0 } : rate))
    .map((rate) => ({ ...rate, units: units[rate.kind], totalCents: units[rate.kind] * rate.cents }))
}

/**
 * Returns the cost of shipping in cents, with an amount per tire, one per oversize tire, and one per order for
 * handling. Free for no tires, and from a zone's total for free shipping on.
 */
export function priceShipping(
  { zones, oversizeAboveLb }: ShippingRates,
  region: DeliveryRegion,
  tires: readonly ShippedTires[],
): { baseCents: number; oversizeCents: number; handlingCents: number; totalCents: number } {
  const rate = zones[region]
  if (isFreeOrder(rate, tires)) return { baseCents: 0, oversizeCents: 0, handlingCents: 0, totalCents: 0 }
  let baseCents = 0
  let oversizeCents = 0
  for (const { quantity, weightLb } of tires) {
    baseCents += quantity * rate.perTireCents
    if (weightLb > oversizeAboveLb) oversizeCents += quantity * rate.oversizePerTireCents
  }
  const handlingCents = tires.length > 0 ? rate.handlingCents : 0
  return { baseCents, oversizeCents, handlingCents, totalCents: baseCents + oversizeCents + handlingCents }
}
