import { checkInput } from './check-input.ts'
import { explain } from './explain.ts'
import { addFederalExciseTax } from './federal-excise-tax.ts'
import { inStableOrder } from './ignored-offers.ts'
import { totalsOf, type PriceBreakdown } from './price-breakdown.ts'
import { exchangePriceName, isQuoted, type AccountType, type PriceInput } from './price-input.ts'
import type { PriceLine } from './price-line.ts'
import { labelLines, labelOfOrder, openLines } from './step-1-account-price.ts'
import { applyItemPromotions } from './step-2-item-promotions.ts'
import { applyProgram } from './step-3-programs.ts'
import { applyInstallDiscount } from './step-4-install-discount.ts'
import { applyTenderOffer } from './step-5-tender-offer.ts'
import { addTireFees } from './step-6-state-tire-fee.ts'
import { addSalesTax, exemptionOf, taxSummaryOf } from './step-8-sales-tax.ts'

export { salesTaxName, salesTaxNames, salesTaxNote, salesTaxText, tireFeeName } from './sales-tax-label.ts'
export { droppedOffers } from './dropped.ts'
export { breakdownFingerprint, compareBreakdowns, type PriceMove } from './compare.ts'
export { federalExciseTaxCents, type TireForExciseTax } from './federal-excise-tax.ts'
export { leftOut, type IgnoredOffer, type IgnoredReason, type IgnoredWhat } from './ignored-offers.ts'
export type { ExplainRow, PriceBreakdown, PriceTotals, TaxSummary, UnitPrice } from './price-breakdown.ts'
export {
  accountPriceNames,
  ACCOUNT_TYPES,
  hasAccountPrice,
  publicDealName,
  type AccountType,
  type CoveragePlan,
  type CouponOffer,
  type CouponReduction,
  type ExemptionCertificate,
  type FundedBy,
  type ItemPromotion,
  type ItemReduction,
  type PriceInput,
  type SalesChannel,
  type ProgramOffer,
  type ServiceKind,
  type ServiceLine,
  type ShippingLine,
  type TenderOffer,
  type TireLine,
} from './price-input.ts'
export { COVERAGE_NAMES, lineName, type LineKind, type PriceLine } from './price-line.ts'
export {
  refundForReturn,
  type NotOnOrder,
  type RefundedLine,
  type ReturnedUnits,
  type ReturnRefund,
  type TooManyUnits,
} from './refund.ts'
export { canRelocate, relocated } from './relocate.ts'
export { retaxed } from './retax.ts'
export { answered, estimated, taxAsk, type AnsweredTax, type TaxedAmount } from './answered-tax.ts'
export {
  importedTaxRule,
  stateTaxRules,
  taxedIn,
  taxRuleFor,
  type ImportedRates,
  type StateTaxEdit,
  type StateTaxRule,
} from './state-taxes.ts'
export type { ProgramOutcome } from './step-3-programs.ts'
export type { TaxableKind, TaxPart, TaxRule, TireFeeBand } from './tax-rule.ts'

/**
 * Prices a cart in steps, each based on the previous result, and explains every line and refusal. Pure: the same input
 * gives the same breakdown, in whatever order lines and codes are listed. Throws only on input no cart can have.
 *
 * A label never raises the price. An account's order is priced with its label and at retail, and the lower total is
 * charged; the label wins ties. Whole orders are compared, so an order never mixes two labels. A special order's price
 * and the price of a staff quote are charged as they are.
 */
export function priceCart(input: PriceInput): PriceBreakdown {
  checkInput(input)
  if (input.channel === 'military-exchange') return priceForExchange(input)
  const own = workOut(input, labelOfOrder(input))
  const open = hasOpenOffer(input, own.accountType) ? workOut(input, 'Retail') : own
  const charged = open.totals.totalCents < own.totals.totalCents ? { ...open, passedOver: own.accountType } : own
  const priced = { ...charged, lines: labelLines(charged, input) }
  return { ...priced, explain: explain(priced, input) }
}

/** The price at which a military exchange sells. */
function priceForExchange(input: PriceInput): PriceBreakdown {
  const { stateCode } = input.taxRule
  const offered: PriceInput = { ...input, programs: [], tender: null, exemption: { stateCode, validThrough: null } }
  const { lines, ...worked } = workOut(offered, 'Retail')
  const priced = {
    ...worked,
    lines: lines.map((line) => (line.kind === 'tire' ? { ...line, label: exchangePriceName } : line)),
    channel: 'military-exchange' as const,
  }
  return { ...priced, explain: explain(priced, offered) }
}

/**
 * Retail is the baseline. Members are compared too, because their lower price can exclude a promotion or program that
 * saves more.
 */
const neverCompared: ReadonlySet<AccountType> = new Set(['none', 'Retail', 'Special Order'])

/**
 * Whether retail could have an offer that the label excludes. If not, the label's lower unit prices give the lower
 * total and retail need not be priced.
 */
function hasOpenOffer({ tires, services, programs, tender }: PriceInput, label: AccountType): boolean {
  if (neverCompared.has(label) || isQuoted({ tires })) return false
  const hasInstallation = services.some(({ kind }) => kind === 'installation')
  return (
    tires.some(({ promotions }) => promotions.length > 0) ||
    programs.length > 0 ||
    tender !== null ||
    (label === 'WholeSale' && hasInstallation)
  )
}

/** Runs the eight steps for one label. */
function workOut(order: PriceInput, accountType: AccountType): Omit<PriceBreakdown, 'explain'> {
  const input = { ...order, accountType }
  const { taxRule } = input
  const exemption = exemptionOf(input)
  const opened = openLines(input)
  const promoted = applyItemPromotions(opened.lines, input, exemption.isExempt ? 0 : taxRule.ratePpm)
  const programmed = applyProgram(
    promoted.lines,
    input,
    (lines) => totalsOf(finish(lines, input, exemption.isExempt).lines).totalCents,
  )
  const { lines, ignored } = finish(programmed.lines, input, exemption.isExempt)

  return {
    accountType,
    passedOver: null,
    lines,
    totals: totalsOf(lines),
    program: programmed.program,
    tender: input.tender && lines.some(({ tenderCents }) => tenderCents > 0) ? input.tender : null,
    tax: taxSummaryOf(lines, taxRule, exemption.isExempt),
    ignored: inStableOrder([
      ...opened.ignored,
      ...promoted.ignored,
      ...programmed.ignored,
      ...ignored,
      ...exemption.ignored,
    ]),
  }
}

/** Steps 4 to 8, which depend on the first three. Step 3 runs them once per candidate program. */
function finish(lines: readonly PriceLine[], input: PriceInput, isExempt: boolean) {
  const { accountType, taxRule } = input
  const installed = applyInstallDiscount(lines, accountType, input.terms)
  const tendered = applyTenderOffer(installed.lines, input)
  const withFees = addFederalExciseTax(addTireFees(tendered.lines, taxRule.tireFee))
  return { lines: addSalesTax(withFees, taxRule, isExempt), ignored: [...installed.ignored, ...tendered.ignored] }
}
