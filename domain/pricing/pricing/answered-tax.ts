import { totalsOf, type PriceBreakdown } from './price-breakdown.ts'
import { withStateRows } from './retax.ts'
import { taxabilityOf } from './state-taxability.ts'
import { taxableCents, taxedParts } from './step-8-sales-tax.ts'
import type { TaxPart, TaxRule } from './tax-rule.ts'

/** A line sent to the tax provider. */
export type TaxedAmount = {
  readonly lineId: string
  readonly kind: PriceBreakdown['lines'][number]['kind']
  readonly quantity: number
  /** What is charged for the line, with the excise tax and fee that the state taxes with it. */
  readonly amountCents: number
  /** By the state's flags. */
  readonly isTaxable: boolean
}

/** The tax on each line by line id, with the taxing jurisdictions. */
export type AnsweredTax = {
  readonly lines: readonly { readonly lineId: string; readonly taxCents: number }[]
  readonly parts: readonly (TaxPart & { readonly cents: number })[]
}

/**
 * Returns the lines of a price to send to the tax provider, skipping free ones. The state's flags determine taxability.
 * A state without a sales tax may have city taxes, so goods are sent anyway.
 */
export function taxAsk({ lines }: PriceBreakdown, rule: TaxRule): TaxedAmount[] {
  const asked = askedRule(rule)
  return lines.flatMap((line) => {
    const taxedCents = taxableCents(line, asked)
    const amountCents = taxedCents > 0 ? taxedCents : line.netCents
    return amountCents > 0
      ? [{ lineId: line.id, kind: line.kind, quantity: line.quantity, amountCents, isTaxable: taxedCents > 0 }]
      : []
  })
}

function askedRule(rule: TaxRule): TaxRule {
  return { ...rule, taxable: taxabilityOf(rule.stateCode, true).taxable }
}

/**
 * Applies the tax provider's response for `taxAsk` to a price. Throws if the response is missing a taxable line,
 * because a missing tax is never zero.
 */
export function answered(priced: PriceBreakdown, rule: TaxRule, answer: AnsweredTax): PriceBreakdown {
  const asked = askedRule(rule)
  const taxes = new Map(answer.lines.map(({ lineId, taxCents }) => [lineId, taxCents]))
  const ratePpm = answer.parts.reduce((sum, part) => sum + part.ratePpm, 0)
  const lines = priced.lines.map((line) => {
    const baseCents = taxableCents(line, asked)
    const taxCents = taxes.get(line.id)
    if (taxCents === undefined && baseCents > 0) throw new RangeError(`There is no tax for ${line.id}`)
    return { ...line, taxableCents: ratePpm > 0 ? baseCents : 0, taxCents: taxCents ?? 0 }
  })
  const taxed: PriceBreakdown = {
    ...priced,
    lines,
    totals: totalsOf(lines),
    tax: { ...priced.tax, basis: 'destination', ratePpm, on: taxedParts(lines, asked), parts: answer.parts },
  }
  return { ...taxed, explain: withStateRows(taxed) }
}

/** Marks a price's tax as estimated, because the tax provider didn't respond. */
export function estimated(priced: PriceBreakdown, by: 'last-answer' | 'table'): PriceBreakdown {
  const marked: PriceBreakdown = { ...priced, tax: { ...priced.tax, estimatedBy: by } }
  return { ...marked, explain: withStateRows(marked) }
}
