/** Shipping costs by region, with unit and reason. Totals are from `priceShipping`. Pure. */
import type { Place } from '#domain/places/places.ts'

/**
 * The contiguous states, Alaska, Hawaii and the territories. Military post offices are a region of the ZIP table, but
 * never a destination.
 */
export type DeliveryRegion = Exclude<Place['region'], 'MILITARY'>

/**
 * Cents per tire. There is no handling fee, because a mandatory one would have to be in the advertised price
 * (California SB 478).
 */
export const shippingRates: Readonly<Record<DeliveryRegion, { perTireCents: number; oversizePerTireCents: number }>> = {
  CONUS: { perTireCents: 0, oversizePerTireCents: 0 },
  AK: { perTireCents: 2_475, oversizePerTireCents: 1_500 },
  HI: { perTireCents: 2_975, oversizePerTireCents: 1_500 },
  TERRITORY: { perTireCents: 3_475, oversizePerTireCents: 2_000 },
}
/** Carriers treat a heavier tire as oversize. */
export const oversizeAboveLb = 60

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
  CONUS: 'Free in the contiguous US, to a shop, your home or a pickup location',
  AK: 'By sea or air from the nearest warehouse',
  HI: 'By sea from the West Coast',
  TERRITORY: 'By sea from the nearest port',
}

/** All regions' rates. Handling isn't charged separately, because a mandatory fee belongs in the price. */
export const shippingTable: readonly ShippingRate[] = (
  Object.entries(shippingRates) as [DeliveryRegion, (typeof shippingRates)[DeliveryRegion]][]
).flatMap(([region, { perTireCents, oversizePerTireCents }]): ShippingRate[] => [
  { region, kind: 'shipping', unit: 'tire', cents: perTireCents, reason: ways[region] },
  {
    region,
    kind: 'oversize',
    unit: 'tire',
    cents: oversizePerTireCents,
    reason: `Carriers ask more for a tire over ${oversizeAboveLb} lb`,
  },
  { region, kind: 'handling', unit: 'order', cents: 0, reason: 'In the price of the tires' },
])

/** What shipping `tires` to a region costs, row by row; oversize only where a tire is. */
export function itemizeShipping(
  region: DeliveryRegion,
  tires: readonly { quantity: number; weightLb: number }[],
): ShippingCharge[] {
  const sum = (of: readonly { quantity: number }[]) => of.reduce((units, { quantity }) => units + quantity, 0)
  const heavy = sum(tires.filter(({ weightLb }) => weightLb > oversizeAboveLb))
  const units = { shipping: sum(tires), oversize: heavy, handling: 1 }
  return shippingTable
    .filter((rate) => rate.region === region && (rate.kind !== 'oversize' || heavy > 0))
    .map((rate) => ({ ...rate, units: units[rate.kind], totalCents: units[rate.kind] * rate.cents }))
}

/**
 * Returns the cost of shipping in cents: free within the contiguous states, elsewhere an amount per tire plus one per
 * oversize tire.
 */
export function priceShipping(
  region: DeliveryRegion,
  tires: readonly { quantity: number; weightLb: number }[],
): { baseCents: number; oversizeCents: number; totalCents: number } {
  const rate = shippingRates[region]
  let baseCents = 0
  let oversizeCents = 0
  for (const { quantity, weightLb } of tires) {
    baseCents += quantity * rate.perTireCents
    if (weightLb > oversizeAboveLb) oversizeCents += quantity * rate.oversizePerTireCents
  }
  return { baseCents, oversizeCents, totalCents: baseCents + oversizeCents }
}
