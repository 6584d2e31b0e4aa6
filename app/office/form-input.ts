/** Listens to input in a form, for a preview or a list of unsaved changes. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { useFetcher } from 'react-router'
import { wallClockText } from '#app/views/warehouse-hours.ts'

export type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function isFormControl(element: unknown): element is FormControl {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

/** Returns the saved fields inside a form. */
export function controlsOf(formId: string): FormControl[] {
  const form = document.getElementById(formId)
  if (!(form instanceof HTMLFormElement)) return []
  return [...form.elements].filter(
    (element): element is FormControl => isFormControl(element) && element.type !== 'hidden' && form.contains(element),
  )
}

/** Returns a changed field's saved and current values as text, or null. */
export function changeOf(control: FormControl): { from: string; to: string } | null {
  const values = valuesOf(control)
  return isSame(values.from, values.to) ? null : values
}

function valuesOf(control: FormControl): { from: string; to: string } {
  if (control instanceof HTMLSelectElement) {
    const saved = savedOption(control)
    return { from: saved?.text ?? '', to: control.selectedOptions[0]?.text ?? '' }
  }
  if (control.type === 'checkbox' && control instanceof HTMLInputElement)
    return { from: control.defaultChecked ? 'on' : 'off', to: control.checked ? 'on' : 'off' }
  const shown = control.type === 'time' ? wallClockText : (text: string) => text.trim()
  return { from: shown(control.defaultValue), to: shown(control.value) }
}

/** Returns the initially selected option. */
export function savedOption({ options }: HTMLSelectElement): HTMLOptionElement | undefined {
  return [...options].find(({ defaultSelected }) => defaultSelected) ?? options[0]
}

/** "5" and "5.00" are the same amount. */
function isSame(from: string, to: string): boolean {
  return from === to || (from !== '' && to !== '' && Number(from) === Number(to))
}

/**
 * Calls `listen` after each change in the form, including its fields elsewhere on the page, and for fields changed
 * before hydration.
 */
export function useFormInput(formId: string, listen: (form: HTMLFormElement, changed: FormControl) => void): void {
  const onInput = useEffectEvent(({ target }: Event) => {
    if (isFormControl(target) && target.form?.id === formId) listen(target.form, target)
  })
  useEffect(() => {
    const stop = new AbortController()
    document.addEventListener('input', (event) => onInput(event), { signal: stop.signal })
    const report = () => {
      for (const control of controlsOf(formId))
        if (changeOf(control)) control.dispatchEvent(new Event('input', { bubbles: true }))
    }
    // A button pressed before hydration loses its click if a listener moves or removes it before the release.
    if (document.querySelector('button:active'))
      document.addEventListener('pointerup', () => setTimeout(report), { once: true, signal: stop.signal })
    else report()
    return () => stop.abort()
  }, [formId])
}

/** The delay after the last key, in milliseconds. */
const pauseMs = 300

/**
 * Previews the entered values. `read` posts the form with the intent `preview`, immediately after a choice and otherwise
 * 300 ms after the last key. `reply` is the last response.
 */
export function useLivePreview<Reply>(address: string): {
  read(form: HTMLFormElement, changed: EventTarget): void
  reply: ReturnType<typeof useFetcher<Reply>>['data']
} {
  const fetcher = useFetcher<Reply>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    read(form, changed) {
      clearTimeout(timer.current)
      timer.current = setTimeout(
        () => {
          const fields = new FormData(form)
          fields.set('intent', 'preview')
          void fetcher.submit(fields, { method: 'post', action: address })
        },
        changed instanceof HTMLSelectElement ? 0 : pauseMs,
      )
    },
    reply: fetcher.data,
  }
}
