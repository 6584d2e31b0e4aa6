/**
 * Everything a state may tax on a tire order, including line kinds, the federal excise tax in the price, and the
 * state's tire fee.
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
 * A fee on each new tire with a rim smaller than `belowRimInches` (`null`: any rim): a number of cents, or a rate of
 * what the seller receives for the tire, at most `capCents`.
 */
export type TireFeeBand = { readonly belowRimInches: number | null } & (
  | { readonly cents: number }
  | { readonly ratePpm: number; readonly capCents: number | null }
)

/** One jurisdiction's part of the rate of a place. */
export type TaxPart = {
  readonly level: 'state' | 'county' | 'city' | 'special'
  readonly name: string
  readonly ratePpm: number
}

/** What pricing needs to know about the place of delivery. A tax service may fill it with an address's exact rate. */
export type TaxRule = {
  readonly stateCode: string
  readonly stateName: string
  /** The location's rate. It is the sum of its parts if they are known. */
  readonly ratePpm: number
  /** The parts of the rate, those above zero; missing where only the state's is known. */
  readonly parts?: readonly TaxPart[]
  /** `state-base`: without county, city and district taxes, so the summary calls it estimated. */
  readonly basis: 'state-base' | 'destination'
  /** Smallest rim first, and the first matching band applies. Empty if the state has no tire fee. */
  readonly tireFee: readonly TireFeeBand[]
  /** The fee's name on receipts, where staff set another than the state's name and "tire fee". */
  readonly tireFeeName?: string
  readonly taxable: Readonly<Record<TaxableKind, boolean>>
  /** Whether the state allows refunding the fee with a returned tire. */
  readonly tireFeeRefundable: boolean
}
