import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/**
 * Goes to another state of the same list and stays where one is on the page. By hand, because the router's own links
 * and forms weigh as much as the whole listing and do nothing more that is needed here. Without a connection it waits
 * for one: the list and what was chosen stay.
 */
export function useStayingNavigation(): (path: string) => void {
  const navigate = useNavigate()
  return (path) => {
    const go = () => void navigate(path, { preventScrollReset: true })
    if (navigator.onLine) go()
    else window.addEventListener('online', go, { once: true })
  }
}

/** A plain link that, with script, changes the list in place. */
export function ListingLink({ href, children, ...anchor }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const go = useStayingNavigation()
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(href)
  }
  return (
    <a {...anchor} href={href} onClick={follow}>
      {children}
    </a>
  )
}
