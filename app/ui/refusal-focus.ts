import { useEffect, useRef, useSyncExternalStore, type RefObject } from 'react'

/**
 * For the box that says why `reply` refused: it takes the focus when it appears, once for each reply. Where the server
 * drew it, it leaves the focus in a field that somebody went back to before the page was hydrated.
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
 * Attributes of the element that says why a form was refused: on a page without script the browser moves the focus to it.
 * Only for an answer to what somebody sent; any other page starts without focus.
 */
export const focusedOnLoad = { autoFocus: true } as const

const watchNothing = () => () => undefined
const isNotHydrating = () => false
const isHydratingNow = () => true
