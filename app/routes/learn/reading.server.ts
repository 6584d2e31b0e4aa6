/**
 * What the pages for readers share: their one address, related reading, dates in words, and what search engines are
 * told.
 */
import { redirect } from 'react-router'
import { listArticles, type Article } from '#app/content/library.server.ts'
import type { Section } from '#app/content/sections.ts'
import type { StructuredData } from '#app/views/structured-data.server.ts'
import { paths } from '#content/paths.ts'
import { dateText } from '#platform/day-text.ts'
import type { Shop } from '#shop'

/** An article as lists show it. */
export type Teaser = { title: string; description: string; path: string; minutes: number; published: string }
/** The days of an article, as they are read and as machines read them. */
export type Days = { published: string; publishedText: string; updated: string | null; updatedText: string | null }

export function missing(): Response {
  return new Response(null, { status: 404 })
}

/** 301 to the one spelling of a page's address, with the query it came with. */
export function keepAddress(url: URL, path: string): void {
  if (url.pathname !== path) throw redirect(`${path}${url.search}`, 301)
}

/** The section of that slug, however its letters are written; a page without a section is missing. */
export function sectionOf(sections: readonly Section[], slug: string): Section {
  const section = sections.find((each) => each.slug === slug.toLowerCase())
  if (!section) throw missing()
  return section
}

/** The lessons, oldest first: they were written to be read in that order. */
export async function lessonsInOrder(): Promise<readonly Article<'learn'>[]> {
  return (await listArticles('learn')).toReversed()
}

export function teaserOf({
  title,
  description,
  path,
  minutes,
  published,
}: Article<'learn'> | Article<'press'>): Teaser {
  return { title, description, path: paths.article(path), minutes, published: dateText(published) }
}

/** The articles that an article's front matter names, in its order. */
export async function relatedTo(collection: 'learn' | 'press', names: readonly string[]): Promise<Teaser[]> {
  const articles = await listArticles(collection)
  return names.flatMap((name) => articles.find(({ path }) => path === `${collection}/${name}`) ?? []).map(teaserOf)
}

export function daysOf({ published, updated }: { published: string; updated?: string | undefined }): Days {
  return {
    published,
    publishedText: dateText(published),
    updated: updated ?? null,
    updatedText: updated === undefined ? null : dateText(updated),
  }
}

/** What search engines are told of an article. The way to it is told by the crumbs. */
export function articleStructuredData(shop: Shop, article: Article<'learn'> | Article<'press'>): StructuredData {
  const store = { '@type': 'Organization', name: shop.config.store.name, url: shop.config.web.origin } as const
  return {
    '@type': article.path.startsWith('press/') ? 'NewsArticle' : 'Article',
    headline: article.title,
    description: article.description,
    datePublished: article.published,
    dateModified: article.updated ?? article.published,
    mainEntityOfPage: `${shop.config.web.origin}${paths.article(article.path)}`,
    author: store,
    publisher: store,
  }
}
