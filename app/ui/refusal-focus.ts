import { useEffect, useRef, useSyncExternalStore, type RefObject } from 'react'

/**
 * For the element explaining the refusal in `reply`, which takes the focus when it appears, once per reply. If rendered
 * by the server, it doesn't take the focus from a field the user returned to before hydration.
 */
export function useRefusalFocus(reply: object | undefined): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  const isHydrating = useSyncExternalStore(watchNothing, isNotHydrating, isHydratingNow)
  const wasDrawn = useRef(isHydrating)
  useEffect(() => {
    const isKept = wasDrawn.current && document.activeElement?.matches('input, select, textarea')
    wasDrawn.current = false
    if (reply && !isKept) box.current?.focus()
  }, [reply])
  return box
}

/**
 * Attributes for the element explaining a refused form; on a page without script the browser focuses it. Only in a
 * response to a submission; other pages start without focus.
 */
export const focusedOnLoad = { autoFocus: true } as const

const watchNothing = () => () => undefined
const isNotHydrating = () => false
const isHydratingNow = () => true
