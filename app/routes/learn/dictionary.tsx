import { data } from 'react-router'
import { listTerms } from '#app/content/dictionary.server.ts'
import { applicationContext, structuredDataContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import liveFilter from '#app/ui/live-filter.ts?worker&url'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/dictionary.ts'

/** The page doesn't hydrate. The search is a form, and a small script filters while typing. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: 'Tire dictionary',
        description: `${countOf(loaderData.count, 'tire word')} explained in plain English, from sizes and marks to wear, wheels, and prices, A to Z.`,
        path: paths.dictionary(),
        isIndexed: loaderData.asked === '',
      })
    : []

/** Search queries are unlimited, so only the entire dictionary is cached. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const terms = await listTerms()
  const asked = (url.searchParams.get('q') ?? '').trim().slice(0, 40)
  const words = asked.toLowerCase()
  const entries = terms.map((term) => {
    const text = [term.term, ...term.also, term.means].join(' ').toLowerCase()
    return { ...term, text, isHidden: !text.includes(words) }
  })
  const { origin } = context.get(applicationContext).config.web
  context.get(structuredDataContext).push({
    '@type': 'DefinedTermSet',
    name: 'Tire dictionary',
    url: `${origin}${paths.dictionary()}`,
    hasDefinedTerm: terms.map(({ term, means }) => ({ '@type': 'DefinedTerm', name: term, description: means })),
  })
  const view = {
    asked,
    count: terms.length,
    shown: entries.filter(({ isHidden }) => !isHidden).length,
    letters: [...Map.groupBy(entries, ({ term }) => letterOf(term))].map(([letter, of]) => ({ letter, entries: of })),
  }
  return data(view, { headers: asked === '' ? { 'Cache-Control': 'public, s-maxage=600' } : {} })
}

const crumbs = [
  { label: 'Learn', path: paths.learn() },
  { label: 'Prices, warranties and words', path: paths.learnSection('tire-news-information') },
]

export default function Dictionary({ loaderData: { asked, count, shown, letters } }: Route.ComponentProps) {
  return (
    <div className="wrap dictionary">
      <Crumbs crumbs={crumbs} here="Tire dictionary" />
      <div className="learn-head">
        <h1>Tire dictionary</h1>
        <p className="muted">Words from the counter, the sidewall and the law, in one or two sentences each.</p>
      </div>
      <TermSearch asked={asked} count={count} shown={shown} />
      <LetterNav letters={letters} />
      {letters.map((section) => (
        <LetterSection key={section.letter} section={section} />
      ))}
      <script type="module" src={liveFilter} />
    </div>
  )
}

type View = Route.ComponentProps['loaderData']
type Section = View['letters'][number]
type Entry = Section['entries'][number]

function TermSearch({ asked, count, shown }: Pick<View, 'asked' | 'count' | 'shown'>) {
  return (
    <form
      className="dictionary-search"
      action={paths.dictionary()}
      method="get"
      role="search"
      aria-label="Dictionary"
      data-live-filter
    >
      <label className="field" htmlFor="q">
        Find a word
      </label>
      <div>
        <input className="input" id="q" name="q" type="search" defaultValue={asked} maxLength={40} autoComplete="off" />
        <button className="btn quiet">Find</button>
      </div>
      <p className="small muted" role="status" data-noun="word" data-none="No matching terms. Try a shorter word.">
        {shown === 0 ? 'No matching terms. Try a shorter word.' : countOf(shown, 'word')}
      </p>
      {asked === '' ? null : (
        <a className="small" href={paths.dictionary()}>
          Show all {count}
        </a>
      )}
    </form>
  )
}

function LetterNav({ letters }: Pick<View, 'letters'>) {
  return (
    <nav className="letters-nav" aria-label="By letter">
      <ul>
        {letters.map(({ letter, entries }) => (
          <li key={letter} hidden={entries.every(({ isHidden }) => isHidden)} data-group={letter}>
            <a className="chip" href={`#letter-${letter.toLowerCase()}`}>
              {letter}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function LetterSection({ section: { letter, entries } }: { section: Section }) {
  return (
    <section
      aria-labelledby={`letter-${letter.toLowerCase()}`}
      hidden={entries.every(({ isHidden }) => isHidden)}
      data-group={letter}
    >
      <h2 id={`letter-${letter.toLowerCase()}`}>{letter}</h2>
      <dl>
        {entries.map((entry) => (
          <Term key={entry.id} entry={entry} />
        ))}
      </dl>
    </section>
  )
}

function Term({ entry: { id, term, means, also, see, read, text, isHidden } }: { entry: Entry }) {
  return (
    <div id={id} hidden={isHidden} data-words={text}>
      <dt>
        {term}
        {also.length > 0 ? <span className="small muted"> also {also.join(', ')}</span> : null}
      </dt>
      <dd>
        <p>{means}</p>
        {see.length > 0 || read ? (
          <p className="small muted">
            {see.length > 0 ? 'See ' : ''}
            {see.map((other, index) => (
              <span key={other.id}>
                {index > 0 ? ', ' : ''}
                <a href={paths.dictionary(other.id)}>{other.term}</a>
              </span>
            ))}
            {read ? (
              <>
                {see.length > 0 ? '. ' : ''}Read <a href={paths.article(read.path)}>{read.title}</a>
              </>
            ) : null}
          </p>
        ) : null}
      </dd>
    </div>
  )
}

/** Terms that begin with a digit are grouped together. */
function letterOf(term: string): string {
  return /^\d/.test(term) ? '0-9' : term.slice(0, 1).toUpperCase()
}
