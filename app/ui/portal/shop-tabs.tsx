import { useShop } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'

/** The pages about the shop itself; its people are the owner's. */
export function ShopTabs({ at }: { at: 'capacity' | 'prices' | 'profile' | 'people' | 'emails' }) {
  const shop = useShop()
  if (!shop) return null
  const tabs = [
    { name: 'capacity', words: 'Capacity', path: portalPaths.capacity(shop.code) },
    { name: 'prices', words: 'Prices', path: portalPaths.prices(shop.code) },
    ...(shop.seesProfile ? [{ name: 'profile', words: 'Profile', path: portalPaths.profile(shop.code) }] : []),
    ...(shop.seesPeople ? [{ name: 'people', words: 'People', path: portalPaths.people(shop.code) }] : []),
    ...(shop.seesDay ? [{ name: 'emails', words: 'Notifications', path: portalPaths.emails(shop.code) }] : []),
  ]
  return (
    <nav className="portal-tabs" aria-label="Shop">
      {tabs.map(({ name, words, path }) => (
        <a key={name} href={path} aria-current={name === at ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  )
}
