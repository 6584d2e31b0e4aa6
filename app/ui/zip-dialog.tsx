import { useRef, useState, type FormEvent, type MouseEvent } from 'react'
import { Icon } from '#app/ui/icon.tsx'

/** The ZIP chip. Without script it is a link to the ZIP page; with it the same form opens over the page. */
export function ZipDialog({ zip, city }: { zip: string | null; city: string | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)

  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    setProblem('')
    dialog.current?.showModal()
  }

  async function send(body: URLSearchParams): Promise<void> {
    setBusy(true)
    try {
      const response = await fetch('/zip.data', { method: 'POST', body, headers: { accept: 'application/json' } })
      if (response.ok || response.status === 202) return window.location.reload()
      setProblem(body.has('latitude') ? 'Geocoder failed due to: ZERO_RESULTS' : 'Oops. Please enter a valid ZIP code.')
    } catch {
      setProblem('Oops, something went wrong! Please try again.')
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = new FormData(event.currentTarget).get('zip')
    const typed = typeof field === 'string' ? field.trim() : ''
    if (!/^\d{5}(-?\d{4})?$/.test(typed)) return setProblem('Oops. Please enter a valid ZIP code.')
    void send(new URLSearchParams({ zip: typed }))
  }

  function locate() {
    if (!('geolocation' in navigator)) return setProblem('Sorry, but Geolocation is not supported by this browser.')
    setBusy(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => void send(new URLSearchParams({ latitude: String(coords.latitude), longitude: String(coords.longitude) })),
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
        <form method="post" action="/zip" className="stack" onSubmit={submit} noValidate>
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
