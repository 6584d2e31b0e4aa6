import { applicationContext } from '#app/server/context.ts'
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listTerms } from '#app/content/dictionary.server.ts'
import { learnSections } from '#app/content/sections.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { countOf } from '#platform/count-text.ts'
import { lessonsInOrder, teaserOf } from './reading.server.ts'
import { Teasers } from './reading.tsx'
import { drawGuide, exampleTire } from './sidewall-parts.ts'
import type { Route } from './+types/learn.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, { title: 'Learn about tires', description: describes, path: paths.learn() })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  const [articles, terms] = await Promise.all([
    lessonsInOrder(storeKindOf(context.get(applicationContext).brandedStore)),
    listTerms(),
  ])
  return {
    sections: learnSections.map((section) => ({
      ...section,
      articles: articles.filter(({ category }) => category === section.slug).map(teaserOf),
    })),
    terms: terms.length,
    letters: [...new Set(terms.map(({ term }) => letterOf(term)))],
  }
}

const describes =
  'Plain answers about tires, sizes and sidewalls, snow marks, pressure, rotation, repair, prices and warranties. Facts with their sources.'

export default function Learn({ loaderData: { sections, terms, letters } }: Route.ComponentProps) {
  return (
    <div className="wrap learn">
      <div className="learn-hero">
        <div>
          <h1 className="capitals">Know your tires</h1>
          <p className="muted">{describes}</p>
          <p className="learn-ways">
            <a className="btn primary" href={paths.sidewallGuide()}>
              Read a sidewall
            </a>
            <a className="btn quiet" href={paths.buyingGuide()}>
              Buying guide
            </a>
            <a className="btn quiet" href={paths.carTalk()}>
              Car talk
            </a>
          </p>
        </div>
        <a className="learn-tire" href={paths.sidewallGuide()} aria-label="A sidewall, marking by marking">
          <span dangerouslySetInnerHTML={{ __html: learnTire }} />
        </a>
      </div>
      {sections.map(({ slug, name, description, articles }) => (
        <section key={slug} className="learn-collection" aria-labelledby={slug}>
          <div>
            <h2 id={slug}>
              <a href={paths.learnSection(slug)}>{name}</a>
            </h2>
            <p className="muted">{description}</p>
          </div>
          <Teasers articles={articles} level={3} />
        </section>
      ))}
      <section className="learn-words panel" aria-labelledby="words">
        <h2 id="words">Tire dictionary</h2>
        <p className="muted">
          {countOf(terms, 'word')} from the counter, the sidewall and the law, in one or two sentences each.
        </p>
        <nav aria-label="Dictionary by letter">
          <ul>
            {letters.map((letter) => (
              <li key={letter}>
                <a className="chip" href={paths.dictionary(`letter-${letter.toLowerCase()}`)}>
                  {letter}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </section>
    </div>
  )
}

const learnTire = import.meta.env.SSR
  ? (drawGuide(exampleTire)?.replaceAll(/<a class="mark[^<>]*>|<\/a>|<title>[^<]*<\/title>/g, '') ?? '')
  : ''

/** Terms that begin with a digit are grouped together. */
function letterOf(term: string): string {
  return /^\d/.test(term) ? '0-9' : term.slice(0, 1).toUpperCase()
}
