import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listArticles } from '#app/content/library.server.ts'
import { pressSections } from '#app/content/sections.ts'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { PressContact, SampleNote } from './press-notes.tsx'
import { teaserOf } from './reading.server.ts'
import { Teasers } from './reading.tsx'
import type { Route } from './+types/press.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Press',
    description: 'Store news, background, and press contacts.',
    path: paths.press(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  return {
    pieces: (await listArticles('press', storeKindOf(app.brandedStore))).map(teaserOf),
    demo: app.config.demo,
    email: app.config.store.email,
  }
}

export default function Press({ loaderData: { pieces, demo, email } }: Route.ComponentProps) {
  return (
    <div className="wrap learn">
      <div className="learn-head">
        <h1>Press</h1>
        <p className="muted">Store news and the reasons behind our decisions.</p>
      </div>
      <SampleNote demo={demo} />
      <nav aria-label="Press by subject" className="learn-more">
        <ul>
          {pressSections.map(({ slug, name }) => (
            <li key={slug}>
              <a className="chip" href={paths.pressSection(slug)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Teasers articles={pieces} level={2} dated />
      <PressContact email={email} />
    </div>
  )
}
