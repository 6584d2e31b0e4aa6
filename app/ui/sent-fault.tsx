import { isRouteErrorResponse } from 'react-router'
import { ErrorView } from './error-view.tsx'

/** The title of a page of the office or the portal that failed: the layout names it, as the page itself is not shown. */
export function faultTitle(error: unknown): string {
  const status = isRouteErrorResponse(error) ? error.status : undefined
  return status === 404 ? 'Page not found' : status === 403 ? 'No access' : 'Technical problem'
}

/**
 * The store's error page, for the boundaries of the office and the portal. Only the server draws it; a browser that runs
 * script keeps the HTML it was sent, so that no page of the store loads its code.
 */
export function SentFault({ status }: { status: number | undefined }) {
  if (!import.meta.env.SSR) return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  return (
    <div>
      <ErrorView status={status} phone={undefined} store={undefined} isTitled />
    </div>
  )
}
