import { useRef, useState, type FormEvent, type MouseEvent } from 'react'
import { paths } from '#app/paths.ts'
import { Icon } from '#app/ui/icon.tsx'

/** The ZIP chip. Without script it is a link to the ZIP page; with it the same form opens over the page. */
export function ZipDialog({ zip, city }: { zip: string | null; city: string | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)

  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    setProblem('')
    // A browser that let its cookies go still knows what it kept itself.
    if (input.current) input.current.value ||= keptZip()
    dialog.current?.showModal()
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const typed = input.current?.value.trim() ?? ''
    if (!/^\d{5}(-?\d{4})?$/.test(typed)) return setProblem(badZip)
    setBusy(true)
    try {
      const response = await post('/zip.data', { zip: typed })
      if (response.ok || response.status === 202) return keepAndReload(typed.slice(0, 5))
      setProblem(badZip)
    } catch {
      setProblem('Oops, something went wrong! Please try again.')
    }
    setBusy(false)
  }

  async function locateNearest({ coords }: GeolocationPosition): Promise<void> {
    // What a server that cannot be reached would have said.
    let status = 'UNKNOWN_ERROR'
    try {
      const response = await post(paths.nearestZip(), { latitude: String(coords.latitude), longitude: String(coords.longitude) })
      const answer = (await response.json()) as { zip?: string; status: string }
      if (answer.zip !== undefined) return keepAndReload(answer.zip)
      status = answer.status
    } catch {
      // The status says it.
    }
    setProblem(`Geocoder failed due to: ${status}`)
    setBusy(false)
  }

  function locate() {
    if (!('geolocation' in navigator)) return setProblem('Sorry, but Geolocation is not supported by this browser.')
    setProblem('')
    setBusy(true)
    navigator.geolocation.getCurrentPosition(
      (position) => void locateNearest(position),
      () => {
        setBusy(false)
        setProblem('Your browser was not able to retrieve your location')
      },
      { timeout: 8_000, maximumAge: 600_000 },
    )
  }

  return (
    <>
      <a className="row plain zip-link" href="/zip" onClick={open}>
        <Icon name="pin" size="s" />
        <span>
          {zip ?? 'Set your ZIP'}
          {city ? <span className="zip-city"> {city}</span> : null}
        </span>
      </a>
      <dialog className="modal" ref={dialog} aria-labelledby="zip-title">
        <form method="post" action="/zip" className="stack" onSubmit={(event) => void submit(event)} noValidate>
          <h2 id="zip-title">Where will you use the tires?</h2>
          <p className="small muted">It decides which shops are near, when tires can be there, and what tax you pay.</p>
          <div className="field-row">
            <label className="field" htmlFor="dialog-zip">
              ZIP code
            </label>
            <input
              className="input"
              id="dialog-zip"
              name="zip"
              ref={input}
              defaultValue={zip ?? ''}
              inputMode="numeric"
              autoComplete="postal-code"
              maxLength={10}
              aria-describedby={problem ? 'dialog-zip-error' : undefined}
              aria-invalid={problem ? true : undefined}
            />
            {problem ? (
              <p className="field-error" id="dialog-zip-error" role="alert">
                {problem}
              </p>
            ) : null}
          </div>
          <button className="btn primary" type="submit" disabled={isBusy}>
            Use this ZIP
          </button>
          <button className="btn quiet" type="button" onClick={locate} disabled={isBusy}>
            <Icon name="pin" /> Use my location
          </button>
          <button className="link" type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </form>
      </dialog>
    </>
  )
}

const badZip = 'Oops. Please enter a valid ZIP code.'
const keptName = 'sw_zip'

function post(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'application/json' } })
}

/** The answer set the cookie; every price and time on the page depends on it. */
function keepAndReload(zip: string): void {
  try {
    localStorage.setItem(keptName, zip)
  } catch {
    // A browser that keeps nothing still has the cookie.
  }
  window.location.reload()
}

function keptZip(): string {
  try {
    return localStorage.getItem(keptName) ?? ''
  } catch {
    return ''
  }
}
