import { matchRoutes } from 'react-router'

type BuiltRoute = { readonly id: string; readonly path?: string; readonly index?: boolean }

/**
 * Returns a path's canonical spelling, without doubled or trailing slashes, and with a route's static parts as in the
 * route list. Parameters are unchanged, because only their page can determine their canonical form. A path without a
 * page only gets its slashes fixed.
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

/** Nearly every path is already canonical, which this test detects without further checks. */
const looksOdd = /[A-Z]|\/\/|.\/$/
