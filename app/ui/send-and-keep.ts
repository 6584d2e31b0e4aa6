/**
 * Submits forms with script. If there is no response, the reason is shown at the bottom of the window and the input
 * remains. Otherwise a failure would replace the page with all its fields.
 */
import { technicalMessages } from '#content/messages/technical.ts'
import { data, isRouteErrorResponse } from 'react-router'

/** The status for a missing response, after which no loader runs, because it would fail too. */
export const unsentStatus = 599

const slowAfterMs = 8_000

/**
 * Returns the result of `send`, or undefined after a failure that was shown. Responses that belong to the page,
 * including refusals and redirects, pass through.
 */
export async function sendAndKeep<Answer>(send: () => Promise<Answer>) {
  tell(null)
  const slow = setTimeout(
    () => tell('The store is responding slowly. We’re still sending your form, and your entries are saved.'),
    slowAfterMs,
  )
  try {
    const answer = await send()
    tell(null)
    return answer
  } catch (error) {
    if (!isFailure(error)) {
      tell(null)
      throw error
    }
    // A second submission replaced it and reports the result.
    if (isAborted(error)) return data(undefined, { status: unsentStatus })
    tell(`${whyNotSent(error)} What you typed is still here.`)
    return data(undefined, { status: unsentStatus })
  } finally {
    clearTimeout(slow)
  }
}

/** Redirects are thrown too, and pages themselves report missing and forbidden content. */
function isFailure(error: unknown): boolean {
  if (error instanceof Response) return false
  return !isRouteErrorResponse(error) || error.status >= 500 || error.status === 429
}

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** The specification's text for a technical problem (section 8). */
const technicalProblem = technicalMessages.fault

function whyNotSent(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    if (error.status === 429) return 'Not sent. There were too many requests. Wait a moment and try again.'
    return error.status === 503 ? 'Not sent. The store is busy right now. Try again in a moment.' : technicalProblem
  }
  if (error instanceof TypeError)
    return `That was not sent: ${navigator.onLine ? 'the store cannot be reached' : 'you seem to be offline'}. Try again.`
  const isBroken = error instanceof Error && /turbo-stream|decode|JSON/i.test(error.message)
  return isBroken ? 'The response was incomplete. Try again.' : technicalProblem
}

/**
 * Shows it at the bottom of the window (`OfflineNote`); null removes it. Uses an event, so that pages without forms
 * don't load this code.
 */
function tell(words: string | null): void {
  window.dispatchEvent(new CustomEvent('told', { detail: words }))
}
