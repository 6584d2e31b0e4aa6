/** What the ZIP dialog asks of the server and the browser. Loaded when it is opened: few pages are where anybody does. Each answers with what went wrong, or ''. */
import { paths } from '#app/paths.ts'

const badZip = 'Oops. Please enter a valid ZIP code.'
const keptName = 'sw_zip'

export async function askTyped(typed: string): Promise<string> {
  if (!/^\d{5}(-?\d{4})?$/.test(typed)) return badZip
  const response = await post('/zip.data', { zip: typed })
  // A redirect of the form arrives as 202.
  if (response.status >= 500) throw new Error('The server could not look.')
  return response.ok || response.status === 202 ? keepAndReload(typed.slice(0, 5)) : badZip
}

export async function askLocation(): Promise<string> {
  if (!('geolocation' in navigator)) return 'Sorry, but Geolocation is not supported by this browser.'
  const found = await new Promise<GeolocationPosition | null>((settle) => {
    navigator.geolocation.getCurrentPosition(settle, () => settle(null), { timeout: 8_000, maximumAge: 600_000 })
  })
  if (!found) return 'Your browser was not able to retrieve your location'
  const { latitude, longitude } = found.coords
  try {
    const response = await post(paths.nearestZip(), { latitude: String(latitude), longitude: String(longitude) })
    const answer = (await response.json()) as { zip?: string; status: string }
    return answer.zip === undefined ? `Geocoder failed due to: ${answer.status}` : keepAndReload(answer.zip)
  } catch {
    return 'Geocoder failed due to: UNKNOWN_ERROR'
  }
}

/** The ZIP that this browser kept itself, whatever became of its cookies. */
export function keptZip(): string {
  try {
    return localStorage.getItem(keptName) ?? ''
  } catch {
    return ''
  }
}

function post(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'application/json' } })
}

/** The answer set the cookie; every price and time on the page depends on it. */
function keepAndReload(zip: string): string {
  try {
    localStorage.setItem(keptName, zip)
  } catch {
    // A browser that keeps nothing still has the cookie.
  }
  window.location.reload()
  return ''
}
