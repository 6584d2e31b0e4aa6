/** Listens to input in a form, for a preview or a list of unsaved changes. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { useFetcher } from 'react-router'

export type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function isFormControl(element: unknown): element is FormControl {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

/** Calls `listen` after each change in the form, also in fields elsewhere on the page that belong to it. */
export function useFormInput(formId: string, listen: (form: HTMLFormElement, changed: FormControl) => void): void {
  const onInput = useEffectEvent(({ target }: Event) => {
    if (isFormControl(target) && target.form?.id === formId) listen(target.form, target)
  })
  useEffect(() => {
    const stop = new AbortController()
    document.addEventListener('input', (event) => onInput(event), { signal: stop.signal })
    return () => stop.abort()
  }, [])
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
