import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listArticles } from '#app/content/library.server.ts'
import { pressSections } from '#app/content/sections.ts'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { PressContact, SampleNote } from './press-notes.tsx'
import { keepAddress, sectionOf, teaserOf } from './reading.server.ts'
import { Teasers } from './reading.tsx'
import type { Route } from './+types/press-section.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Press: ${loaderData.section.name.toLowerCase()}`,
        description: loaderData.section.description,
        path: paths.pressSection(loaderData.section.slug),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const section = sectionOf(pressSections, params.section)
  keepAddress(url, paths.pressSection(section.slug))
  const app = context.get(applicationContext)
  const pieces = await listArticles('press', storeKindOf(app.brandedStore))
  return {
    section,
    pieces: pieces.filter(({ category }) => category === section.slug).map(teaserOf),
    demo: app.config.demo,
    email: app.config.store.email,
  }
}

const crumbs = [{ label: 'Press', path: paths.press() }]

export default function PressSection({ loaderData: { section, pieces, demo, email } }: Route.ComponentProps) {
  return (
    <div className="wrap learn">
      <Crumbs crumbs={crumbs} here={section.name} />
      <div className="learn-head">
        <h1>{section.name}</h1>
        <p className="muted">{section.description}</p>
      </div>
      <SampleNote demo={demo} />
      <Teasers articles={pieces} level={2} dated />
      <PressContact email={email} />
    </div>
  )
}
