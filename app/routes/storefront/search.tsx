import { shopContext, visitorContext } from '#app/http/context.ts'
import { cleanText } from '#app/http/form.ts'
import { seeOther } from '#app/http/safe-redirect.ts'
import { remember, withRecent } from '#app/http/visitor.ts'
import { paths, placePath } from '#app/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { resolveQuery } from '#domain/catalog/catalog.server.ts'
import { suggestionViews } from './suggestions.server.ts'
import type { Route } from './+types/search.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageHead(matches, {
    title: loaderData?.query ? `Search: ${loaderData.query}` : 'Search',
    description: 'Vehicles, sizes, brands, lines and articles that match what you typed.',
    path: paths.search(),
    isIndexed: false,
  })

/** Goes straight to what is clearly meant; else shows what it could be. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const query = cleanText(url.searchParams.get('q') ?? '')
    .trim()
    .slice(0, 120)
  const found = await resolveQuery(shop.catalog, query)
  if (found.kind === 'results') return { query, results: suggestionViews(found.suggestions) }
  const path = placePath(found.place)
  if (path === null) return { query, results: [] }
  const keep = remember(shop.config.web.origin.startsWith('https:'), shop.config.session.secret)
  throw seeOther(path, [['Set-Cookie', keep.recent(withRecent(visitor.recent, { label: query, path }))]])
}

export default function Search({ loaderData: { query, results } }: Route.ComponentProps) {
  return (
    <div className="wrap search-page">
      <h1>{query === '' ? 'Search tires' : results.length === 0 ? `Nothing found for “${query}”` : `Results for “${query}”`}</h1>
      {results.length > 0 ? (
        <ul className="link-rows panel">
          {results.map(({ label, detail, path }) => (
            <li key={path}>
              <a href={path}>
                <span>{label}</span>
                <span className="muted small">{detail}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className="muted">
            Search for a vehicle (2021 RAV4), a size in any writing (225/65R17, 2256517), a brand, a line or an article number. Or take one of these ways:
          </p>
          <p className="row search-ways">
            <a className="btn primary" href={paths.find()}>
              Find by vehicle
            </a>
            <a className="btn quiet" href={paths.sizes()}>
              All sizes
            </a>
            <a className="btn quiet" href={paths.brands()}>
              All brands
            </a>
          </p>
        </>
      )}
    </div>
  )
}
