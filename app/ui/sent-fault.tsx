import { isRouteErrorResponse } from 'react-router'
import { ErrorView } from './error-view.tsx'

/** The title of a failed office or portal page, used by the layout, because the page itself is not shown. */
export function faultTitle(error: unknown): string {
  const status = isRouteErrorResponse(error) ? error.status : undefined
  return status === 404 ? 'Page not found' : status === 403 ? 'No access' : 'Technical problem'
}

/**
 * The store's error page, for the boundaries of the office and the portal. Rendered only by the server. A browser with
 * script retains the received HTML, so that store pages don't load its code.
 */
export function SentFault({ status }: { status: number | undefined }) {
  if (!import.meta.env.SSR) return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  return (
    <div>
      <ErrorView status={status} phone={undefined} store={undefined} isTitled />
    </div>
  )
}
