import { useEffect, useRef } from 'react'
import { ScrollRestoration, useLocation } from 'react-router'

/**
 * What a browser does by itself when it loads a page, for pages that the router shows without loading: a new page starts
 * at its top with the focus on its heading, and back and forward restore the scroll position. Steps of the checkout that
 * are loaded as documents start the same way as the others.
 */
export function NewPage() {
  const { pathname } = useLocation()
  const shown = useRef<string>(undefined)
  useEffect(() => {
    const isNew = shown.current === undefined ? isNextStep(pathname) : shown.current !== pathname
    shown.current = pathname
    if (isNew) focusHeading()
  }, [pathname])
  return <ScrollRestoration />
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

/** Does not scroll: the position is the router's to set. What kept the focus or took it, such as an alert, keeps it. */
function focusHeading(): void {
  if (document.activeElement && document.activeElement !== document.body) return
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
