/**
 * How the script of a page sends its forms: whatever keeps an answer from coming is named at the foot of the window,
 * and the page stays as it is, with what was typed in it. Without this a failure would replace the page, and every
 * field with it.
 */
import { technicalMessages } from '#content/messages/technical.ts'
import { data, isRouteErrorResponse } from 'react-router'

/** The status of an answer that never came: nothing is read again after it, since that would fail as well. */
export const unsentStatus = 599

const slowAfterMs = 8_000

/**
 * What `send` comes to, or undefined after a failure that was told. Answers that belong to the page, refusals and
 * redirects among them, pass.
 */
export async function sendAndKeep<Answer>(send: () => Promise<Answer>) {
  tell(null)
  const slow = setTimeout(
    () => tell('The store takes long to answer. It is still being sent: what you typed is here.'),
    slowAfterMs,
  )
  try {
    const answer = await send()
    tell(null)
    return answer
  } catch (error) {
    if (!isFailure(error)) throw error
    tell(`${whyNotSent(error)} What you typed is still here.`)
    return data(undefined, { status: unsentStatus })
  } finally {
    clearTimeout(slow)
  }
}

/** Redirects are thrown too, and pages say for themselves that something is not there or not allowed. */
function isFailure(error: unknown): boolean {
  if (error instanceof Response) return false
  return !isRouteErrorResponse(error) || error.status >= 500 || error.status === 429
}

/** What the specification says when the store itself is at fault (section 8). */
const technicalProblem = technicalMessages.fault

function whyNotSent(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    if (error.status === 429) return 'That was not sent: too much was asked at once. Wait a moment and try again.'
    return error.status === 503
      ? 'That was not sent: the store is busy right now. Try again in a moment.'
      : technicalProblem
  }
  if (error instanceof TypeError)
    return `That was not sent: ${navigator.onLine ? 'the store cannot be reached' : 'you seem to be offline'}. Try again.`
  const isBroken = error instanceof Error && /turbo-stream|decode|JSON/i.test(error.message)
  return isBroken ? 'The answer arrived broken. Try again.' : technicalProblem
}

/**
 * Says it at the foot of the window (`OfflineNote`); null takes it away. By an event, so that pages without forms carry
 * nothing of this.
 */
function tell(words: string | null): void {
  window.dispatchEvent(new CustomEvent('told', { detail: words }))
}
