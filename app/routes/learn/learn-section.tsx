import { applicationContext } from '#app/server/context.ts'
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { learnSections } from '#app/content/sections.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { keepAddress, lessonsInOrder, sectionOf, teaserOf } from './reading.server.ts'
import { Teasers } from './reading.tsx'
import type { Route } from './+types/learn-section.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: loaderData.section.name,
        description: loaderData.section.description,
        path: paths.learnSection(loaderData.section.slug),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const section = sectionOf(learnSections, params.section)
  keepAddress(url, paths.learnSection(section.slug))
  const articles = await lessonsInOrder(storeKindOf(context.get(applicationContext).brandedStore))
  return {
    section,
    articles: articles.filter(({ category }) => category === section.slug).map(teaserOf),
    others: learnSections.filter(({ slug }) => slug !== section.slug),
  }
}

const crumbs = [{ label: 'Learn', path: paths.learn() }]

export default function LearnSection({ loaderData: { section, articles, others } }: Route.ComponentProps) {
  return (
    <div className="wrap learn">
      <Crumbs crumbs={crumbs} here={section.name} />
      <div className="learn-head">
        <h1>{section.name}</h1>
        <p className="muted">{section.description}</p>
      </div>
      <Teasers articles={articles} level={2} />
      {section.slug === 'tire-news-information' ? (
        <p>
          <a className="btn quiet" href={paths.dictionary()}>
            Tire dictionary
          </a>
        </p>
      ) : null}
      <nav className="learn-more" aria-label="More to learn">
        <ul>
          {others.map(({ slug, name }) => (
            <li key={slug}>
              <a className="chip" href={paths.learnSection(slug)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
