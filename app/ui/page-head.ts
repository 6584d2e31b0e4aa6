/** A page's metadata for search engines and link previews. */
import type { MetaDescriptor } from 'react-router'

export type PageHead = {
  /** Excludes the store's name, which every title gets. */
  readonly title: string
  readonly description: string
  /** The canonical path of this page, from `paths`. */
  readonly path: string
  /** A page excluded from search engines has no canonical URL, because the two contradict each other. */
  readonly isIndexed?: boolean
  /** Path of a picture of 1200 × 630 px for link previews; the store's own if not given. */
  readonly picture?: string
  /** JSON-LD, one object per item. */
  readonly structuredData?: readonly object[]
}

type Match = { readonly id: string; readonly loaderData?: unknown } | undefined
type Site = { readonly store: { readonly name: string; readonly origin: string; readonly picture: string } }

/** Returns a page's head; `matches` comes from its meta function and provides the store's name and origin. */
export function pageHead(matches: readonly Match[], head: PageHead): MetaDescriptor[] {
  const { name, origin, picture: ofStore } = siteOf(matches)
  const { title, description, path, isIndexed = true, picture = ofStore, structuredData = [] } = head
  const url = `${origin}${path}`
  return [
    { title: `${title} · ${name}` },
    { name: 'description', content: description },
    isIndexed ? { tagName: 'link', rel: 'canonical', href: url } : { name: 'robots', content: 'noindex, follow' },
    { property: 'og:site_name', content: name },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:image', content: `${origin}${picture}` },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...structuredData.map((structuredData) => ({ 'script:ld+json': structuredData })),
  ]
}

/** If the root's own loader failed, there is no store data; the error page works without it. */
function siteOf(matches: readonly Match[]): Site['store'] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as Site | undefined
  return root?.store ?? { name: 'Tires', origin: '', picture: '' }
}
