/**
 * Browsers send a visitor's cookies along with requests that another site makes them post. They also state the
 * request's source in `Origin` and `Sec-Fetch-Site`, which no page can forge: requests from other sites change nothing
 * here, whatever their body.
 */
import type { MiddlewareHandler } from 'hono'

type Read = (header: 'origin' | 'sec-fetch-site') => string | undefined

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request says that another site made it. One that does not say comes from a program, or from a browser older
 * than both headers.
 */
export function comesFromElsewhere(read: Read, ownOrigin: string): boolean {
  const [origin, site] = [read('origin'), read('sec-fetch-site')]
  // Browsers write "null" for a page that hides its address by its referrer policy; `Sec-Fetch-Site` still says which
  // site it belongs to. A sandboxed frame, which also gets "null", is `cross-site` there.
  const isHidden = origin === 'null' && site === 'same-origin'
  return (
    (origin !== undefined && origin !== ownOrigin && !isHidden) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  )
}

/** Whether a request says that one of our pages made it. */
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
