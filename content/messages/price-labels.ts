/** The label for an account's prices on pages. */
import { paths } from '#content/paths.ts'
import type { Price } from '#domain/catalog/catalog/catalog.ts'
import { publicDealName } from '#domain/pricing/pricing/pricing.ts'
import { badgeOf, labelOf, type AccountType } from '#domain/pricing/price-tiers/price-tiers.ts'

/** The label, and the page that explains it, which opens as a modal. */
export type LabelView = { label: string; path: string }

/**
 * Returns the label these prices share. They belong to one account and are either all custom prices, or all the public
 * price if that is lower. Returns undefined if the account has no custom prices.
 */
export function labelOfPrices(prices: readonly Pick<Price, 'label' | 'account'>[]): LabelView | undefined {
  const own = prices.find(({ label }) => label !== null)?.label
  if (own) return labelView(own)
  const passedOver = prices.find(({ account }) => account && account.unitCents !== null)?.account
  const explained = passedOver && labelView(passedOver.type)
  return explained && { ...explained, label: publicDealName(passedOver.type) }
}

/** The badge of an account's type, linked to the page that explains its price. */
export function badgeView(type: AccountType): LabelView | undefined {
  const [badge, label] = [badgeOf(type), labelView(type)]
  return badge !== undefined && label ? { ...label, label: badge } : undefined
}

/** Returns the label for an account type's prices, or undefined if the type has no label. */
export function labelView(type: AccountType): LabelView | undefined {
  const label = labelOf(type)
  return label && { label: label.name, path: paths.priceLabel(label.slug) }
}
