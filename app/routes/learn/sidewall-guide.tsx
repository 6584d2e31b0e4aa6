import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { data } from 'react-router'
import { readArticle } from '#app/content/library.server.ts'
import { applicationContext, structuredDataContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import styles from '#app/ui/styles/sidewall-guide.css?url'
import { listSizes } from '#domain/catalog/catalog/catalog.server.ts'
import { parseTire, sizeDesignation, sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { articleStructuredData, daysOf, relatedTo } from './reading.server.ts'
import { ArticleHead, ArticleText, Related, ShopThis, Sources } from './reading.tsx'
import { drawGuide, exampleTire, explainSidewall, writtenAs } from './sidewall-parts.ts'
import type { Route } from './+types/sidewall-guide.ts'

/** The style sheet highlights the drawing by `:target`, hover and focus, without script. */
export const handle = { script: false }
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: loaderData.title,
        description: loaderData.description,
        path: paths.sidewallGuide(),
        isIndexed: loaderData.typed === null,
      })
    : []

/** Sizes are unlimited, so only the page without one is cached. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

/** The guide for the tire in `?size=`, in any notation, or for the example. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const store = storeKindOf(app.brandedStore)
  const article = await readArticle('learn', 'tire-basics/how-to-read-a-sidewall', store)
  context.get(structuredDataContext).push(articleStructuredData(app, article))
  const typed = url.searchParams.get('size')?.trim().slice(0, 60) || null
  const read = typed === null ? exampleTire : parseTire(typed)
  const tire = read ?? exampleTire
  const slug = sizeSlug(tire.size)
  const { title, description, html, minutes, shop: doors, sources } = article
  const view = {
    title,
    description,
    html,
    minutes,
    sources,
    typed,
    problem: read ? null : unreadable,
    written: writtenAs(tire),
    parts: explainSidewall(tire),
    drawing: drawGuide(tire),
    lacksService: read !== undefined && tire.loadIndex === undefined,
    doors: (await listSizes(app.catalog)).some((size) => size.slug === slug)
      ? [{ label: `Tires in ${sizeDesignation(tire.size)}`, path: paths.size(slug) }, ...doors]
      : doors,
    days: daysOf(article),
    related: await relatedTo('learn', article.related, store),
  }
  return data(view, {
    status: read ? 200 : 422,
    headers: typed === null ? { 'Cache-Control': 'public, s-maxage=600' } : {},
  })
}

const unreadable = 'We can’t read that. Type it as printed on the tire, like 225/65R17 102H.'
const crumbs = [
  { label: 'Learn', path: paths.learn() },
  { label: 'Tire basics', path: paths.learnSection('tire-basics') },
]

export default function SidewallGuide({ loaderData: guide }: Route.ComponentProps) {
  return (
    <div className="wrap reading sidewall-guide">
      <Crumbs crumbs={crumbs} here={guide.title} />
      <ArticleHead article={guide} />
      <TypeYourOwn typed={guide.typed} problem={guide.problem} />
      <section className="guide-board" aria-labelledby="marking-by-marking" id="board">
        <Drawing svg={guide.drawing} written={guide.written} parts={guide.parts} />
        <div>
          <h2 id="marking-by-marking">{`${guide.written}, marking by marking`}</h2>
          <p className="small muted">
            {guide.lacksService
              ? 'Add what follows the size on your tire, such as 102H, and load and speed are explained too. '
              : ''}
            Choose one here or on the drawing. What the size does not state, such as the DOT number, is an example.
          </p>
          <ol className="guide-parts">
            {guide.parts.map(({ id, written, name, says }) => (
              <li key={id} id={`mark-${id}`}>
                <h3>
                  <a href={`#mark-${id}`}>
                    <b className="tabular">{written}</b> <span>{name}</span>
                  </a>
                </h3>
                <p>{says}</p>
              </li>
            ))}
          </ol>
        </div>
      </section>
      <article>
        <ArticleText html={guide.html} />
        <ShopThis doors={guide.doors} />
        <Sources sources={guide.sources} />
      </article>
      <Related articles={guide.related} />
    </div>
  )
}

function TypeYourOwn({ typed, problem }: { typed: string | null; problem: string | null }) {
  return (
    <form
      className="guide-form"
      action={`${paths.sidewallGuide()}#board`}
      method="get"
      role="search"
      aria-label="Your own tire"
    >
      <label className="field" htmlFor="size">
        What does your tire say?
      </label>
      <div>
        <input
          className="input tabular"
          id="size"
          name="size"
          defaultValue={typed ?? ''}
          placeholder="225/65R17 102H"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={problem === null ? 'size-hint' : 'size-error size-hint'}
        />
        <button className="btn primary">Explain it</button>
      </div>
      {problem === null ? null : (
        <p className="field-error" id="size-error" role="alert">
          {problem}
        </p>
      )}
      <p className="field-hint" id="size-hint">
        Enter it in any format, such as LT275/70R18 E, 35x12.50r17, 2256517.
      </p>
    </form>
  )
}

/**
 * Renders the drawing with the highlighted marking centered. The adjacent list provides the same content for screen
 * readers.
 */
function Drawing({
  svg,
  written,
  parts,
}: {
  svg: string | null
  written: string
  parts: readonly { id: string; written: string; name: string }[]
}) {
  if (svg === null) return <p className="notice">This size does not say how tall the tire is, so we cannot draw it.</p>
  return (
    <div className="guide-drawing">
      <div dangerouslySetInnerHTML={{ __html: svg }} />
      <div className="guide-hub tabular" aria-hidden="true">
        <p className="hub-all">
          <b>{written.split(' ')[0]}</b> <span>{written.split(' ').slice(1).join(' ')}</span>
        </p>
        {parts.map(({ id, written: marking, name }) => (
          <p key={id} className={`hub-${id}`}>
            <b className={marking.length > 12 ? 'is-long' : undefined}>{marking}</b> <span>{name}</span>
          </p>
        ))}
      </div>
    </div>
  )
}
