import { EXCISE_FREE_LOAD_LB } from '#platform/business-constants.ts'
import { roundHalfUp } from '#platform/money.ts'
import { isTire, type PriceLine } from './price-line.ts'

/**
 * 26 U.S.C. 4071(a): 9.45 cents for each 10 lb of maximum rated load over 3,500 lb; half of it on bias-ply and super
 * single tires.
 */
const MILLICENTS_PER_LB = 945

/** 26 U.S.C. 4071(d), as amended by Pub. L. 117-58: the tax does not apply on and after this day. */
const ENDS_ON = '2028-10-01'

export type TireForExciseTax = {
  /** Maximum rated load of one tire, single fitment, in whole pounds. */
  readonly maxLoadLb: number
  readonly construction: 'radial' | 'bias-ply' | 'super-single'
  /**
   * The tax on the supplier's invoice for one tire, which overrides our calculation; `null` if the invoice does not
   * state it.
   */
  readonly supplierCents: number | null
  /** Sold for the exclusive use of the Department of Defense or the Coast Guard: exempt (26 U.S.C. 4073). */
  readonly forDefenseUse: boolean
}

/** Returns the federal excise tax on one tire in cents, rounded half up, on the day of sale. */
export function federalExciseTaxCents(tire: TireForExciseTax, date: Temporal.PlainDate): number {
  if (tire.forDefenseUse || date.toString() >= ENDS_ON) return 0
  if (tire.supplierCents !== null) return tire.supplierCents
  const taxedLb = Math.max(0, tire.maxLoadLb - EXCISE_FREE_LOAD_LB)
  return roundHalfUp(taxedLb * MILLICENTS_PER_LB, tire.construction === 'radial' ? 1000 : 2000)
}

/** Step 7: adds the excise tax to each tire line, never discounted. */
export function addFederalExciseTax(lines: readonly PriceLine[]): PriceLine[] {
  return lines.map((line) => (isTire(line) ? { ...line, fetCents: line.fetUnitCents * line.quantity } : line))
}
