/** Components of editorial pages. */
import type { ReactNode } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { drawings } from './drawings.tsx'
import type { Days, Teaser } from './reading.server.ts'

export { Contents } from '#app/ui/contents.tsx'

/** Renders the text of an article. Replaces each empty `<figure id="drawing-…">` with the drawing of that name. */
export function ArticleText({ html }: { html: string }) {
  return (
    <div className="article-text">
      {html.split(/(<figure id="drawing-[\w-]+"><\/figure>)/).map((part, index) => {
        const name = /^<figure id="drawing-([\w-]+)">/.exec(part)?.[1]
        const Drawing = name === undefined ? undefined : drawings[name]
        return Drawing ? <Drawing key={name} /> : <div key={String(index)} dangerouslySetInnerHTML={{ __html: part }} />
      })}
    </div>
  )
}

/** An article's title, description, reading time and dates. */
export function ArticleHead({
  article: { title, description, minutes, days },
  children,
}: {
  article: { title: string; description: string; minutes: number; days: Days }
  children?: ReactNode
}) {
  return (
    <header className="article-head">
      <h1>{title}</h1>
      <p className="article-lead">{description}</p>
      <ArticleFacts minutes={minutes} days={days} />
      {children}
    </header>
  )
}

function ArticleFacts({ minutes, days }: { minutes: number; days: Days }) {
  return (
    <p className="article-facts small muted">
      <span>{minutes} min read</span>
      <span>
        Published <time dateTime={days.published}>{days.publishedText}</time>
      </span>
      {days.updated ? (
        <span>
          Updated <time dateTime={days.updated}>{days.updatedText}</time>
        </span>
      ) : null}
    </p>
  )
}

/** Links from an article into the store. */
export function ShopThis({ doors }: { doors: readonly { label: string; path: string }[] }) {
  return (
    <section className="shop-this panel" aria-labelledby="shop-this">
      <h2 id="shop-this">Shop this</h2>
      <ul>
        {doors.map(({ label, path }) => (
          <li key={path}>
            <a className="btn quiet" href={path}>
              {label} <Icon name="right" size="s" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Related({ articles, title = 'Related reading' }: { articles: readonly Teaser[]; title?: string }) {
  if (articles.length === 0) return null
  return (
    <section className="related" aria-labelledby="related-reading">
      <h2 id="related-reading">{title}</h2>
      <Teasers articles={articles} level={3} />
    </section>
  )
}

/** An article's sources. Sections of the Code of Federal Regulations link to its public edition. */
export function Sources({ sources }: { sources: readonly string[] }) {
  return (
    <section className="sources small" aria-labelledby="article-sources">
      <h2 id="article-sources">Sources</h2>
      <ul>
        {sources.map((source) => {
          const section = /^49 CFR (\d+\.\d+)/.exec(source)
          return (
            <li key={source}>
              {section ? (
                <>
                  <a href={`https://www.ecfr.gov/current/title-49/section-${section[1]}`} rel="noopener">
                    {section[0]}
                  </a>
                  {source.slice(section[0].length)}
                </>
              ) : (
                source
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Lists articles with title, description, and reading time. `level` is their heading level. */
export function Teasers({
  articles,
  level,
  dated = false,
}: {
  articles: readonly Teaser[]
  level: 2 | 3
  dated?: boolean
}) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <ul className="teasers">
      {articles.map(({ title, description, path, minutes, published }) => (
        <li key={path}>
          <Heading>
            <a href={path}>{title}</a>
          </Heading>
          <p className="muted">{description}</p>
          <p className="tiny muted">{dated ? published : `${minutes} min read`}</p>
        </li>
      ))}
    </ul>
  )
}
