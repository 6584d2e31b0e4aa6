import type { CardEntry, CardFaults } from './card-entry.ts'

/** The sandbox server's response to the card typed. */
export type ConfirmAnswer =
  | { status: 'authorized' | 'failed' | 'unknown'; error: string | null }
  | { status: 'challenge'; url: string }

/** The page's fields as the frame's script uses them. */
export type CardForm = {
  read(): CardEntry
  /** Shows the errors of fields the shopper has left, and returns the first. */
  check(): { complete: boolean; error: string | null }
  /** Checks every field as if the shopper had left it, and focuses the first invalid one. */
  checkAll(): { error: string | null }
  /** Focuses the first invalid field, or else the first field. */
  focus(): void
  /** Calls `changed` after each key and whenever a field loses focus, `submitted` on Enter. */
  listen(heard: { changed: () => void; submitted: () => void }): void
}

/**
 * Reads and marks the card's inputs. Sent to the browser as source text, so it must not use anything from outside
 * itself.
 */
export function openCardForm(faultsOf: (entry: CardEntry, year: number, month: number) => CardFaults): CardForm {
  const names = ['number', 'expiry', 'cvc', 'zip'] as const
  const leftBehind = new Set<string>()

  const input = (name: string) => document.getElementById(name) as HTMLInputElement | null
  const read = (): CardEntry => ({
    number: input('number')?.value ?? '',
    expiry: input('expiry')?.value ?? '',
    cvc: input('cvc')?.value ?? '',
    zip: input('zip')?.value ?? '',
  })
  const faultsNow = () => {
    const today = new Date()
    return faultsOf(read(), today.getFullYear(), today.getMonth() + 1)
  }

  function check(): { complete: boolean; error: string | null } {
    const faults = faultsNow()
    let error: string | null = null
    for (const name of names) {
      const fault = (leftBehind.has(name) && faults[name]) || ''
      const place = document.getElementById(`${name}-fault`)
      if (place) place.textContent = fault
      input(name)?.setAttribute('aria-invalid', String(fault !== ''))
      error ??= fault || null
    }
    return { complete: Object.keys(faults).length === 0, error }
  }

  function focus(): void {
    const faults = faultsNow()
    input(names.find((name) => faults[name] !== undefined) ?? 'number')?.focus()
  }

  return {
    read,
    check,
    focus,
    checkAll() {
      for (const name of names) leftBehind.add(name)
      const { error } = check()
      if (error !== null) focus()
      return { error }
    },
    listen({ changed, submitted }) {
      for (const name of names) {
        input(name)?.addEventListener('input', changed)
        input(name)?.addEventListener('blur', () => {
          if (input(name)?.value) leftBehind.add(name)
          changed()
        })
        input(name)?.addEventListener('keydown', (event) => {
          if (event.key === 'Enter') submitted()
        })
      }
    },
  }
}

/**
 * The script of the card fields' frame. Sent to the browser as source text, so it uses only its arguments. Listens to
 * one parent only, at the configured store origin.
 *
 * Messages to the parent:
 *   { from: 'sidewall-fields', type: 'ready' }
 *   { from: 'sidewall-fields', type: 'height', height }              pixels the frame needs
 *   { from: 'sidewall-fields', type: 'change', complete, error }     error: the first error of a field the shopper left, or null
 *   { from: 'sidewall-fields', type: 'submit' }                      Enter was pressed in a field
 *   { from: 'sidewall-fields', type: 'challenge' }                   the frame shows the bank's page now
 *   { from: 'sidewall-fields', type: 'result', status, error }       status: 'authorized', 'failed' (error says why), or 'unknown' (no answer came:
 *                                                                    ask the server for the payment's status before trying again)
 * Messages from the parent:
 *   { to: 'sidewall-fields', type: 'confirm' }                       pay with what is typed; answered by one result
 *   { to: 'sidewall-fields', type: 'focus' }                         focus the first invalid field
 */
export function runFields(form: CardForm): void {
  const {
    parentOrigin = '',
    clientSecret = '',
    outcome,
    outcomeError,
  } = document.getElementById('frame')?.dataset ?? {}
  let isConfirming = false

  const tell = (message: object) => parent.postMessage({ from: 'sidewall-fields', ...message }, parentOrigin)

  async function confirm(): Promise<void> {
    const { error } = form.checkAll()
    if (error !== null) {
      tell({ type: 'result', status: 'failed', error })
      return
    }
    try {
      const response = await fetch('/fields/confirm', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ clientSecret, origin: parentOrigin, ...form.read() }),
        signal: AbortSignal.timeout(40_000),
      })
      const answer = (await response.json()) as ConfirmAnswer
      if (answer.status === 'challenge') {
        tell({ type: 'challenge' })
        location.assign(answer.url)
      } else {
        tell({ type: 'result', status: answer.status, error: answer.error })
      }
    } catch {
      tell({ type: 'result', status: 'unknown', error: 'The bank did not answer in time.' })
    }
  }

  addEventListener('message', ({ origin, source, data }: MessageEvent<{ to?: unknown; type?: unknown } | null>) => {
    if (origin !== parentOrigin || source !== parent || data?.to !== 'sidewall-fields') return
    if (data.type === 'focus') form.focus()
    if (data.type === 'confirm' && !isConfirming) {
      isConfirming = true
      void confirm().finally(() => {
        isConfirming = false
      })
    }
  })
  form.listen({
    changed: () => tell({ type: 'change', ...form.check() }),
    submitted: () => tell({ type: 'submit' }),
  })
  new ResizeObserver(() => tell({ type: 'height', height: document.documentElement.offsetHeight })).observe(
    document.documentElement,
  )
  tell({ type: 'ready' })
  if (outcome) tell({ type: 'result', status: outcome, error: outcomeError || null })
}
