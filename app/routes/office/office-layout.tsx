import { isRouteErrorResponse, Outlet } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { bulkActNamed } from '#app/office/lists.server.ts'
import { readOfficeView, type OfficeView } from '#app/server/office.server.ts'
import { OfficeShell } from '#app/ui/office/office-shell.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { RefusedPage } from '#app/ui/refused-page.tsx'
import { faultTitle, SentFault } from '#app/ui/sent-fault.tsx'
import { clearCounts } from '#app/views/office/counts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import styles from '#app/ui/styles/office.css?url'
import type { Route } from './+types/office-layout.ts'

/** The shell is in the header slot, so it stays visible when a page fails. */
export const handle = {
  chrome: false,
  head: (office: unknown) => (office ? <OfficeShell office={office as OfficeView} /> : null),
}

/** Office forms can change the task counts, so the next page counts again. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    const answer = await next()
    if (request.method !== 'GET') clearCounts(context.get(applicationContext))
    return answer
  },
]

/** The head of a page that fails; every other page has its own. */
export const meta: Route.MetaFunction = ({ matches, error }) =>
  officeHead(matches, faultTitle(error), officePaths.office())

/** The style sheet that only the back office loads. */
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

/** Null for visitors without an office session. The requested page redirects them to sign in. */
export function loader({ context, url }: Route.LoaderArgs): Promise<OfficeView | null> {
  const act = /^\/office\/bulk\/([^/]+)\/?$/.exec(url.pathname)?.[1]
  const list = act === undefined ? undefined : bulkActNamed(act)?.list.path
  return readOfficeView(context, url.pathname, list)
}

export default function OfficeLayout() {
  return <Outlet />
}

/** Replaces an office page that fails. Staff without the permission get a link to continue. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : undefined
  if (status !== 403) return <SentFault status={status} />
  return (
    <RefusedPage
      title="Your role can’t open this page"
      link={
        <a className="btn" href={officePaths.office()}>
          Back to Home
        </a>
      }
    >
      An owner can give you a role that can.
    </RefusedPage>
  )
}
