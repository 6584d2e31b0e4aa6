import { useRef, useState, type FormEvent, type MouseEvent, type RefObject } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { technicalMessages } from '#content/messages/technical.ts'

/** The ZIP chip. Without script it links to the ZIP page; with script the same form opens over the page. */
export function ZipDialog({ zip, city }: { zip: string | null; city: string | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)

  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    setProblem('')
    dialog.current?.showModal()
    // A browser with cleared cookies may still have the stored ZIP code.
    void loadAsking()
      .then(({ keptZip }) => input.current && (input.current.value ||= keptZip()))
      .catch(() => {})
  }

  async function ask(how: (asking: Asking) => Promise<string>): Promise<void> {
    setBusy(true)
    setProblem('')
    try {
      setProblem(await how(await loadAsking()))
    } catch {
      setProblem(technicalMessages.tryAgain)
    }
    setBusy(false)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void ask(({ askTyped }) => askTyped(input.current?.value.trim() ?? ''))
  }

  return (
    <>
      <a className="row plain zip-link" href="/zip" onClick={open} data-waits>
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
          <ZipField zip={zip} problem={problem} input={input} />
          <button className="btn primary" type="submit" disabled={isBusy}>
            Use this ZIP
          </button>
          <button
            className="btn quiet"
            type="button"
            onClick={() => void ask(({ askLocation }) => askLocation())}
            disabled={isBusy}
          >
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

function ZipField({
  zip,
  problem,
  input,
}: {
  zip: string | null
  problem: string
  input: RefObject<HTMLInputElement | null>
}) {
  return (
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
  )
}

type Asking = typeof import('#app/ui/zip-asking.ts')

/** The dialog is on every page but rarely opened. */
function loadAsking(): Promise<Asking> {
  return import('#app/ui/zip-asking.ts')
}
