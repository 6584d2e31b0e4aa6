import type { ComponentType } from 'react'
import * as reactRouter from 'react-router'
import { routeModules, useLocation, useMatches } from '#app/router/router.tsx'

/** The tags of a page's head. In the browser it renders the same tags as React Router in less code. */
export const Meta: ComponentType = import.meta.env.SSR ? reactRouter.Meta : PageMeta

/** The tags of the innermost route that has some. */
function PageMeta() {
  const location = useLocation()
  const matches = useMatches()
  const match = matches.findLast(({ id }) => routeModules()[id]?.meta)
  const tags = match && routeModules()[match.id]?.meta?.({ ...match, location, matches })
  return tags?.map((tag) => {
    if ('title' in tag) return <title key="title">{String(tag.title)}</title>
    if ('script:ld+json' in tag) {
      const json = JSON.stringify(tag['script:ld+json']).replaceAll('<', String.raw`\u003c`)
      return <script key={json} type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
    }
    const { tagName: Tag = 'meta', ...attributes } = tag as { tagName?: 'link' | 'meta' }
    return <Tag key={JSON.stringify(attributes)} {...attributes} />
  })
}
