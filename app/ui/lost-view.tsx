import { technicalMessages } from '#content/messages/technical.ts'
import { useLocation } from '#app/router/router.tsx'

/**
 * Shown when navigation to a page fails, because of a missing connection or response, or an error on our side. It is
 * part of every page's script, so it is short. The shopper's choices are in the address, which is requested again as a
 * full page.
 */
export function LostView({ error, phone }: { error: unknown; phone: string | undefined }) {
  const { pathname, search } = useLocation()
  // Browsers throw this when a request gets no response at all.
  const isUnanswered = error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
  const isLost = !navigator.onLine || isUnanswered
  return (
    <div className="wrap error-page">
      <div className="error-words">
        <h1>
          {!navigator.onLine
            ? 'You seem to be offline.'
            : isUnanswered
              ? 'The store cannot be reached.'
              : technicalMessages.fault}
        </h1>
        <p>
          {isLost ? 'What you chose, your cart and the times you hold are kept.' : 'Your orders and payments are safe.'}{' '}
          Please call {phone} for sales or try to refresh this page.
        </p>
        <a className="btn primary" href={`${pathname}${search}`}>
          Try again
        </a>
      </div>
    </div>
  )
}
