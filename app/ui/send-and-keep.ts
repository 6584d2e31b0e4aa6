/**
 * How the script of a page sends its forms: whatever keeps an answer from coming is named at the foot of the window, and the page stays as it is, with
 * what was typed in it. Without this a failure would replace the page, and every field with it.
 */
import { data, isRouteErrorResponse } from 'react-router'

/** The status of an answer that never came: nothing is read again after it, since that would fail as well. */
export const unsentStatus = 599

const slowAfterMs = 8_000

/** What `send` comes to, or undefined after a failure that was told. Answers that belong to the page, refusals and redirects among them, pass. */
export async function sendAndKeep<Answer>(send: () => Promise<Answer>) {
  tell(null)
  const slow = setTimeout(() => tell('The store takes long to answer. It is still being sent: what you typed is here.'), slowAfterMs)
  try {
    const answer = await send()
    tell(null)
    return answer
  } catch (error) {
    if (!isFailure(error)) throw error
    tell(`That was not sent: ${whyNotSent(error)}. What you typed is still here: try again.`)
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

function whyNotSent(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    if (error.status === 429) return 'too much was asked at once, so wait a moment'
    return error.status === 503 ? 'the store is busy right now' : 'the store has a technical problem'
  }
  if (error instanceof TypeError) return navigator.onLine ? 'the store cannot be reached' : 'you seem to be offline'
  return error instanceof Error && /turbo-stream|decode|JSON/i.test(error.message) ? 'the answer arrived broken' : 'the store has a technical problem'
}

/** Says it at the foot of the window (`OfflineNote`); null takes it away. By an event, so that pages without forms carry nothing of this. */
function tell(words: string | null): void {
  window.dispatchEvent(new CustomEvent('told', { detail: words }))
}
