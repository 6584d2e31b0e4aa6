import { useEffect, useRef } from 'react'
import { ScrollRestoration, useLocation } from 'react-router'

/**
 * What a browser does by itself when it loads a page, for pages that the router shows without loading: a new page starts
 * at its top with the focus on its heading, and back and forward restore the scroll position.
 *
 * Submitting a form with `preventScrollReset` to the same path counts as the same page.
 */
export function NewPage() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    focusHeading()
  }, [pathname])
  return <ScrollRestoration />
}

/** Does not scroll: the position is the router's to set. What kept the focus or took it, such as an alert, keeps it. */
function focusHeading(): void {
  if (document.activeElement && document.activeElement !== document.body) return
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
