/**
 * What the ZIP dialog requests from the server and the browser. Loaded only when the dialog opens. Each function
 * returns the error message, or ''.
 */
import { badZipMessage } from '#content/messages/places.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import type { ApiFailure } from '#api/client/client.ts'
import { paths } from '#content/paths.ts'
import { answerOf, pages, whyNot } from '#app/ui/store-client.ts'

const badZip = badZipMessage
const keptName = 'sw_zip'

export async function askTyped(typed: string): Promise<string> {
  if (!/^\d{5}(-?\d{4})?$/.test(typed)) return badZip
  return choose(
    { zip: typed },
    (failure) => `We could not look it up: ${whyNot(failure)}. Your ZIP is still here: try again.`,
  )
}

export async function askLocation(): Promise<string> {
  if (!('geolocation' in navigator)) return technicalMessages.noGeolocation
  const found = await new Promise<GeolocationPosition | null>((settle) => {
    navigator.geolocation.getCurrentPosition(settle, () => settle(null), { timeout: 8_000, maximumAge: 600_000 })
  })
  if (!found) return technicalMessages.notLocated
  const { latitude, longitude } = found.coords
  return choose({ latitude, longitude }, () => 'Geocoder failed due to: UNKNOWN_ERROR')
}

/** The ZIP this browser stored itself, whatever became of its cookies. */
export function keptZip(): string {
  try {
    return localStorage.getItem(keptName) ?? ''
  } catch {
    return ''
  }
}

/** The server's own message about a choice is shown as is. */
async function choose(
  form: { zip: string } | { latitude: number; longitude: number },
  wordsOf: (failure: ApiFailure) => string,
): Promise<string> {
  const answer = await answerOf(pages.call(`POST ${paths.zipChoice()}`, { form }))
  return answer.ok ? keepAndReload(answer.data.zip) : answer.statusCode === 422 ? answer.message : wordsOf(answer)
}

/** The response set the cookie; every price and time on the page depends on it. */
function keepAndReload(zip: string): string {
  try {
    localStorage.setItem(keptName, zip)
  } catch {
    // A browser without storage still has the cookie.
  }
  window.location.reload()
  return ''
}
