/** The methods of a hosted page, with what Stripe's documentation says of each. */

export const pageMethodTypes = ['card', 'klarna', 'affirm', 'afterpay_clearpay'] as const

export type PageMethodType = (typeof pageMethodTypes)[number]

export type PayLaterType = Exclude<PageMethodType, 'card'>

type PageMethod = { name: string; holdHours: number; minCents: number; maxCents: number; takesAddress: boolean }

export const pageMethods: Readonly<Record<PageMethodType, PageMethod>> = {
  card: { name: 'Card', holdHours: 7 * 24, minCents: 50, maxCents: 99_999_999, takesAddress: false },
  klarna: { name: 'Klarna', holdHours: 28 * 24, minCents: 50, maxCents: 99_999_999, takesAddress: false },
  affirm: { name: 'Affirm', holdHours: 30 * 24, minCents: 5_000, maxCents: 3_000_000, takesAddress: false },
  afterpay_clearpay: { name: 'Afterpay', holdHours: 13 * 24, minCents: 100, maxCents: 400_000, takesAddress: true },
}

/** Returns the methods that allow an amount. Stripe ignores the others silently. */
export function fittingMethods(allowed: readonly PageMethodType[], amount: number): PageMethodType[] {
  return allowed.filter((type) => amount >= pageMethods[type].minCents && amount <= pageMethods[type].maxCents)
}

/** The only method of a page that is not for cards; undefined for one that is. */
export function payLaterOf({
  payment_method_types: types,
}: {
  payment_method_types: string[]
}): PayLaterType | undefined {
  return pageMethodTypes.find((type): type is PayLaterType => type !== 'card' && types.includes(type))
}
