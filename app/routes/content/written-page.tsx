import { redirect } from 'react-router'
import { capabilities } from '#app/content/capabilities.ts'
import { findPage } from '#app/content/pages.server.ts'
import { shopContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Contents } from '#app/ui/contents.tsx'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { dateText } from '#platform/day-text.ts'
import { AskUs } from './ask-us.tsx'
import type { Route } from './+types/written-page.ts'

/** Policies, programs and landing pages: Markdown in content/, at one-segment addresses. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, { title: loaderData.title, description: loaderData.description, path: loaderData.path })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const page = await findPage(url.pathname.slice(1).toLowerCase())
  if (!page) throw new Response(null, { status: 404 })
  if (url.pathname !== page.address) throw redirect(`${page.address}${url.search}`, 301)
  const { title, description, html, headings, related, isPolicy, address: path } = page
  const crumbs = isPolicy ? [{ label: 'Help center', path: paths.help() }] : [{ label: 'Home', path: paths.home() }]
  return {
    title,
    description,
    html,
    headings,
    related,
    path,
    crumbs,
    doors: 'doors' in page ? page.doors : [],
    updated: { day: page.updated, text: dateText(page.updated) },
    note:
      'requires' in page && page.requires && !capabilities[page.requires]
        ? 'Not open yet. This page says how it will work.'
        : isPolicy && context.get(shopContext).config.demo
          ? 'Demo store: this is sample text. A retailer replaces it with its own.'
          : null,
  }
}

export default function WrittenPage({ loaderData: page }: Route.ComponentProps) {
  return (
    <div className="wrap reading">
      <Crumbs crumbs={page.crumbs} here={page.title} />
      <article>
        <header className="article-head">
          <h1>{page.title}</h1>
          <p className="article-lead">{page.description}</p>
          <p className="article-facts small muted">
            <span>
              Updated <time dateTime={page.updated.day}>{page.updated.text}</time>
            </span>
          </p>
          {page.note ? <p className="notice small">{page.note}</p> : null}
          {page.doors.length > 0 ? (
            <p className="page-doors">
              {page.doors.map(({ label, path }, index) => (
                <a key={label} className={index === 0 ? 'btn primary' : 'btn quiet'} href={path}>
                  {label}
                </a>
              ))}
            </p>
          ) : null}
        </header>
        <Contents headings={page.headings} />
        <div className="article-text" dangerouslySetInnerHTML={{ __html: page.html }} />
        <AskUs />
      </article>
      <section className="related" aria-labelledby="related-pages">
        <h2 id="related-pages">Read next</h2>
        <ul className="read-next">
          {page.related.map(({ label, path }) => (
            <li key={path}>
              <a href={path}>
                {label} <Icon name="right" size="s" />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
