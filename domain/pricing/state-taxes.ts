import { STATE_RATES } from './state-rates.ts'
import { taxabilityOf } from './state-taxability.ts'
import type { TaxableKind, TaxPart, TaxRule } from './tax-rule.ts'

/** A rule of the built-in table, with its source. */
export type StateTaxRule = TaxRule & {
  /** First day of this rule, `YYYY-MM-DD`. */
  readonly validFrom: string
  readonly source: string
  /**
   * Sources by taxable kind. Flags without a source follow the usual reading of the state's law and aren't confirmed
   * against its text.
   */
  readonly taxableSources: Readonly<Partial<Record<TaxableKind, string>>>
}

/** The built-in rules of all states on a day, by code. */
export function stateTaxRules(date: Temporal.PlainDate): StateTaxRule[] {
  const codes = new Set(STATE_RATES.map(({ code }) => code))
  return [...codes].toSorted().flatMap((code) => taxRuleFor(code, date) ?? [])
}

/** A row of imported rates, either for a ZIP code with its parts or for a whole state. */
export type ImportedRates = {
  readonly scope: 'zip' | 'state'
  readonly parts: readonly TaxPart[]
  readonly source: string
}

/**
 * Returns the tax rule of a location with imported rates and the state's own tire fee and flags. `null` if `taxRuleFor`
 * doesn't support the state.
 */
export function importedTaxRule(
  stateCode: string,
  date: Temporal.PlainDate,
  { scope, parts, source }: ImportedRates,
): StateTaxRule | null {
  const rule = taxRuleFor(stateCode, date)
  if (!rule) return null
  const taxed = parts.filter(({ ratePpm }) => ratePpm > 0)
  const ratePpm = taxed.reduce((sum, part) => sum + part.ratePpm, 0)
  const { taxable, sources } = taxabilityOf(stateCode, ratePpm > 0)
  return {
    ...rule,
    ratePpm,
    basis: scope === 'zip' ? 'destination' : 'state-base',
    taxable,
    taxableSources: sources,
    source,
    ...(scope === 'zip' && { parts: taxed }),
  }
}

/**
 * Returns the built-in rule of a state, the District or a territory on a day: an estimate from state base rates, not
 * tax advice. `null` for codes that aren't in the table (the military mail codes AA, AE and AP, which we don't ship to)
 * and for dates before its first row.
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
