/** The tabs of the shipping page, one per fulfillment method. */
import { paths } from '#content/paths.ts'
import type { IconName } from '#app/ui/icon.tsx'
import type { Fulfillment } from '#domain/delivery/delivery.ts'

export type TabView = { label: string; icon: IconName; href: string; isHere: boolean }

const tabs: { tab: Fulfillment; label: string; icon: IconName }[] = [
  { tab: 'shop', label: 'Ship to a shop', icon: 'wrench' },
  { tab: 'mobile', label: 'Mobile install', icon: 'van' },
  { tab: 'home', label: 'Ship to me', icon: 'home' },
  { tab: 'carrier-pickup', label: 'Carrier pickup', icon: 'parcel' },
]

/** The tab named by an address or a form; undefined if there is none. */
export function findTab(named: string | null): Fulfillment | undefined {
  return tabs.find((entry) => entry.tab === named)?.tab
}

/** All tabs as links, with the open one marked. */
export function tabViews(open: Fulfillment): TabView[] {
  return tabs.map(({ tab, label, icon }) => ({ label, icon, href: paths.checkoutShipping(tab), isHere: tab === open }))
}
