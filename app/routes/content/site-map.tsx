import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { readSiteMap } from './site-map.server.ts'
import type { Route } from './+types/site-map.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: 'All pages',
        description:
          'Every page of the store, from tires by type, brand, and vehicle to articles, help, policies, and programs.',
        path: paths.siteMap(),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  return { groups: await readSiteMap(context.get(applicationContext)) }
}

export default function SiteMap({ loaderData: { groups } }: Route.ComponentProps) {
  return (
    <div className="wrap help">
      <header className="help-head">
        <h1>All pages</h1>
        <nav aria-label="Groups">
          <ul className="help-sections">
            {groups.map(({ id, title }) => (
              <li key={id}>
                <a className="chip" href={`#${id}`}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {groups.map(({ id, title, links }) => (
        <section key={id} aria-labelledby={id} className="site-map-group">
          <h2 id={id}>{title}</h2>
          <ul>
            {links.map(({ label, path }) => (
              <li key={path}>
                <a href={path}>{label}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
