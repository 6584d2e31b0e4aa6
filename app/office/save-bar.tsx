import { useEffect, useState } from 'react'
import { countOf } from '#platform/count-text.ts'
import { changeOf, controlsOf, savedOption, useFormInput, type FormControl } from './form-input.ts'

type Change = { name: string; label: string; from: string; to: string }
type Unsaved = { changes: Change[]; isRefused: boolean; isUnsaved: boolean; discard(): void }

/**
 * Returns the unsaved changes in a form, marks their fields, warns before the page is left, and saves with Ctrl+S. Preview
 * fields outside the form are not saved. `isRefused` is true for a form that came back with an error. Without script,
 * there are no changes, and the button in the form saves.
 */
export function useUnsavedChanges(formId: string, isRefused: boolean): Unsaved {
  const [changes, setChanges] = useState<Change[]>([])
  const read = () => setChanges(markChanges(formId))
  useFormInput(formId, read)
  const hasChanges = changes.length > 0
  useEffect(() => (hasChanges ? guard(formId) : undefined), [formId, hasChanges])
  return {
    changes,
    isRefused,
    isUnsaved: isRefused || hasChanges,
    discard() {
      const controls = controlsOf(formId)
      for (const control of controls) reset(control)
      // A preview follows, too.
      controls[0]?.dispatchEvent(new Event('input', { bubbles: true }))
    },
  }
}

function markChanges(formId: string): Change[] {
  return controlsOf(formId).flatMap((control) => {
    const change = changeOf(control)
    control.toggleAttribute('data-changed', change !== null)
    return change ? [{ name: control.name, label: labelOf(control), ...change }] : []
  })
}

function reset(control: FormControl): void {
  if (control instanceof HTMLSelectElement) control.value = savedOption(control)?.value ?? ''
  else if (control.type === 'checkbox' && control instanceof HTMLInputElement) control.checked = control.defaultChecked
  else control.value = control.defaultValue
}

/** Returns a field's label, after the legend of its group. */
function labelOf(control: FormControl): string {
  const own = control.ariaLabel ?? control.labels?.[0]?.textContent ?? control.name
  const group = control.closest('fieldset')?.querySelector('legend')?.textContent
  return [group, own].flatMap((text) => (text ? [text.replace(/ \(optional\)$/, '')] : [])).join(', ')
}

/** Warns before the page is left, except by submitting the form, and submits it with Ctrl+S. Returns a cleanup. */
function guard(formId: string): () => void {
  const stop = new AbortController()
  const { signal } = stop
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (target instanceof HTMLFormElement && target.id === formId) stop.abort()
    },
    { signal },
  )
  document.addEventListener(
    'keydown',
    (event) => {
      const form = document.getElementById(formId)
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || !(form instanceof HTMLFormElement)) return
      event.preventDefault()
      form.requestSubmit(document.querySelector<HTMLButtonElement>('.save-bar button[name="intent"]'))
    },
    { signal },
  )
  return () => stop.abort()
}

/** The maximum number of listed changes. */
const mostListed = 3

/** The bar at the bottom of the page with the unsaved changes and the effect of saving them. */
export function SaveBar({
  formId,
  intent,
  label,
  note,
  unsaved: { changes, isRefused, isUnsaved, discard },
}: {
  formId: string
  /** The form's button that saves. */
  intent: string
  label: string
  note: string
  unsaved: Unsaved
}) {
  if (!isUnsaved) return null
  const more = changes.length - mostListed
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      <p>
        <b>{changes.length === 0 ? 'Not saved.' : `${countOf(changes.length, 'unsaved change')}:`}</b>{' '}
        {changes.slice(0, mostListed).map(({ name, label: field, from, to }) => (
          <span key={name}>
            {field} {from || 'none'} → {to || 'none'}.{' '}
          </span>
        ))}
        {more > 0 ? `And ${more} more. ` : null}
        {note}
      </p>
      <div className="row">
        {isRefused ? (
          <a className="btn" href="?">
            Discard
          </a>
        ) : (
          <button className="btn" type="button" onClick={discard}>
            Discard
          </button>
        )}
        <button className="btn primary" form={formId} name="intent" value={intent}>
          {label}
        </button>
      </div>
    </section>
  )
}
