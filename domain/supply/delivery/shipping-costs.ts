/** Shipping costs by region, with unit and reason. Totals are from `priceShipping`. Pure. */
import type { DeliveryRegion, ShippingRates, ZoneRates } from '#domain/kernel/rates/rates.ts'

/** Whether every tire ships free in the contiguous states, so that copy may say so. */
export function isShippingFree({ zones: { CONUS } }: ShippingRates): boolean {
  return CONUS.perTireCents === 0 && CONUS.oversizePerTireCents === 0 && CONUS.handlingCents === 0
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
export function shippingTable({ zones, oversizeAboveLb }: ShippingRates): ShippingRate[] {
  return (Object.entries(zones) as [DeliveryRegion, ZoneRates][]).flatMap(
    ([region, { perTireCents, oversizePerTireCents, handlingCents }]): ShippingRate[] => [
      { region, kind: 'shipping', unit: 'tire', cents: perTireCents, reason: ways[region] },
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

/** What shipping `tires` to a region costs, row by row; oversize only where a tire is. */
export function itemizeShipping(
  rates: ShippingRates,
  region: DeliveryRegion,
  tires: readonly { quantity: number; weightLb: number }[],
): ShippingCharge[] {
  const sum = (of: readonly { quantity: number }[]) => of.reduce((units, { quantity }) => units + quantity, 0)
  const heavy = sum(tires.filter(({ weightLb }) => weightLb > rates.oversizeAboveLb))
  const units = { shipping: sum(tires), oversize: heavy, handling: 1 }
  return shippingTable(rates)
    .filter((rate) => rate.region === region && (rate.kind !== 'oversize' || heavy > 0))
    .map((rate) => ({ ...rate, units: units[rate.kind], totalCents: units[rate.kind] * rate.cents }))
}

/**
 * Returns the cost of shipping in cents, with an amount per tire, one per oversize tire, and one per order for
 * handling. Free for no tires.
 */
export function priceShipping(
  { zones, oversizeAboveLb }: ShippingRates,
  region: DeliveryRegion,
  tires: readonly { quantity: number; weightLb: number }[],
): { baseCents: number; oversizeCents: number; handlingCents: number; totalCents: number } {
  const rate = zones[region]
  let baseCents = 0
  let oversizeCents = 0
  for (const { quantity, weightLb } of tires) {
    baseCents += quantity * rate.perTireCents
    if (weightLb > oversizeAboveLb) oversizeCents += quantity * rate.oversizePerTireCents
  }
  const handlingCents = tires.length > 0 ? rate.handlingCents : 0
  return { baseCents, oversizeCents, handlingCents, totalCents: baseCents + oversizeCents + handlingCents }
}
