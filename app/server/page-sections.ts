/**
 * React Router checks every route in a build for every request, matching them one by one, and recreates them all for
 * each rendered page. With some 330 that took as long as to render a page of text. Therefore, URLs with the same first
 * segment form a section with a separate build (docs/decisions/002-rendering.md).
 */
import type { ServerBuild } from 'react-router'

/** What answers a request, made from a build or a part of one. */
type MakeHandler<Handler> = (build: ServerBuild) => Handler

/**
 * Returns a function that returns the handler for a path (as in `URL.pathname`), created by `make` from the build's
 * routes that can match there, once per section on its first request. Paths outside any section, such as a misspelled
 * URL or route discovery, use the whole build.
 */
export function createSections<Handler>(build: ServerBuild, make: MakeHandler<Handler>): (path: string) => Handler {
  const known = new Set(Object.values(build.routes).flatMap((route) => sectionOf(route, build) ?? []))
  const whole = make(build)
  const made = new Map<string, Handler>()
  return (path) => {
    const section = firstSegment(path)
    // The home page isn't in a section, but is the busiest page.
    if (!known.has(section) && path !== '/') return whole
    const handler = made.get(section) ?? make(partOf(build, section))
    made.set(section, handler)
    return handler
  }
}

type Route = ServerBuild['routes'][string]

/** Returns a route's section; null if it may match in any section, such as a layout, or a dynamic first segment. */
function sectionOf(route: Route, { routes }: ServerBuild): string | null {
  let path = ''
  for (let part = route; part; part = part.parentId === undefined ? undefined : routes[part.parentId])
    path = `${part.path ?? ''}/${path}`
  const section = firstSegment(`/${path.replace(/^\/+/, '')}`)
  return /^[\w-]+$/.test(section) ? section : null
}

/** Returns the first segment of a page or data URL. */
function firstSegment(path: string): string {
  return (
    path
      .slice(1)
      .split('/', 1)[0]
      ?.replace(/\.data$/, '') ?? ''
  )
}

function partOf(build: ServerBuild, section: string): ServerBuild {
  const isHere = ([id]: [string, unknown]) => {
    const own = sectionOf(build.routes[id], build)
    return own === null || own === section
  }
  const keep = <Row>(rows: Record<string, Row>) => Object.fromEntries(Object.entries(rows).filter(isHere))
  return { ...build, routes: keep(build.routes), assets: { ...build.assets, routes: keep(build.assets.routes) } }
}
