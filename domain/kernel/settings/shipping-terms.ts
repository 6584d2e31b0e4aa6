/** The shipping rates among the business terms, with an amount of each kind per zone. Safe in the browser. */
import { standardShippingRates, type DeliveryRegion } from '#domain/kernel/rates/rates.ts'

/** The zones of shipping rates, as the names of terms have them. */
export const shippingZones = {
  conus: { region: 'CONUS', label: 'Contiguous US', note: '48 states and DC' },
  ak: { region: 'AK', label: 'Alaska', note: 'Sea or air' },
  hi: { region: 'HI', label: 'Hawaii', note: 'Sea' },
  territory: { region: 'TERRITORY', label: 'Territories', note: 'PR, VI, GU, AS, MP' },
} as const satisfies Record<string, { region: DeliveryRegion; label: string; note: string }>
export type ShippingZone = keyof typeof shippingZones

/** The amounts of a zone. */
export const shippingAmounts = {
  tire: 'Per tire',
  oversize: 'Oversize, per tire',
  handling: 'Handling, per order',
  'free-from': 'Free from',
} as const
export type ShippingAmount = keyof typeof shippingAmounts

export type ShippingTerm = `shipping-${ShippingZone}-${ShippingAmount}-cents`

/** The term of an amount in a zone. */
export function shippingTerm(zone: ShippingZone, amount: ShippingAmount): ShippingTerm {
  return `shipping-${zone}-${amount}-cents`
}

type RateTerm = {
  group: 'shipping'
  label: string
  unit: 'cents'
  min: number
  max: number
  standard: number
  zeroText?: string
}

const zones = Object.keys(shippingZones) as ShippingZone[]
const amounts = Object.keys(shippingAmounts) as ShippingAmount[]

/** The shipping rates as business terms. */
export const shippingTerms = Object.fromEntries(
  zones.flatMap((zone) =>
    amounts.map((amount): [ShippingTerm, RateTerm] => {
      const standard = standardShippingRates.zones[shippingZones[zone].region]
      return [
        shippingTerm(zone, amount),
        {
          group: 'shipping',
          label: `${shippingZones[zone].label}: ${shippingAmounts[amount].toLowerCase()}`,
          unit: 'cents',
          ...(amount === 'free-from' ? { min: 100, max: 9_999_999, zeroText: 'Never' } : { min: 0, max: 99_999 }),
          standard: {
            tire: standard.perTireCents,
            oversize: standard.oversizePerTireCents,
            handling: standard.handlingCents,
            'free-from': standard.freeFromCents ?? 0,
          }[amount],
        },
      ]
    }),
  ),
) as Record<ShippingTerm, RateTerm>
