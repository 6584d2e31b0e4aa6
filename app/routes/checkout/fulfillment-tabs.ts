/** The tabs of the shipping page, one per fulfillment method. */
import { paths } from '#content/paths.ts'
import type { IconName } from '#app/ui/icon.tsx'
import { sellsProgram, type StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'

export type TabView = { label: string; icon: IconName; href: string; isHere: boolean }

/** A tab; picking up has one, whether at the carrier or at a warehouse. */
export type FulfillmentTab = Exclude<Fulfillment, 'warehouse-pickup'>

const tabs: { tab: FulfillmentTab; label: string; icon: IconName }[] = [
  { tab: 'shop', label: 'Ship to a shop', icon: 'wrench' },
  { tab: 'mobile', label: 'Mobile install', icon: 'van' },
  { tab: 'home', label: 'Ship to me', icon: 'home' },
  { tab: 'carrier-pickup', label: 'Pick up', icon: 'parcel' },
]

function tabsOf(store: StoreKind): typeof tabs {
  return tabs.filter(({ tab }) => tab !== 'mobile' || sellsProgram(store, 'mobileInstallation'))
}

/** Returns the tab with this name. Returns undefined if this kind of store doesn't have it. */
export function findTab(named: string | null, store: StoreKind): FulfillmentTab | undefined {
  return tabsOf(store).find((entry) => entry.tab === named)?.tab
}

/** The tab on which a fulfillment is chosen. */
export function tabOf(fulfillment: Fulfillment): FulfillmentTab {
  return fulfillment === 'warehouse-pickup' ? 'carrier-pickup' : fulfillment
}

/** The tabs of a store as links, with the open one marked. */
export function tabViews(open: FulfillmentTab, store: StoreKind): TabView[] {
  return tabsOf(store).map(({ tab, label, icon }) => ({
    label,
    icon,
    href: paths.checkoutShipping(tab),
    isHere: tab === open,
  }))
}
