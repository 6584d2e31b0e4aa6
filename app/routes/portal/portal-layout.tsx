import { isRouteErrorResponse, Outlet } from 'react-router'
import { readPortalView, type PortalView } from '#app/server/portal.server.ts'
import { PortalShell } from '#app/ui/portal/portal-shell.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { RefusedPage } from '#app/ui/refused-page.tsx'
import { faultTitle, SentFault } from '#app/ui/sent-fault.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import styles from '#app/ui/styles/portal.css?url'
import type { Route } from './+types/portal-layout.ts'

/** The shell is in the header slot, so it stays visible when a page fails. Pages don't load framework scripts. */
export const handle = {
  script: false,
  chrome: false,
  head: (portal: unknown) => (portal ? <PortalShell portal={portal as PortalView} /> : null),
}

/** The head of a page that fails; every other page has its own. */
export const meta: Route.MetaFunction = ({ matches, error }) =>
  portalHead(matches, faultTitle(error), portalPaths.portal())

/** The style sheet that only the portal loads. */
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

/** Null for visitors without a portal session. The requested page redirects them to sign in. */
export function loader({ context, url }: Route.LoaderArgs): Promise<PortalView | null> {
  return readPortalView(context, url.pathname)
}

export default function PortalLayout() {
  return <Outlet />
}

/** Replaces a portal page that fails. Roles without the permission get a link to continue. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : undefined
  if (status !== 403) return <SentFault status={status} />
  return (
    <RefusedPage
      title="Only the shop’s owner can open this page"
      link={
        <a className="btn large" href={portalPaths.portal()}>
          Back to the portal
        </a>
      }
    >
      Ask your shop’s owner for access.
    </RefusedPage>
  )
}
