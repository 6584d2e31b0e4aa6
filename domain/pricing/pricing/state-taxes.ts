import { STATE_RATES } from './state-rates.ts'
import { taxabilityOf } from './state-taxability.ts'
import type { TaxableKind, TaxPart, TaxRule, TireFeeBand } from './tax-rule.ts'

/** A rule that staff set for a state. It replaces the built-in one. */
export type StateTaxEdit = {
  readonly startsOn: string
  readonly ratePpm: number
  readonly tireFee: readonly TireFeeBand[]
  /** The fee's name on receipts; null for the state's name and "tire fee". */
  readonly tireFeeName: string | null
  readonly taxed: readonly TaxableKind[]
  readonly source: string
}

/** A rule of the built-in table, with its source. */
export type StateTaxRule = TaxRule & {
  /** First day of this rule, `YYYY-MM-DD`. */
  readonly validFrom: string
  readonly source: string
  /**
   * Sources by taxable kind. Flags without a source follow the usual reading of the state's law and aren't confirmed
   * against the state's text.
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
  edit?: StateTaxEdit,
): StateTaxRule | null {
  const rule = taxRuleFor(stateCode, date, edit)
  if (!rule) return null
  const taxed = parts.filter(({ ratePpm }) => ratePpm > 0)
  const ratePpm = taxed.reduce((sum, part) => sum + part.ratePpm, 0)
  const { taxable, sources } = flagsOf(stateCode, ratePpm > 0, edit)
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
 * and for dates before its first row. `edit` is what staff set, which applies in its place.
 */
export function taxRuleFor(stateCode: string, date: Temporal.PlainDate, edit?: StateTaxEdit): StateTaxRule | null {
  const day = date.toString()
  const rate = STATE_RATES.findLast((row) => row.code === stateCode && row.validFrom <= day)
  if (!rate) return null
  const { ratePpm, tireFee, source } = edit ?? rate
  const { taxable, sources } = flagsOf(rate.code, ratePpm > 0, edit)
  return {
    stateCode: rate.code,
    stateName: rate.name,
    ratePpm,
    basis: 'state-base',
    tireFee,
    ...(edit?.tireFeeName && { tireFeeName: edit.tireFeeName }),
    taxable,
    tireFeeRefundable: true,
    validFrom: edit?.startsOn ?? rate.validFrom,
    source,
    taxableSources: sources,
  }
}

/** The charges that a state taxes where it has a sales tax, also if its own rate is zero. */
export function taxedIn(stateCode: string): TaxableKind[] {
  const { taxable } = taxabilityOf(stateCode, true)
  return (Object.keys(taxable) as TaxableKind[]).filter((kind) => taxable[kind])
}

function flagsOf(code: string, hasSalesTax: boolean, edit: StateTaxEdit | undefined): ReturnType<typeof taxabilityOf> {
  const usual = taxabilityOf(code, hasSalesTax)
  if (!edit) return usual
  const flags = (Object.keys(usual.taxable) as TaxableKind[]).map(
    (kind) => [kind, hasSalesTax && edit.taxed.includes(kind)] as const,
  )
  return { taxable: Object.fromEntries(flags) as Record<TaxableKind, boolean>, sources: {} }
}
