import { STATE_RATES } from './state-rates.ts'
import { taxabilityOf } from './state-taxability.ts'
import type { TaxableKind, TaxRule } from './tax-rule.ts'

/** A rule of the built-in table, with its source. */
export type StateTaxRule = TaxRule & {
  /** First day of this rule, `YYYY-MM-DD`. */
  readonly validFrom: string
  readonly source: string
  /**
   * By taxable kind, where a source was found; the other flags are the usual reading of the state's law, not confirmed
   * against its text.
   */
  readonly taxableSources: Readonly<Partial<Record<TaxableKind, string>>>
}

/**
 * Returns the built-in rule of a state, the District or a territory on a day: an estimate from state base rates, not
 * tax advice. `null` for a code not in the table (the military mail codes AA, AE and AP, where we do not ship) and for
 * days before the table begins.
 */
export function taxRuleFor(stateCode: string, date: Temporal.PlainDate): StateTaxRule | null {
  const day = date.toString()
  const rate = STATE_RATES.findLast((row) => row.code === stateCode && row.validFrom <= day)
  if (!rate) return null
  const { taxable, sources } = taxabilityOf(rate.code, rate.ratePpm > 0)
  return {
    stateCode: rate.code,
    stateName: rate.name,
    ratePpm: rate.ratePpm,
    basis: 'state-base',
    tireFee: rate.tireFee,
    taxable,
    tireFeeRefundable: true,
    validFrom: rate.validFrom,
    source: rate.source,
    taxableSources: sources,
  }
}
