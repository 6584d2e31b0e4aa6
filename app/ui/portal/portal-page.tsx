import { isRouteErrorResponse } from 'react-router'
import type { PortalView } from '#app/server/portal.server.ts'
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
  return (
    <header className="portal-head">
      <div className="wrap">
        <a className="portal-logo capitals" href={portalPaths.portal()}>
          Sidewall
        </a>
        {shop ? <span className="portal-shop">{shop.name}</span> : null}
        {shop ? <Nav shop={shop} at={at} hasOthers={hasOthers} /> : null}
        <form method="post" action={portalPaths.signOut()} className="portal-who">
          <span>
            {who}
            {shop ? ` · ${shop.role}` : ''}
          </span>
          <button className="link">Sign out</button>
        </form>
        {/* On every page: what waits for the line is sent from each, and nothing of it may outlast the sign-out. */}
        <script type="module" src={drafts} />
      </div>
    </header>
  )
}

function Nav({
  shop,
  at,
  hasOthers,
}: {
  shop: NonNullable<PortalView['shop']>
  at: PortalPageName | undefined
  hasOthers: boolean
}) {
  return (
    <nav aria-label="Shop portal">
      <a href={portalPaths.day(shop.code)} aria-current={at === 'day' ? 'page' : undefined}>
        Day
      </a>
      <a href={portalPaths.week(shop.code)} aria-current={at === 'week' ? 'page' : undefined}>
        Week
      </a>
      <VanLinks shop={shop} at={at} />
      {shop.seesPay ? (
        <a href={portalPaths.pay(shop.code)} aria-current={at === 'pay' ? 'page' : undefined}>
          Pay
        </a>
      ) : null}
      {shop.isInSetUp ? (
        <a href={portalPaths.setUp(shop.code)} aria-current={at === 'set-up' ? 'page' : undefined}>
          Set-up
        </a>
      ) : null}
      {shop.isInSetUp && !shop.seesPeople ? null : (
        <a href={portalPaths.capacity(shop.code)} aria-current={at === 'shop' ? 'page' : undefined}>
          Shop
        </a>
      )}
      {shop.hasFeed ? (
        <a href={portalPaths.feed(shop.code)} aria-current={at === 'feed' ? 'page' : undefined}>
          Calendar
        </a>
      ) : null}
      {shop.hasStore ? (
        <a href={portalPaths.store(shop.code)} aria-current={at === 'store' ? 'page' : undefined}>
          Store
        </a>
      ) : null}
      {hasOthers ? <a href={portalPaths.portal()}>Your shops</a> : null}
    </nav>
  )
}

/** Where the van comes; nothing for a shop. */
function VanLinks({ shop, at }: { shop: NonNullable<PortalView['shop']>; at: PortalPageName | undefined }) {
  return (
    <>
      {shop.hasStops ? (
        <a href={portalPaths.stops(shop.code)} aria-current={at === 'stops' ? 'page' : undefined}>
          Stops
        </a>
      ) : null}
      {shop.hasArea ? (
        <a href={portalPaths.area(shop.code)} aria-current={at === 'area' ? 'page' : undefined}>
          Area
        </a>
      ) : null}
    </>
  )
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
