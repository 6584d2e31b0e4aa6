import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { findArticle } from '#app/content/library.server.ts'
import { pressSections } from '#app/content/sections.ts'
import { applicationContext, structuredDataContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { PressContact, SampleNote } from './press-notes.tsx'
import { articleStructuredData, daysOf, keepAddress, missing, relatedTo, sectionOf } from './reading.server.ts'
import { ArticleHead, ArticleText, Related } from './reading.tsx'
import type { Route } from './+types/press-piece.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: loaderData.path })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const section = sectionOf(pressSections, params.section)
  const app = context.get(applicationContext)
  const store = storeKindOf(app.brandedStore)
  const piece = await findArticle('press', `${section.slug}/${params.slug.toLowerCase()}`, store)
  if (!piece) throw missing()
  const path = paths.article(piece.path)
  keepAddress(url, path)
  context.get(structuredDataContext).push(articleStructuredData(app, piece))
  const crumbs = [
    { label: 'Press', path: paths.press() },
    { label: section.name, path: paths.pressSection(section.slug) },
  ]
  const { title, description, html, minutes } = piece
  return {
    title,
    description,
    html,
    minutes,
    path,
    crumbs,
    days: daysOf(piece),
    related: await relatedTo('press', piece.related, store),
    demo: app.config.demo,
    email: app.config.store.email,
  }
}

export default function PressPiece({ loaderData: piece }: Route.ComponentProps) {
  return (
    <div className="wrap reading">
      <Crumbs crumbs={piece.crumbs} here={piece.title} />
      <article>
        <ArticleHead article={piece}>
          <SampleNote demo={piece.demo} />
        </ArticleHead>
        <ArticleText html={piece.html} />
        <PressContact email={piece.email} />
      </article>
      <Related articles={piece.related} title="More from us" />
    </div>
  )
}
