import { applicationContext } from '#app/server/context.ts'
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listArticles } from '#app/content/library.server.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { daysOf, relatedTo } from './reading.server.ts'
import { ArticleText } from './reading.tsx'
import type { Route } from './+types/car-talk.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, { title: 'Car talk: ask the tire people', description: describes, path: paths.carTalk() })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  const store = storeKindOf(context.get(applicationContext).brandedStore)
  const letters = await listArticles('car-talk', store)
  return {
    letters: await Promise.all(
      letters.map(async ({ slug, title, from, question, html, related, ...article }) => ({
        slug,
        title,
        from,
        question,
        html,
        days: daysOf(article),
        related: (await relatedTo('learn', related, store)).map((teaser) => ({
          title: teaser.title,
          path: teaser.path,
        })),
      })),
    ),
  }
}

const describes = 'Answers to common questions about noises, warning lights, and confusing quotes.'

export default function CarTalk({ loaderData: { letters } }: Route.ComponentProps) {
  return (
    <div className="wrap car-talk">
      <div className="learn-head">
        <h1 className="capitals">Car talk</h1>
        <p className="muted">{describes}</p>
        <p className="small muted">The letters are put together from many like them, and the names are made up.</p>
      </div>
      <nav className="contents panel" aria-label="Letters on this page">
        <ol>
          {letters.map(({ slug, title }) => (
            <li key={slug}>
              <a href={`#${slug}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="letters">
        {letters.map(({ slug, title, from, question, html, days, related }) => (
          <article key={slug} id={slug}>
            <h2>{title}</h2>
            <blockquote>
              <p>{question}</p>
              <footer className="small">{from}</footer>
            </blockquote>
            <ArticleText html={html} />
            <p className="small muted">
              Answered <time dateTime={days.published}>{days.publishedText}</time>. Read on:{' '}
              {related.map((article, index) => (
                <span key={article.path}>
                  {index > 0 ? ', ' : ''}
                  <a href={article.path}>{article.title}</a>
                </span>
              ))}
            </p>
          </article>
        ))}
        <p className="notice">
          Have a question? <a href={paths.contact()}>Write to us</a>. Include what you drive, the size on your door
          label, and when it happens.
        </p>
      </div>
    </div>
  )
}
