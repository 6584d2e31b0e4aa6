import { portalPaths } from '#content/portal-paths.ts'

/** The pages about the shop itself; people are its owner's. */
export function ShopTabs({ shopCode, at }: { shopCode: string; at: 'capacity' }) {
  return (
    <nav className="portal-tabs" aria-label="Shop">
      <a href={portalPaths.capacity(shopCode)} aria-current={at === 'capacity' ? 'page' : undefined}>
        Capacity
      </a>
    </nav>
  )
}
