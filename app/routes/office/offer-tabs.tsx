import { ListTabs } from '#app/ui/office/list-parts.tsx'
import { officePaths } from '#content/office-paths.ts'

const kinds = [
  { kind: 'promotions', label: 'Promotions', path: officePaths.officePromotions() },
  { kind: 'coupons', label: 'Coupons', path: officePaths.officeCoupons() },
  { kind: 'pay-later', label: 'Lender offers', path: officePaths.officePayLater() },
  { kind: 'price-lists', label: 'Price lists', path: officePaths.officePriceLists() },
  { kind: 'map-prices', label: 'Minimum prices', path: officePaths.officeMapPrices() },
] as const

/** The pages of what lowers prices, and of the floor below it. */
export function OfferTabs({ on }: { on: (typeof kinds)[number]['kind'] }) {
  return <ListTabs label="Offers" tabs={kinds.map(({ kind, ...tab }) => ({ ...tab, isOn: kind === on }))} />
}
