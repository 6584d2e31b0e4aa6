import { data } from 'react-router'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { cleanText } from '#platform/plain-text.ts'
import { measure, searched } from '#app/server/measure.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { withRecent } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { forgetSearches } from '#domain/customers/accounts/accounts.server.ts'
import { listBrands, resolveQuery } from '#domain/catalog/catalog/catalog.server.ts'
import { countMissedSearch } from '#domain/operations/reports/reports.server.ts'
import { vinInSearch } from '#domain/catalog/vehicles/vehicles.ts'
import { findGuides } from './search-guides.server.ts'
import { groupedViews, pathInStore, suggestionViews } from './suggestions.server.ts'
import { answerVin } from './found-vehicle.server.ts'
import type { Route } from './+types/search.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageHead(matches, {
    title: loaderData?.query && !loaderData.vinProblem ? `Search: ${loaderData.query}` : 'Search',
    description: 'Vehicles, sizes, brands, lines, articles, shops and guides that match what you typed.',
    path: paths.search(),
    isIndexed: false,
  })

/** Goes straight to an unambiguous match; otherwise shows the possible ones. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const query = cleanText(url.searchParams.get('q') ?? '')
    .trim()
    .slice(0, 120)
  if (vinInSearch(query) !== undefined) {
    const answer = await answerVin(context, query)
    if (answer instanceof Response) throw answer
    return data({ ...nothingFound, query, vinProblem: answer.problem }, { status: answer.status })
  }
  if (query !== '') measure(context, () => searched(query))
  const store = storeKindOf(app.brandedStore)
  const found = await resolveQuery(app.catalog, query)
  if (found.kind === 'place') {
    const path = pathInStore(found.place, store)
    throw seeOther(path, remember(context, { recent: withRecent(visitor.recent, { label: query, path }) }))
  }
  const { meant, notSold, suggestions } = found
  const groups = groupedViews(suggestions, await findGuides(query, store), store)
  if (query !== '' && groups.length === 0) await countMissedSearch(app, query)
  const brands =
    groups.length > 0 ? [] : (await listBrands(app.catalog)).toSorted((a, b) => b.reviews - a.reviews).slice(0, 8)
  return data({
    query,
    vinProblem: null,
    meant: meant && (suggestionViews([meant], store)[0] ?? null),
    notSold: notSold?.name ?? null,
    groups,
    brands: brands.map(({ slug, name }) => ({ slug, name })),
  })
}

const nothingFound = { meant: null, notSold: null, groups: [], brands: [] }

/** Clears the recent searches of this browser and of the signed-in account. */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const { db } = context.get(applicationContext)
  const signedIn = await context.get(signedInContext)()
  if (signedIn) await forgetSearches({ db }, signedIn.accountId)
  const fields = await readForm(request)
  return seeOther(safePath(fields.get('back'), paths.home()), remember(context, { recent: [] }))
}

export default function Search({
  loaderData: { query, vinProblem, meant, notSold, groups, brands },
}: Route.ComponentProps) {
  return (
    <div className="wrap search-page">
      <div>
        <h1>
          {query === ''
            ? 'Search tires'
            : vinProblem
              ? 'Find your vehicle by VIN'
              : groups.length === 0
                ? `No results for “${query}”`
                : `Results for “${query}”`}
        </h1>
        {vinProblem ? (
          <p role="alert" className="did-you-mean">
            {vinProblem}
          </p>
        ) : null}
        {notSold ? (
          <p className="did-you-mean">
            We do not sell {notSold}.{' '}
            {groups.length > 0 ? 'Closest sizes we carry:' : brands.length > 0 ? 'All of our brands:' : null}
          </p>
        ) : null}
        {meant ? (
          <p className="did-you-mean">
            Did you mean <a href={meant.path}>{meant.label}</a>?
          </p>
        ) : null}
      </div>
      <SearchAgain query={query} />
      {groups.map(({ title, results }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
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
        </section>
      ))}
      {groups.length === 0 && !vinProblem ? (
        <p className="muted">
          It may be a vehicle (2021 RAV4), a VIN, a size in any format (225/65R17, 2256517), a brand, a line, an article
          number, a shop, a ZIP code or a question about tires.
        </p>
      ) : null}
      <OtherWays title={groups.length === 0 ? 'Other ways to your tires' : 'Not what you meant?'} brands={brands} />
    </div>
  )
}

function SearchAgain({ query }: { query: string }) {
  return (
    <form className="search-again" action="/search" aria-label="Search again">
      <label className="visually-hidden" htmlFor="search-again">
        Vehicle, size, brand, article, shop or ZIP
      </label>
      <input
        className="input"
        id="search-again"
        name="q"
        defaultValue={query}
        maxLength={120}
        placeholder="2021 RAV4, 225/65R17, a brand, 60614"
      />
      <button className="btn" type="submit">
        Search
      </button>
    </form>
  )
}

/** Renders other ways to find tires, including popular brands if the search has no results. */
function OtherWays({ title, brands }: { title: string; brands: readonly { slug: string; name: string }[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul className="row search-ways">
        {ways.map(({ label, icon, path }) => (
          <li key={path}>
            <a className="btn quiet" href={path}>
              <Icon name={icon} size="s" /> {label}
            </a>
          </li>
        ))}
      </ul>
      {brands.length > 0 ? (
        <ul className="category-chips">
          {brands.map(({ slug, name }) => (
            <li key={slug}>
              <a className="chip" href={paths.brand(slug)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const ways: { label: string; icon: IconName; path: string }[] = [
  { label: 'Find by vehicle', icon: 'car', path: paths.find() },
  { label: 'Read it off my tire', icon: 'question', path: paths.sizeCamera() },
  { label: 'All sizes', icon: 'search', path: paths.sizes() },
  { label: 'All brands', icon: 'tag', path: paths.brands() },
  { label: 'Tire dictionary', icon: 'question', path: paths.dictionary() },
]
