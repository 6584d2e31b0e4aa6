/**
 * React Router looks at every route of a build for every request: it matches one after the other, and makes all of them
 * anew for each page that it renders. With some 330 that took as long as to render a page of text. So the addresses with
 * the same first segment, which are a section, have a build of their own (docs/decisions/096-a-build-for-each-section.md).
 */
import type { ServerBuild } from 'react-router'

/** What answers a request, made from a build or a part of one. */
type MakeHandler<Handler> = (build: ServerBuild) => Handler

/**
 * Returns what answers a path (as in `URL.pathname`): made by `make` from those of the build's routes that can match
 * there, once for each section and with its first path. What belongs to no section, such as a misspelled address or the
 * routes that a page discovers, is answered from the whole build.
 */
export function createSections<Handler>(build: ServerBuild, make: MakeHandler<Handler>): (path: string) => Handler {
  const known = new Set(Object.values(build.routes).flatMap((route) => sectionOf(route, build) ?? []))
  const whole = make(build)
  const made = new Map<string, Handler>()
  return (path) => {
    const section = firstSegment(path)
    // No section of its own, but the busiest page.
    if (!known.has(section) && path !== '/') return whole
    const handler = made.get(section) ?? make(partOf(build, section))
    made.set(section, handler)
    return handler
  }
}

type Route = ServerBuild['routes'][string]

/** Null for a route that may match in any section: a layout, or one whose first segment is no fixed text. */
function sectionOf(route: Route, { routes }: ServerBuild): string | null {
  let path = ''
  for (let part = route; part; part = part.parentId === undefined ? undefined : routes[part.parentId])
    path = `${part.path ?? ''}/${path}`
  const section = firstSegment(`/${path.replace(/^\/+/, '')}`)
  return /^[\w-]+$/.test(section) ? section : null
}

/** Of an address of a page, or of the data that its script asks for. */
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
