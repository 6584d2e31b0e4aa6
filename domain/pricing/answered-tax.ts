import { totalsOf, type PriceBreakdown, type TaxSummary } from './price-breakdown.ts'
import { withStateRows } from './retax.ts'
import { taxableCents } from './step-8-sales-tax.ts'
import type { TaxPart, TaxRule } from './tax-rule.ts'

/** A line that a tax provider is asked about. */
export type TaxedAmount = {
  readonly lineId: string
  readonly kind: PriceBreakdown['lines'][number]['kind']
  readonly quantity: number
  /** What is charged for the line, with the excise tax and fee that the state taxes with it. */
  readonly amountCents: number
  /** By the state's flags. */
  readonly isTaxable: boolean
}

/** The tax on each line, by the id of the line, and whose it is. */
export type AnsweredTax = {
  readonly lines: readonly { readonly lineId: string; readonly taxCents: number }[]
  readonly parts: readonly (TaxPart & { readonly cents: number })[]
}

/** What a tax provider is asked about a price: its lines that are not free. */
export function taxAsk({ lines }: PriceBreakdown, rule: TaxRule): TaxedAmount[] {
  return lines.flatMap((line) => {
    const taxedCents = taxableCents(line, rule)
    const amountCents = taxedCents > 0 ? taxedCents : line.netCents
    return amountCents > 0
      ? [{ lineId: line.id, kind: line.kind, quantity: line.quantity, amountCents, isTaxable: taxedCents > 0 }]
      : []
  })
}

/**
 * Returns a price with the sales tax that was answered for `taxAsk` of it. Throws if the answer leaves out a line that is
 * taxable: a missing answer is never zero.
 */
export function answered(
  priced: PriceBreakdown,
  answer: AnsweredTax,
  estimatedBy: TaxSummary['estimatedBy'] = undefined,
): PriceBreakdown {
  const taxes = new Map(answer.lines.map(({ lineId, taxCents }) => [lineId, taxCents]))
  const lines = priced.lines.map((line) => {
    const taxCents = taxes.get(line.id)
    if (taxCents === undefined && line.taxableCents > 0) throw new RangeError(`There is no tax for ${line.id}`)
    return { ...line, taxCents: taxCents ?? 0 }
  })
  const { parts: _, ...tax } = priced.tax
  const taxed: PriceBreakdown = {
    ...priced,
    lines,
    totals: totalsOf(lines),
    tax: {
      ...tax,
      basis: 'destination',
      ratePpm: answer.parts.reduce((sum, { ratePpm }) => sum + ratePpm, 0),
      parts: answer.parts,
      ...(estimatedBy && { estimatedBy }),
    },
  }
  return { ...taxed, explain: withStateRows(taxed) }
}
