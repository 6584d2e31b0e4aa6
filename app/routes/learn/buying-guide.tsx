import { applicationContext } from '#app/server/context.ts'
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { readArticle } from '#app/content/library.server.ts'
import { paths } from '#content/paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { daysOf, relatedTo } from './reading.server.ts'
import { ArticleHead, ArticleText, Related } from './reading.tsx'
import type { Route } from './+types/buying-guide.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: paths.buyingGuide() })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  const store = storeKindOf(context.get(applicationContext).brandedStore)
  const guide = await readArticle('guides', 'tire-buying-guide', store)
  const { title, description, html, minutes, headings, tools } = guide
  const [intro = '', ...steps] = html.split(/(?=<h2 )/)
  return {
    title,
    description,
    minutes,
    intro,
    steps: steps.map((step, index) => ({
      id: headings[index]?.id ?? '',
      title: headings[index]?.text ?? '',
      html: step.replace(/^<h2 .*?<\/h2>/s, ''),
      tool: tools[index],
    })),
    days: daysOf(guide),
    related: await relatedTo('learn', guide.related, store),
  }
}

export default function BuyingGuide({ loaderData: guide }: Route.ComponentProps) {
  return (
    <div className="wrap buying-guide">
      <ArticleHead article={guide} />
      <ArticleText html={guide.intro} />
      <ol className="guide-steps">
        {guide.steps.map(({ id, title, html, tool }) => (
          <li key={id}>
            <section aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              <ArticleText html={html} />
              {tool ? (
                <a className="btn quiet" href={tool.path}>
                  {tool.label} <Icon name="right" size="s" />
                </a>
              ) : null}
            </section>
          </li>
        ))}
      </ol>
      <Related articles={guide.related} />
    </div>
  )
}
