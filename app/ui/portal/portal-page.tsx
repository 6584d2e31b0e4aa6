import { useRouteLoaderData } from 'react-router'
import type { PortalView } from '#app/server/portal.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import dayDrag from '#app/ui/portal/day-drag.js?url'
import liveDay from '#app/ui/portal/live-day.js?url'

/** The script of pages that are kept up to date, which work without it. */
export function PortalScript() {
  return <script type="module" src={liveDay} data-drag-script={dayDrag} />
}

/** The document head of a page; no search engine may list it. */
export function portalHead(matches: Parameters<typeof pageHead>[0], title: string, path: string) {
  return pageHead(matches, { title: `${title} · Shop portal`, description: 'For tire shops.', path, isIndexed: false })
}

/** Returns the page's shop, as visible to the user's role; null if not chosen yet. */
export function useShop(): PortalView['shop'] {
  return useRouteLoaderData<PortalView>('routes/portal/portal-layout')?.shop ?? null
}
