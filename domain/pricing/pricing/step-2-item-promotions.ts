import { formatCents, formatRate, PPM, rateOf } from '#platform/money.ts'
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { ignored, type IgnoredOffer } from './ignored-offers.ts'
import { excludesOffers, type ItemPromotion, type ItemReduction, type PriceInput } from './price-input.ts'
import { compareText, discountLine, isTire, type PriceLine } from './price-line.ts'

/**
 * Step 2: applies one item promotion per tire line, the one that leaves the least to pay for the line with its sales
 * tax (a maker's promotion does not lower the taxable price). One already in the price takes precedence. Only at Retail
 * prices, and at Retail Member prices if the store's terms allow it; in a special order, only on unquoted tires.
 *
 * @param taxRatePpm the rate step 8 will use: 0 for an exempt order
 */
export function applyItemPromotions(
  lines: readonly PriceLine[],
  input: PriceInput,
  taxRatePpm: number,
): { lines: PriceLine[]; ignored: IgnoredOffer[] } {
  const promotionsOf = new Map(input.tires.map((tire) => [tire.articleId, tire.promotions]))
  const taxedPpm = input.taxRule.taxable.tire ? taxRatePpm : 0
  const left: IgnoredOffer[] = []
  const promoted = lines.map((line) => {
    const promotions = isTire(line) ? (promotionsOf.get(line.articleId ?? '') ?? []) : []
    const refuse = (promotion: ItemPromotion, reason: IgnoredOffer['reason']) =>
      left.push(ignored('item-promotion', reason, promotion.name, { id: promotion.id, lineId: line.id }))

    const reason = reasonForNone(line, input)
    if (reason) {
      for (const promotion of promotions) refuse(promotion, reason)
      return line
    }
    const working = promotions.filter(
      (promotion) => promotion.alreadyApplied || savingCents(line, promotion.reduction) > 0,
    )
    const [best, ...others] = working.toSorted(
      (a, b) =>
        Number(b.alreadyApplied) - Number(a.alreadyApplied) ||
        cost(line, a, taxedPpm) - cost(line, b, taxedPpm) ||
        compareText(a.id, b.id),
    )
    for (const promotion of promotions) if (!working.includes(promotion)) refuse(promotion, 'needs-more-tires')
    for (const promotion of others) refuse(promotion, best?.alreadyApplied ? 'already-in-price' : 'better-promotion')
    return best ? promote(line, best) : line
  })
  return { lines: promoted, ignored: left }
}

/** Why a tire takes no promotion at all; null if it can. */
function reasonForNone(line: PriceLine, input: PriceInput): 'quoted-price' | 'account-price' | null {
  const { accountType, tires } = input
  const tire = tires.find(({ articleId }) => articleId === line.articleId)
  if (tire?.quotedUnitCents !== undefined) return 'quoted-price'
  const isAtLabel =
    accountType === 'Special Order' ? line.atAccountPrice : excludesOffers(input, 'deals', line.atAccountPrice)
  return isAtLabel ? 'account-price' : null
}

function promote(line: PriceLine, promotion: ItemPromotion): PriceLine {
  const { id, name, alreadyApplied, reduction } = promotion
  const marked = { ...line, promotion: { id, name, alreadyApplied, words: reductionWords(reduction, line.quantity) } }
  return alreadyApplied
    ? marked
    : discountLine(marked, 'itemPromotionCents', savingCents(line, reduction), promotion.fundedBy)
}

/** Percentage and Flat Amount are rounded per unit, so that the line is always unit price times quantity. */
function savingCents(line: PriceLine, reduction: ItemReduction): number {
  switch (reduction.type) {
    case 'Percentage':
      return rateOf(line.unitCents, reduction.ratePpm) * line.quantity
    case 'Flat Amount':
      return Math.min(reduction.amountCents, line.unitCents) * line.quantity
    case 'Buy3Get1':
    case 'Free':
      return line.unitCents * freeUnits(reduction, line.quantity)
  }
}

function freeUnits(reduction: ItemReduction & { type: 'Buy3Get1' | 'Free' }, quantity: number): number {
  return reduction.type === 'Free'
    ? Math.min(reduction.units, quantity)
    : Math.floor(quantity / BUY_THREE_GET_ONE_UNITS)
}

/** What the shopper pays for the line including sales tax, in millionths of a cent: for comparison only. */
function cost(line: PriceLine, promotion: ItemPromotion, taxRatePpm: number): number {
  const saving = promotion.alreadyApplied ? 0 : savingCents(line, promotion.reduction)
  const taxableCents = promotion.fundedBy === 'store' ? line.netCents - saving : line.netCents
  return (line.netCents - saving) * PPM + taxableCents * taxRatePpm
}

function reductionWords(reduction: ItemReduction, quantity: number): string {
  switch (reduction.type) {
    case 'Percentage':
      return `${formatRate(reduction.ratePpm)} off each tire`
    case 'Flat Amount':
      return `${formatCents(reduction.amountCents)} off each tire`
    case 'Buy3Get1':
    case 'Free':
      return `${freeUnits(reduction, quantity)} of ${countOf(quantity, 'tire')} free`
  }
}
