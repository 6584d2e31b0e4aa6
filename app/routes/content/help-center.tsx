import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { data } from 'react-router'
import { listAllQuestions } from '#app/content/faqs.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { longestQuery, searchHelp } from '#app/content/help.server.ts'
import { listPages } from '#app/content/pages.server.ts'
import { cleanText } from '#platform/plain-text.ts'
import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { AskUs } from '#app/ui/ask-us.tsx'
import { HelpResults } from './help-results.tsx'
import type { Route } from './+types/help-center.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: 'Help center',
        description: 'Search all answers, policies, articles, and tire terms, or browse by topic.',
        path: paths.help(),
        isIndexed: loaderData.asked === '',
      })
    : []

/** Search queries are unlimited, so only the page without one is cached. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const { content, brandedStore } = context.get(applicationContext)
  const texts = content.current
  const store = storeKindOf(brandedStore)
  const asked = cleanText(url.searchParams.get('q') ?? '')
    .trim()
    .slice(0, longestQuery)
  const [sections, pages, hits] = await Promise.all([
    listAllQuestions(texts, store),
    listPages(texts, store),
    asked === '' ? [] : searchHelp(asked, texts, store),
  ])
  const view = {
    asked,
    longest: longestQuery,
    hits,
    // With search results, the topics would only be in the way.
    sections:
      hits.length > 0
        ? []
        : sections.map(({ id, name, questions }) => ({
            id,
            name,
            questions: questions.slice(0, 4).map(({ id, question }) => ({ id, question })),
            more: questions.length,
          })),
    policies: pages.filter(({ isPolicy }) => isPolicy).map(({ title, address }) => ({ title, path: address })),
    programs: pages.filter(({ isPolicy }) => !isPolicy).map(({ title, address }) => ({ title, path: address })),
  }
  return data(view, { headers: asked === '' ? { 'Cache-Control': 'public, s-maxage=600' } : {} })
}

export default function HelpCenter({
  loaderData: { asked, longest, hits, sections, policies, programs },
}: Route.ComponentProps) {
  return (
    <div className="wrap help">
      <header className="help-head">
        <h1>{asked === '' ? 'How can we help?' : `Help with “${asked}”`}</h1>
        <form className="help-search" action={paths.help()} method="get" role="search" aria-label="Help center">
          <label className="field" htmlFor="help-query">
            Search answers, policies, articles and tire words
          </label>
          <div>
            <input
              className="input"
              id="help-query"
              name="q"
              type="search"
              defaultValue={asked}
              maxLength={longest}
              autoComplete="off"
            />
            <button className="btn primary">Search</button>
          </div>
        </form>
      </header>
      {asked === '' ? <Errands /> : <HelpResults asked={asked} hits={hits} />}
      {sections.length > 0 ? (
        <section aria-labelledby="by-subject">
          <h2 id="by-subject">By subject</h2>
          <div className="help-subjects">
            {sections.map(({ id, name, questions, more }) => (
              <section key={id} aria-labelledby={`subject-${id}`}>
                <h3 id={`subject-${id}`}>{name}</h3>
                <ul>
                  {questions.map((question) => (
                    <li key={question.id}>
                      <a href={`${paths.faqs()}#${question.id}`}>{question.question}</a>
                    </li>
                  ))}
                </ul>
                {more > questions.length ? (
                  <a className="small" href={`${paths.faqs()}#${id}`}>
                    All {more}
                  </a>
                ) : null}
              </section>
            ))}
          </div>
        </section>
      ) : null}
      {sections.length > 0 ? (
        <div className="help-lists">
          <PageList id="policies" title="Policies" pages={policies} />
          <PageList id="programs" title="Programs and guarantees" pages={programs} />
        </div>
      ) : null}
      <AskUs />
    </div>
  )
}

const errands = [
  { icon: 'truck', label: 'Track an order', path: paths.trackOrder() },
  { icon: 'parcel', label: 'Return tires', path: paths.written('returns-and-refunds') },
  { icon: 'question', label: 'All questions', path: paths.faqs() },
  { icon: 'person', label: 'Write to us', path: paths.contact() },
] as const

function Errands() {
  return (
    <nav aria-label="Most asked">
      <ul className="errands">
        {errands.map(({ icon, label, path }) => (
          <li key={path}>
            <a className="panel" href={path}>
              <Icon name={icon} /> {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PageList({ id, title, pages }: { id: string; title: string; pages: { title: string; path: string }[] }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="read-next">
        {pages.map(({ title, path }) => (
          <li key={path}>
            <a href={path}>
              {title} <Icon name="right" size="s" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
