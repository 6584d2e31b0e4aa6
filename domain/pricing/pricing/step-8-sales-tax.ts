import { allocate, rateOf } from '#platform/money.ts'
import { ignored, type IgnoredOffer } from './ignored-offers.ts'
import type { PriceInput } from './price-input.ts'
import { isTire, sumOf, type PriceLine } from './price-line.ts'
import type { TaxSummary } from './price-breakdown.ts'
import type { TaxRule } from './tax-rule.ts'

export type Exemption = { readonly isExempt: boolean; readonly ignored: IgnoredOffer[] }

/**
 * A certificate exempts the order from sales tax while it is valid and for the state of delivery; tire fee and excise
 * tax stay.
 */
export function exemptionOf({
  exemption,
  taxRule,
  date,
}: Pick<PriceInput, 'exemption' | 'taxRule' | 'date'>): Exemption {
  if (exemption === null) return { isExempt: false, ignored: [] }
  const name = 'Your tax exemption certificate'
  if (exemption.stateCode !== taxRule.stateCode) {
    return {
      isExempt: false,
      ignored: [ignored('exemption', 'certificate-for-another-state', name, { id: exemption.stateCode })],
    }
  }
  if (exemption.validThrough && Temporal.PlainDate.compare(date, exemption.validThrough) > 0) {
    return {
      isExempt: false,
      ignored: [ignored('exemption', 'certificate-expired', name, { id: exemption.stateCode })],
    }
  }
  return { isExempt: true, ignored: [] }
}

/**
 * Step 8: adds the tax on the taxable sum, rounded half up once for the order and jurisdiction, then split by each
 * line's taxable amount. Discounts funded by third parties do not lower the taxable price.
 */
export function addSalesTax(lines: readonly PriceLine[], rule: TaxRule, isExempt: boolean): PriceLine[] {
  const taxable = lines.map((line) => (isExempt ? 0 : taxableCents(line, rule)))
  const baseCents = taxable.reduce((sum, cents) => sum + cents, 0)
  const rates = rule.parts?.map(({ ratePpm }) => ratePpm) ?? [rule.ratePpm]
  const taxes = rates.map((ratePpm) => allocate(rateOf(baseCents, ratePpm), taxable))
  return lines.map((line, index) => ({
    ...line,
    taxableCents: taxable[index] ?? 0,
    taxCents: taxes.reduce((sum, tax) => sum + (tax[index] ?? 0), 0),
  }))
}

/** Returns the tax summary for lines from `addSalesTax`. */
export function taxSummaryOf(lines: readonly PriceLine[], rule: TaxRule, isExempt: boolean): TaxSummary {
  const { stateCode, stateName, ratePpm, parts, basis, tireFeeName, tireFeeRefundable } = rule
  const baseCents = sumOf(lines, 'taxableCents')
  return {
    stateCode,
    stateName,
    ratePpm,
    basis,
    ...(tireFeeName && { tireFeeName }),
    tireFeeRefundable,
    isExempt,
    on: taxedParts(lines, rule),
    ...(parts && !isExempt && { parts: parts.map((part) => ({ ...part, cents: rateOf(baseCents, part.ratePpm) })) }),
  }
}

/** Work without new tires is taxed like installation labor, and parts like service kits, which are goods as well. */
function taxedAs(kind: PriceLine['kind']): Exclude<PriceLine['kind'], 'service' | 'part'> {
  if (kind === 'part') return 'service-kit'
  return kind === 'service' ? 'installation' : kind
}

/** What of a line the state taxes, in cents. */
export function taxableCents(line: PriceLine, { taxable }: TaxRule): number {
  return (
    (taxable[taxedAs(line.kind)] ? line.netCents + line.thirdPartyCents : 0) +
    (taxable.fet ? line.fetCents : 0) +
    (taxable['tire-fee'] ? line.tireFeeCents : 0)
  )
}

/** What is taxed, worded for the summary: "tires and kits". */
export function taxedParts(lines: readonly PriceLine[], { taxable }: TaxRule): string {
  const parts = [
    ...new Set(
      lines
        .filter((line) => taxable[taxedAs(line.kind)] && line.netCents + line.thirdPartyCents > 0)
        .map((line) => PART_WORDS[line.kind]),
    ),
  ]
  if (taxable.fet && sumOf(lines, 'fetCents') > 0) parts.push('excise tax')
  if (taxable['tire-fee'] && sumOf(lines.filter(isTire), 'tireFeeCents') > 0) parts.push('tire fee')
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const PART_WORDS: Readonly<Record<PriceLine['kind'], string>> = {
  tire: 'tires',
  part: 'parts',
  coverage: 'coverage',
  installation: 'installation',
  'service-kit': 'kits',
  disposal: 'disposal',
  roadside: 'roadside assistance',
  service: 'services',
  shipping: 'shipping',
}
