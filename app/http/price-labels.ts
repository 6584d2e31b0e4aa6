/** The label of an account's prices as pages show it. */
import { paths } from '#app/paths.ts'
import { badgeOf, labelOf, type AccountPrice, type AccountType } from '#domain/terms/terms.ts'

/** The label, and the page that explains it, which opens as a modal. */
export type LabelView = { label: string; path: string }

/** The label of these prices, once: they are one account's. Undefined where all of them are retail prices. */
export function labelOfPrices(prices: readonly { readonly account?: AccountPrice | undefined }[]): LabelView | undefined {
  const own = prices.find(({ account }) => account && account.unitCents !== null)?.account
  return own && labelView(own.type)
}

/** The badge of an account's type, which leads to what its price is. */
export function badgeView(type: AccountType): LabelView | undefined {
  const [badge, label] = [badgeOf(type), labelView(type)]
  return badge !== undefined && label ? { ...label, label: badge } : undefined
}

/** The label of a type's prices; undefined for who has none. */
export function labelView(type: AccountType): LabelView | undefined {
  const label = labelOf(type)
  return label && { label: label.name, path: paths.priceLabel(label.slug) }
}
