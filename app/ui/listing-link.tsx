import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/**
 * Navigates to another state of the same list without losing the scroll position. Done by hand because the router's own
 * links and forms weigh as much as the whole listing and add nothing needed here. While offline it waits for a
 * connection: the list and the choices stay.
 */
export function useStayingNavigation(): (path: string) => void {
  const navigate = useNavigate()
  return (path) => {
    const go = () => void navigate(path, { preventScrollReset: true })
    if (navigator.onLine) go()
    else window.addEventListener('online', go, { once: true })
  }
}

/** A plain link that, with script, updates the list in place. */
export function ListingLink({ href, children, ...anchor }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const go = useStayingNavigation()
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(href)
  }
  return (
    <a {...anchor} href={href} onClick={follow} data-waits>
      {children}
    </a>
  )
}
