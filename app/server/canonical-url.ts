import { matchRoutes } from 'react-router'

type BuiltRoute = { readonly id: string; readonly path?: string; readonly index?: boolean }

/**
 * Returns one spelling for every address: no doubled or trailing slash, and the static parts of a route as the route
 * list writes them. Parameters are left alone: only their page knows their canonical form. An address without a page
 * gets only its slashes fixed.
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

/** Nearly every address is already canonical, and this test alone decides so. */
const looksOdd = /[A-Z]|\/\/|.\/$/
