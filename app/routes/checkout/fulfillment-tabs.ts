/** The tabs of the shipping page, one per fulfillment method. */
import { paths } from '#content/paths.ts'
import type { IconName } from '#app/ui/icon.tsx'
import type { Fulfillment } from '#domain/delivery/delivery.ts'

export type TabView = { label: string; icon: IconName; href: string; isHere: boolean }

/** A tab; picking up has one, whether at the carrier or at a warehouse. */
export type FulfillmentTab = Exclude<Fulfillment, 'warehouse-pickup'>

const tabs: { tab: FulfillmentTab; label: string; icon: IconName }[] = [
  { tab: 'shop', label: 'Ship to a shop', icon: 'wrench' },
  { tab: 'mobile', label: 'Mobile install', icon: 'van' },
  { tab: 'home', label: 'Ship to me', icon: 'home' },
  { tab: 'carrier-pickup', label: 'Pick up', icon: 'parcel' },
]

/** The tab named by an address or a form; undefined if there is none. */
export function findTab(named: string | null): FulfillmentTab | undefined {
  return tabs.find((entry) => entry.tab === named)?.tab
}

/** The tab on which a fulfillment is chosen. */
export function tabOf(fulfillment: Fulfillment): FulfillmentTab {
  return fulfillment === 'warehouse-pickup' ? 'carrier-pickup' : fulfillment
}

/** All tabs as links, with the open one marked. */
export function tabViews(open: FulfillmentTab): TabView[] {
  return tabs.map(({ tab, label, icon }) => ({ label, icon, href: paths.checkoutShipping(tab), isHere: tab === open }))
}
