/** Canonical URLs, related articles, dates, and structured data for editorial pages. */
import type { StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import { redirect } from 'react-router'
import { listArticles, type Article } from '#app/content/library.server.ts'
import type { Section } from '#app/content/sections.ts'
import type { StructuredData } from '#app/views/structured-data.server.ts'
import { paths } from '#content/paths.ts'
import { dateText } from '#platform/day-text.ts'
import type { Application } from '#application'

/** An article as lists show it. */
export type Teaser = { title: string; description: string; path: string; minutes: number; published: string }
/** An article's dates, for people and for machines. */
export type Days = { published: string; publishedText: string; updated: string | null; updatedText: string | null }

export function missing(): Response {
  return new Response(null, { status: 404 })
}

/** Redirects with 301 to the canonical spelling of a page's address, keeping the query. */
export function keepAddress(url: URL, path: string): void {
  if (url.pathname !== path) throw redirect(`${path}${url.search}`, 301)
}

/** Returns the section with that slug, ignoring case. Responds with 404 if the section doesn't exist. */
export function sectionOf(sections: readonly Section[], slug: string): Section {
  const section = sections.find((each) => each.slug === slug.toLowerCase())
  if (!section) throw missing()
  return section
}

/** Returns the lessons, oldest first. They were written to be read in that order. */
export async function lessonsInOrder(store: StoreKind): Promise<readonly Article<'learn'>[]> {
  return (await listArticles('learn', store)).toReversed()
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

/** Returns the articles named in an article's front matter, in its order. */
export async function relatedTo(
  collection: 'learn' | 'press',
  names: readonly string[],
  store: StoreKind,
): Promise<Teaser[]> {
  const articles = await listArticles(collection, store)
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

/** An article's structured data. Its breadcrumbs are added separately. */
export function articleStructuredData(app: Application, article: Article<'learn'> | Article<'press'>): StructuredData {
  const store = { '@type': 'Organization', name: app.config.store.name, url: app.config.web.origin } as const
  return {
    '@type': article.path.startsWith('press/') ? 'NewsArticle' : 'Article',
    headline: article.title,
    description: article.description,
    datePublished: article.published,
    dateModified: article.updated ?? article.published,
    mainEntityOfPage: `${app.config.web.origin}${paths.article(article.path)}`,
    author: store,
    publisher: store,
  }
}
