import { ListTabs } from '#app/ui/office/list-parts.tsx'
import { officePaths } from '#content/office-paths.ts'

const kinds = [
  { kind: 'promotions', label: 'Promotions', path: officePaths.officePromotions() },
  { kind: 'coupons', label: 'Coupons', path: officePaths.officeCoupons() },
  { kind: 'pay-later', label: 'Lender offers', path: officePaths.officePayLater() },
  { kind: 'price-lists', label: 'Price lists', path: officePaths.officePriceLists() },
  { kind: 'map-prices', label: 'Minimum prices', path: officePaths.officeMapPrices() },
  { kind: 'sales-tax', label: 'Sales tax', path: officePaths.officeSalesTax() },
] as const

/** The pages of what lowers prices, of the floor below it, and of the tax on top. */
export function OfferTabs({ on }: { on: (typeof kinds)[number]['kind'] }) {
  return <ListTabs label="Offers" tabs={kinds.map(({ kind, ...tab }) => ({ ...tab, isOn: kind === on }))} />
}
