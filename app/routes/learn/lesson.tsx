import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { findArticle } from '#app/content/library.server.ts'
import { learnSections } from '#app/content/sections.ts'
import { applicationContext, structuredDataContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { articleStructuredData, daysOf, keepAddress, missing, relatedTo, sectionOf } from './reading.server.ts'
import { ArticleHead, ArticleText, Contents, Related, ShopThis, Sources } from './reading.tsx'
import type { Route } from './+types/lesson.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: loaderData.path })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const section = sectionOf(learnSections, params.section)
  const store = storeKindOf(context.get(applicationContext).brandedStore)
  const article = await findArticle('learn', `${section.slug}/${params.slug.toLowerCase()}`, store)
  if (!article) throw missing()
  const path = paths.article(article.path)
  keepAddress(url, path)
  context.get(structuredDataContext).push(articleStructuredData(context.get(applicationContext), article))
  const crumbs = [
    { label: 'Learn', path: paths.learn() },
    { label: section.name, path: paths.learnSection(section.slug) },
  ]
  const { title, description, html, headings, minutes, shop, sources } = article
  return {
    title,
    description,
    html,
    headings,
    minutes,
    shop,
    sources,
    path,
    crumbs,
    days: daysOf(article),
    related: await relatedTo('learn', article.related, store),
  }
}

export default function Lesson({ loaderData: article }: Route.ComponentProps) {
  return (
    <div className="wrap reading">
      <Crumbs crumbs={article.crumbs} here={article.title} />
      <article>
        <ArticleHead article={article} />
        <Contents headings={article.headings} />
        <ArticleText html={article.html} />
        <ShopThis doors={article.shop} />
        <Sources sources={article.sources} />
      </article>
      <Related articles={article.related} />
    </div>
  )
}
