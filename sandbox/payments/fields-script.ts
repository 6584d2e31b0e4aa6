import type { CardEntry, CardFaults } from './card-entry.ts'

/** What the sandbox's server answers to the card that was typed. */
export type ConfirmAnswer =
  | { status: 'authorized' | 'failed' | 'unknown'; error: string | null }
  | { status: 'challenge'; url: string }

/**
 * What runs in the card fields' frame. It is sent to the browser as text, so it uses nothing from outside itself but
 * its arguments, and listens to one parent only, at the origin the sandbox was told of.
 *
 * Messages to the parent:
 *   { from: 'sidewall-fields', type: 'ready' }
 *   { from: 'sidewall-fields', type: 'height', height }              pixels the frame needs
 *   { from: 'sidewall-fields', type: 'change', complete, error }     error: the first fault of a field left behind, or null
 *   { from: 'sidewall-fields', type: 'submit' }                      Enter was pressed in a field
 *   { from: 'sidewall-fields', type: 'challenge' }                   the frame shows the bank's page now
 *   { from: 'sidewall-fields', type: 'result', status, error }       status: 'authorized', 'failed' (error says why), or 'unknown' (no answer came:
 *                                                                    ask the server how the payment stands before trying again)
 * Messages from the parent:
 *   { to: 'sidewall-fields', type: 'confirm' }                       pay with what is typed; answered by one result
 *   { to: 'sidewall-fields', type: 'focus' }                         put the cursor into the first field that is not right
 */
export function runFields(faultsOf: (entry: CardEntry, year: number, month: number) => CardFaults): void {
  const {
    parentOrigin = '',
    clientSecret = '',
    outcome,
    outcomeError,
  } = document.getElementById('frame')?.dataset ?? {}
  const names = ['number', 'expiry', 'cvc', 'zip'] as const
  const leftBehind = new Set<string>()
  let isConfirming = false

  const input = (name: string) => document.getElementById(name) as HTMLInputElement | null
  const tell = (message: object) => parent.postMessage({ from: 'sidewall-fields', ...message }, parentOrigin)
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

  function show(faults: CardFaults): void {
    for (const name of names) {
      const fault = (leftBehind.has(name) && faults[name]) || ''
      const place = document.getElementById(`${name}-fault`)
      if (place) place.textContent = fault
      input(name)?.setAttribute('aria-invalid', String(fault !== ''))
    }
  }

  function changed(): void {
    const faults = faultsNow()
    show(faults)
    const error =
      names.map((name) => (leftBehind.has(name) ? faults[name] : undefined)).find((fault) => fault !== undefined) ??
      null
    tell({ type: 'change', complete: Object.keys(faults).length === 0, error })
  }

  async function confirm(): Promise<void> {
    for (const name of names) leftBehind.add(name)
    const faults = faultsNow()
    show(faults)
    const wrong = names.find((name) => faults[name] !== undefined)
    if (wrong) {
      input(wrong)?.focus()
      tell({ type: 'result', status: 'failed', error: faults[wrong] })
      return
    }
    try {
      const response = await fetch('/fields/confirm', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ clientSecret, origin: parentOrigin, ...read() }),
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
    if (data.type === 'focus') {
      const faults = faultsNow()
      input(names.find((name) => faults[name] !== undefined) ?? 'number')?.focus()
    }
    if (data.type === 'confirm' && !isConfirming) {
      isConfirming = true
      void confirm().finally(() => {
        isConfirming = false
      })
    }
  })
  for (const name of names) {
    input(name)?.addEventListener('input', changed)
    input(name)?.addEventListener('blur', () => {
      if (input(name)?.value) leftBehind.add(name)
      changed()
    })
    input(name)?.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') tell({ type: 'submit' })
    })
  }
  new ResizeObserver(() => tell({ type: 'height', height: document.documentElement.offsetHeight })).observe(
    document.documentElement,
  )
  tell({ type: 'ready' })
  if (outcome) tell({ type: 'result', status: outcome, error: outcomeError || null })
}
