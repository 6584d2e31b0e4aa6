/** Promotions, coupons, and rebates as their forms have them. */
import type { OfficeCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import type { OfficeRebate } from '#domain/catalog/catalog/catalog.server.ts'
import type { OfficePromotion } from '#domain/catalog/promotions/promotions.server.ts'
import { filterValues } from '#domain/catalog/promotions/promotions.ts'
import { typedDollars } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'

/** Formats an amount in dollars, percent, or tires. */
export function amountInForm({ kind, amount }: { kind: string; amount: number }): string {
  return kind === 'Flat Amount' ? (amount / 100).toFixed(2) : String(amount)
}

/** Returns "yes" or "no" for each answer. */
export function yesNoOf<Name extends string>(answers: Readonly<Record<Name, boolean>>): Record<Name, 'yes' | 'no'> {
  const pairs = Object.entries<boolean>(answers).map(([name, answer]) => [name, answer ? 'yes' : 'no'])
  return Object.fromEntries(pairs) as Record<Name, 'yes' | 'no'>
}

/** Returns the fields of a promotion's form. */
export function promotionValues(promotion: OfficePromotion) {
  const { name, headline, kind, subjectKey, filter, fundedBy, daily, linkToCoverage } = promotion
  return {
    name,
    headline,
    kind,
    amount: amountInForm(promotion),
    subject: subjectKey,
    ...filterValues(filter),
    fundedBy,
    ...yesNoOf({ daily, linkToCoverage }),
  }
}

/** Returns the fields of a coupon's form. */
export function couponValues(coupon: OfficeCoupon) {
  const { code, name, kind, subjectKey, filter, fundedBy, stacks, advertised, minimumCents } = coupon
  return {
    code,
    name,
    kind,
    amount: amountInForm(coupon),
    subject: subjectKey,
    ...filterValues(filter),
    fundedBy,
    ...yesNoOf({ stacks, advertised }),
    minimum: minimumCents === null ? '' : (minimumCents / 100).toFixed(2),
    usesMost: String(coupon.usesMost),
    personMost: String(coupon.personMost),
  }
}

/** Returns the fields of a rebate's form. */
export function rebateValues(rebate: OfficeRebate) {
  const { name, amountCents, units, paidAs, subject, filter, formUrl, mailTo, lastClaimOn } = rebate
  return {
    name,
    amount: typedDollars(amountCents),
    units: String(units),
    paidAs,
    subject,
    ...filterValues(filter),
    startsOn: storeDay(rebate.startsAt).toString(),
    // The end is the midnight after the last purchase day.
    lastPurchaseOn: storeDay(rebate.endsAt.subtract({ nanoseconds: 1 })).toString(),
    lastClaimOn,
    formUrl: formUrl ?? '',
    mailTo: mailTo ?? '',
  }
}

type Values = Readonly<Record<string, string>>

/** Returns the fields for programs, with null for an empty one. */
export function recordOf(values: Values): Record<string, string | null> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value]))
}
