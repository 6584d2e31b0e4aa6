/**
 * Everything a state may tax on a tire order: a kind of line, the federal excise tax in the price, and its own tire
 * fee.
 */
export type TaxableKind =
  | 'tire'
  | 'coverage'
  | 'installation'
  | 'service-kit'
  | 'disposal'
  | 'roadside'
  | 'shipping'
  | 'fet'
  | 'tire-fee'

/**
 * A fee on each new tire whose rim is smaller than `belowRimInches` (`null`: any rim): so many cents, or a rate of what
 * the seller receives for the tire, at most `capCents`.
 */
export type TireFeeBand = { readonly belowRimInches: number | null } & (
  | { readonly cents: number }
  | { readonly ratePpm: number; readonly capCents: number | null }
)

/** What pricing needs to know of the place of delivery. A tax service may fill it with the exact rate of an address. */
export type TaxRule = {
  readonly stateCode: string
  readonly stateName: string
  readonly ratePpm: number
  /** `state-base`: without county, city and district taxes, so the summary calls it estimated. */
  readonly basis: 'state-base' | 'destination'
  /** Smallest rim first; the first band that fits counts; empty where the state has no such fee. */
  readonly tireFee: readonly TireFeeBand[]
  readonly taxable: Readonly<Record<TaxableKind, boolean>>
  /** Whether the state lets the fee be given back with a returned tire. */
  readonly tireFeeRefundable: boolean
}
