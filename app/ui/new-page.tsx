import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * Emulates page load behavior for checkout steps that the router shows without loading. A new step starts at its top
 * with the focus on its heading, and back and forward restore the scroll position. Steps that are loaded as documents
 * get the focus too. A page with such steps has it in its handle as `arrival`; the router's own component would add its
 * weight to every page of the store, and keep positions in session storage.
 */
export function NewPage() {
  const { pathname, hash, key } = useLocation()
  const type = useNavigationType()
  const shown = useRef<{ pathname: string; key: string }>(undefined)
  useEffect(() => keepScrollPositions(() => shown.current?.key), [])
  useLayoutEffect(() => {
    const before = shown.current?.pathname
    shown.current = { pathname, key }
    if (before === undefined) {
      if (isNextStep(pathname)) focusHeading()
      return
    }
    if (type === NavigationType.Pop) window.scrollTo(0, positions.get(key) ?? keptPosition())
    else if (before !== pathname) startAt(hash)
    if (before !== pathname) focusHeading()
  }, [key, pathname, hash, type])
  return null
}

/** By the key of the history entry, as long as the document lives. */
const positions = new Map<string, number>()

/**
 * Stores the current page's position, and shortly afterward in its history entry, which outlives the document, because
 * browsers limit how often an entry may change. While another page is loading, the entry belongs to that page.
 */
function keepScrollPositions(shownKey: () => string | undefined): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = () => {
    const state = history.state as { key?: string } | null
    if ((state?.key ?? 'default') === shownKey()) history.replaceState({ ...state, scrollY: window.scrollY }, '')
  }
  const keepSoon = () => {
    positions.set(shownKey() ?? '', window.scrollY)
    clearTimeout(timer)
    timer = setTimeout(keep, 100)
  }
  // The browser restores the positions of documents that it loads.
  const leave = () => (history.scrollRestoration = 'auto')
  const enter = () => (history.scrollRestoration = 'manual')
  enter()
  window.addEventListener('scroll', keepSoon, { passive: true })
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', enter)
  return () => {
    clearTimeout(timer)
    leave()
    window.removeEventListener('scroll', keepSoon)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', enter)
  }
}

function keptPosition(): number {
  return (history.state as { scrollY?: number } | null)?.scrollY ?? 0
}

function startAt(hash: string): void {
  const named = hash === '' ? null : document.getElementById(hash.slice(1))
  if (named) named.scrollIntoView()
  else window.scrollTo(0, 0)
}

/** Whether this document was loaded as a step of the checkout after another one. */
function isNextStep(pathname: string): boolean {
  const [load] = performance.getEntriesByType('navigation')
  const isLoaded = load instanceof PerformanceNavigationTiming && load.type === 'navigate'
  const before = URL.parse(document.referrer)
  return isLoaded && isStep(pathname) && before?.origin === location.origin && isStep(before.pathname)
}

function isStep(pathname: string): boolean {
  return pathname === '/cart' || pathname.startsWith('/checkout/')
}

/** Does not scroll. An element that already has the focus, such as an alert, retains it. */
function focusHeading(): void {
  if (document.activeElement && document.activeElement !== document.body) return
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
