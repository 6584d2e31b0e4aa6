/**
 * Browsers send a visitor's cookies with requests caused by other sites. They also send the request's source in
 * `Origin` and `Sec-Fetch-Site`, which pages can't forge. Requests from other sites can't make changes, regardless of
 * their body.
 */
import type { MiddlewareHandler } from 'hono'

type Read = (header: 'origin' | 'sec-fetch-site') => string | undefined

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns whether a request comes from another site. A request without these headers comes from a program, or from an
 * old browser.
 */
export function comesFromElsewhere(read: Read, ownOrigin: string): boolean {
  const [origin, site] = [read('origin'), read('sec-fetch-site')]
  // Browsers send "null" for a page that hides its URL with its referrer policy. `Sec-Fetch-Site` still contains its
  // site. A sandboxed frame, which also sends "null", is `cross-site`.
  const isHidden = origin === 'null' && site === 'same-origin'
  return (
    (origin !== undefined && origin !== ownOrigin && !isHidden) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  )
}

/** Returns whether a request comes from one of our pages. */
export function comesFromHere(read: Read, ownOrigin: string): boolean {
  return (
    !comesFromElsewhere(read, ownOrigin) && (read('origin') === ownOrigin || read('sec-fetch-site') === 'same-origin')
  )
}

/** Answers with `refuse` any request that changes something and does not come from one of our pages. */
export function refuseOthers(ownOrigin: string, refuse: MiddlewareHandler): MiddlewareHandler {
  return (c, next) =>
    harmless.has(c.req.method) || comesFromHere((name) => c.req.header(name), ownOrigin) ? next() : refuse(c, next)
}
