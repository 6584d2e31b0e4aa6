import { PPM } from '#platform/money.ts'
import { REFERRAL_FRIEND_MAX_PPM } from '#platform/business-constants.ts'
import type { CouponReduction, ItemReduction, PriceInput, TireLine } from './price-input.ts'

const MAX_QUANTITY = 10_000

/**
 * Throws on amounts no valid cart can have. The input comes from our own database, so a bad one is a defect, not a
 * refusal.
 */
export function checkInput(input: PriceInput): void {
  for (const tire of input.tires) {
    quantity(tire.quantity, `the quantity of ${tire.articleId}`)
    cents(tire.retailUnitCents, `the price of ${tire.articleId}`)
    ownPrices(tire)
    cents(tire.fetUnitCents, `the excise tax on ${tire.articleId}`)
    for (const promotion of tire.promotions) reduction(promotion.reduction, `promotion ${promotion.id}`)
  }
  for (const service of input.services) {
    quantity(service.quantity, `the quantity of ${service.kind}`)
    cents(service.eachCents, `the price of ${service.kind}`)
    cents(service.accountEachCents ?? 0, `the account's price of ${service.kind}`)
    if ((service.accountEachCents ?? 0) > service.eachCents)
      throw new RangeError(`The account's price of ${service.kind} is above the regular price`)
  }
  cents(input.shipping?.cents ?? 0, 'shipping')
  for (const offer of input.programs) {
    if (offer.kind === 'referral') rate(offer.ratePpm, `referral ${offer.id}`, REFERRAL_FRIEND_MAX_PPM)
    if (offer.kind === 'coupon') reduction(offer.reduction, `coupon ${offer.code}`)
  }
  rate(input.tender?.ratePpm ?? 0, 'the payment offer')
  rate(input.taxRule.ratePpm, 'the sales tax')
}

function ownPrices({ articleId, accountUnitCents, quotedUnitCents }: TireLine): void {
  cents(accountUnitCents ?? 0, `the account's price of ${articleId}`)
  cents(quotedUnitCents ?? 0, `the quoted price of ${articleId}`)
}

function reduction(reduction: ItemReduction | CouponReduction, name: string): void {
  if (reduction.type === 'Percentage') rate(reduction.ratePpm, name)
  if (reduction.type === 'Flat Amount') cents(reduction.amountCents, name)
  if (reduction.type === 'Free' && reduction.units !== 'all') quantity(reduction.units, name)
}

function cents(amount: number, name: string): void {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is no amount of cents for ${name}`)
}

function quantity(amount: number, name: string): void {
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > MAX_QUANTITY)
    throw new RangeError(`${amount} is no number of units for ${name}`)
}

function rate(ratePpm: number, name: string, max = PPM): void {
  if (!Number.isSafeInteger(ratePpm) || ratePpm < 0 || ratePpm > max)
    throw new RangeError(`${ratePpm} ppm is no rate for ${name}`)
}
