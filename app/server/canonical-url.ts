import { matchRoutes } from 'react-router'

type BuiltRoute = { readonly id: string; readonly path?: string; readonly index?: boolean }

/**
 * One spelling for every address: no doubled or closing slash, and the fixed parts of a route as the list of routes
 * writes them. What stands for a parameter is left as it is: only its page knows how it is canonicalPath. An address
 * without a page comes back with its slashes put right.
 */
export function createCanonicalPath(routes: readonly (BuiltRoute | undefined)[]): (pathname: string) => string {
  const known = routes.flatMap((route) =>
    route && (route.index || route.path) ? [{ id: route.id, path: route.path ?? '/' }] : [],
  )
  return (pathname) => {
    if (!looksOdd.test(pathname)) return pathname
    const path = pathname.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
    const pattern = matchRoutes(known, path)?.at(-1)?.route.path
    if (pattern === undefined) return path
    const fixed = pattern.split('/').filter(Boolean)
    const parts = path.split('/').slice(1)
    return `/${parts.map((part, index) => (/^[^:*]/.test(fixed[index] ?? '*') ? fixed[index] : part)).join('/')}`
  }
}

/** Nearly every request asks for an address that is right, and is told so by this alone. */
const looksOdd = /[A-Z]|\/\/|.\/$/
