import type { PortalPlace, PortalView } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import drafts from './drafts.js?url'

/** The top bar on every portal page, with the shop's pages, and a menu for rarely used ones. */
export function PortalShell({ portal: { storeName, who, shop, hasOthers, at, office } }: { portal: PortalView }) {
  const places = shop ? placesOf(shop) : []
  return (
    <header className="portal-head">
      <div className="wrap">
        <a className="portal-logo" href={portalPaths.portal()}>
          <span className="capitals">{storeName}</span>
          {shop ? <span className="portal-shop">{shop.name}</span> : null}
        </a>
        {shop ? (
          <nav aria-label="Shop portal">
            <PlaceLinks places={places} at={at} />
          </nav>
        ) : null}
        <details className="portal-menu">
          <summary aria-label="Menu">
            <Icon name="menu" />
          </summary>
          <div>
            <nav aria-label="More pages">
              <PlaceLinks places={places.slice(shownOnPhones)} at={at} />
              {hasOthers ? <a href={portalPaths.portal()}>Your shops</a> : null}
            </nav>
            {office ? (
              <p className="portal-who">
                {who} <a href={office}>Back to the back office</a>
              </p>
            ) : (
              <form method="post" action={portalPaths.signOut()} className="portal-who">
                <p>
                  {who}
                  {shop ? ` · ${shop.role}` : ''}
                </p>
                <button className="btn">Sign out</button>
              </form>
            )}
          </div>
        </details>
        {/* Included on every page, because pending drafts are sent from any page, and must not outlive the sign-out. */}
        <script type="module" src={drafts} />
      </div>
      {shop?.notice ? <p className="portal-notice">{shop.notice}</p> : null}
    </header>
  )
}

/** A phone shows the first three pages in the bar, and the others in the menu. */
const shownOnPhones = 3

type Place = { name: PortalPlace; label: string; path: string }

/** The pages that the reader's role opens, most used first. */
function placesOf(shop: NonNullable<PortalView['shop']>): Place[] {
  const places: (Place & { isShown?: boolean })[] = [
    { name: 'day', label: 'Day', path: portalPaths.day(shop.code), isShown: shop.seesDay },
    { name: 'week', label: 'Week', path: portalPaths.week(shop.code), isShown: shop.seesDay },
    { name: 'stops', label: 'Stops', path: portalPaths.stops(shop.code), isShown: shop.hasStops },
    { name: 'storage', label: 'Storage', path: portalPaths.storage(shop.code), isShown: shop.hasStorage },
    { name: 'pay', label: 'Payouts', path: portalPaths.pay(shop.code), isShown: shop.seesPay },
    { name: 'area', label: 'Area', path: portalPaths.area(shop.code), isShown: shop.hasArea },
    { name: 'set-up', label: 'Set-up', path: portalPaths.setUp(shop.code), isShown: shop.isInSetUp },
    {
      name: 'shop',
      label: 'Shop',
      path: portalPaths.capacity(shop.code),
      isShown: shop.seesPeople || !shop.isInSetUp,
    },
    { name: 'feed', label: 'Calendar feed', path: portalPaths.feed(shop.code), isShown: shop.hasFeed },
    { name: 'store', label: 'Store', path: portalPaths.store(shop.code), isShown: shop.hasStore },
  ]
  return places.filter(({ isShown = true }) => isShown)
}

function PlaceLinks({ places, at }: { places: readonly Place[]; at: PortalPlace | null }) {
  return places.map(({ name, label, path }) => (
    <a key={name} href={path} aria-current={name === at ? 'page' : undefined}>
      {label}
    </a>
  ))
}
