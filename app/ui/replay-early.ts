/**
 * Replays the visitor's actions before hydration, as recorded by app/ui/load-late.js. Once React listens, each click,
 * choice and text input is repeated.
 */
export type Early = {
  type: string
  target: Element
  submitter?: HTMLElement | null
  /** What a field had then. */
  value?: string
  checked?: boolean
}

declare global {
  interface Window {
    /** Ends recording, and returns the events in order. Missing in documents without deferred scripts. */
    endEarly?: () => Early[]
    /** The document's URL when it was loaded. */
    loadedAddress?: string
  }
}

/** Call when the page is hydrated. */
export function replay(all: readonly Early[]): void {
  const fields = new Map(all.filter(({ value }) => value !== undefined).map((early) => [early.target, early]))
  for (const early of all) {
    const { target, submitter } = early
    if (!target.isConnected) continue
    if (early.value === undefined) {
      if (target instanceof HTMLFormElement) target.requestSubmit(submitter)
      else (target as HTMLElement).click()
    } else if (fields.get(target) === early) enterAgain(target, early.value, early.checked ?? false)
  }
}

/**
 * Enters a value as the visitor did. React compares a field with the last value set through it, which at hydration is
 * the visitor's input, so a different value is set first.
 */
function enterAgain(field: Element, value: string, checked: boolean): void {
  if (field instanceof HTMLSelectElement) {
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
    field.checked = !checked
    field.click()
  } else if (field instanceof HTMLInputElement && field.type === 'file') {
    // The field still has the file; no script may set another.
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd } = field
    field.value = ''
    // Bypasses React, which tracks values set in the usual way.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
