import { technicalMessages } from '#content/messages/technical.ts'
import { useLocation } from 'react-router'

/**
 * What a page turns into when its next state did not come: no connection, nobody who answers, or a fault of ours. It is
 * part of every page's script, so it is short. What was chosen stands in the address, which is asked for again as a
 * whole page.
 */
export function LostView({ error, phone }: { error: unknown; phone: string | undefined }) {
  const { pathname, search } = useLocation()
  // A browser that gets no answer at all throws this, whatever was fetched.
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
          {isLost
            ? 'What you chose, your cart and the times you hold are kept.'
            : 'Nothing you ordered or paid is lost.'}{' '}
          Please call {phone} for sales or try to refresh this page.
        </p>
        <a className="btn primary" href={`${pathname}${search}`}>
          Try again
        </a>
      </div>
    </div>
  )
}
