import { applyInstallDiscount } from './step-4-install-discount.ts'
import { explain } from './explain.ts'
import { totalsOf, type PriceBreakdown } from './price-breakdown.ts'
import type { ServiceLine, ShippingLine } from './price-input.ts'
import type { PriceRates } from '#domain/kernel/rates/rates.ts'
import { inCanonicalOrder, newLine, type LineKind } from './price-line.ts'
import { addTireFees } from './step-6-state-tire-fee.ts'
import { addSalesTax, taxSummaryOf } from './step-8-sales-tax.ts'
import type { TaxRule } from './tax-rule.ts'

/** Lines that depend on the location; roadside assistance requires installation. */
const ofThePlace: ReadonlySet<LineKind> = new Set(['installation', 'service-kit', 'disposal', 'shipping'])

/**
 * Returns whether an agreed price can be moved to another location. False if a discount depends on the original
 * location's services.
 */
export function canRelocate({ program, tender, tax }: PriceBreakdown, stateCode: string): boolean {
  return !program.isOnService && tender === null && (!tax.isExempt || tax.stateCode === stateCode)
}

/**
 * Returns an agreed price at another place, with the agreed tires and coverage, and with the new place's work,
 * shipping, tire fee, and sales tax. Throws for a price that `canRelocate` refuses.
 */
export function relocated(
  agreed: PriceBreakdown,
  place: {
    services: readonly ServiceLine[]
    shipping: ShippingLine
    taxRule: TaxRule
    shopName: string | null
    terms?: PriceRates
  },
): PriceBreakdown {
  const { services, shipping, taxRule, shopName, terms } = place
  if (!canRelocate(agreed, taxRule.stateCode))
    throw new RangeError('A discount or certificate in this price applies only to its own location')
  const isInstalled = services.some(({ kind }) => kind === 'installation')
  const kept = agreed.lines.filter(({ kind }) => !ofThePlace.has(kind) && (isInstalled || kind !== 'roadside'))
  const opened = inCanonicalOrder([
    ...kept,
    ...services.map(({ kind, articleId, eachCents, quantity }) =>
      newLine({ kind, articleId, quantity, unitCents: eachCents }),
    ),
    newLine({ kind: 'shipping', articleId: null, quantity: 1, unitCents: shipping.cents }),
  ])
  const installed = applyInstallDiscount(opened, agreed.accountType, terms)
  const lines = addSalesTax(addTireFees(installed.lines, taxRule.tireFee), taxRule, agreed.tax.isExempt)
  const priced = {
    ...agreed,
    lines,
    totals: totalsOf(lines),
    tax: taxSummaryOf(lines, taxRule, agreed.tax.isExempt),
  }
  return { ...priced, explain: explain(priced, { shopName, shipping, ...(terms && { terms }) }) }
}
