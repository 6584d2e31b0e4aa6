import { isRouteErrorResponse } from 'react-router'
import type { PortalView } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { SentFault } from '#app/ui/sent-fault.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { portalPaths } from '#content/portal-paths.ts'
import drafts from '#app/ui/portal/drafts.js?url'
import liveDay from '#app/ui/portal/live-day.js?url'
import styles from '#app/ui/styles/portal.css?url'

export type PortalPageName = 'day' | 'week' | 'stops' | 'area' | 'pay' | 'set-up' | 'feed' | 'shop' | 'store'

/** The style sheet that only the portal loads. */
export const portalLinks = () => [{ rel: 'stylesheet', href: styles }]

/** The script of pages that are kept up to date, which work without it. */
export function PortalScript() {
  return <script type="module" src={liveDay} />
}

/** How the root draws a page of the portal: with its own head instead of the store's, and without script. */
export const portalHandle = (at?: PortalPageName) => ({
  script: false,
  chrome: false,
  head: (data: unknown) => {
    const portal = (data as { portal?: PortalView } | undefined)?.portal
    return portal ? <Head portal={portal} at={at} /> : null
  },
})

/** The document head of a page; no search engine may list it. */
export function portalHead(matches: Parameters<typeof pageHead>[0], title: string, path: string) {
  return pageHead(matches, { title: `${title} · Shop portal`, description: 'For tire shops.', path, isIndexed: false })
}

function Head({ portal: { who, shop, hasOthers }, at }: { portal: PortalView; at: PortalPageName | undefined }) {
  const places = shop ? placesOf(shop) : []
  return (
    <header className="portal-head">
      <div className="wrap">
        <a className="portal-logo" href={portalPaths.portal()}>
          <span className="capitals">Sidewall</span>
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
            <form method="post" action={portalPaths.signOut()} className="portal-who">
              <p>
                {who}
                {shop ? ` · ${shop.role}` : ''}
              </p>
              <button className="btn">Sign out</button>
            </form>
          </div>
        </details>
        {/* On every page: what waits for the line is sent from each, and nothing of it may outlast the sign-out. */}
        <script type="module" src={drafts} />
      </div>
    </header>
  )
}

/** A phone shows the first three pages in the bar, and the others in the menu. */
const shownOnPhones = 3

type Place = { name: PortalPageName; label: string; path: string }

/** The pages that the reader's role opens, most used first. */
function placesOf(shop: NonNullable<PortalView['shop']>): Place[] {
  const places: (Place & { isShown?: boolean })[] = [
    { name: 'day', label: 'Day', path: portalPaths.day(shop.code) },
    { name: 'week', label: 'Week', path: portalPaths.week(shop.code) },
    { name: 'stops', label: 'Stops', path: portalPaths.stops(shop.code), isShown: shop.hasStops },
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

function PlaceLinks({ places, at }: { places: readonly Place[]; at: PortalPageName | undefined }) {
  return places.map(({ name, label, path }) => (
    <a key={name} href={path} aria-current={name === at ? 'page' : undefined}>
      {label}
    </a>
  ))
}

/** What a page shows in place of itself: a refused role gets a way on, everything else the store's error page. */
export function PortalFault({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : undefined
  if (status !== 403) return <SentFault status={status} />
  return (
    <div className="wrap narrow-page">
      <p className="muted tabular">403</p>
      <h1>Only the shop’s owner can open this page</h1>
      <p>Nothing was changed.</p>
      <p>
        <a className="btn large" href={portalPaths.portal()}>
          Back to the portal
        </a>
      </p>
    </div>
  )
}
