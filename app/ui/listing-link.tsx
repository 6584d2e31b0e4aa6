import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useNavigate } from '#app/router/router.tsx'

/**
 * Navigates to another state of the same list without losing the scroll position. Custom, because the router's own
 * links and forms are as large as the whole listing, without a benefit here. While offline it retries once connected,
 * preserving the list and choices.
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
