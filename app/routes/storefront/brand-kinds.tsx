import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { groupOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { dollars } from './listing-messages.server.ts'
import { countOf } from '#platform/count-text.ts'
import { movedTo, notFound } from './listing.server.ts'
import { readPathFilters } from './path-filters.server.ts'
import type { Route } from './+types/brand-kinds.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `${loaderData.brand} tires by ${loaderData.isOfTypes ? 'type' : 'category'}`,
        description: `${loaderData.brand} makes ${loaderData.kinds.map(({ name }) => name).join(', ')}: lines and lowest prices of each.`,
        path: loaderData.isOfTypes ? paths.brandTypes(loaderData.slug) : paths.brandCategories(loaderData.slug),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The types or the categories in which a brand has lines. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const filters = await readPathFilters(app, { brand: params.brand })
  const brand = filters?.brand
  if (!brand) throw notFound()
  const isOfTypes = url.pathname.endsWith('/types')
  const own = isOfTypes ? paths.brandTypes(brand.slug) : paths.brandCategories(brand.slug)
  if (own !== url.pathname) throw movedTo(own, url)
  const groups = await groupOffers(app.catalog, { brand: brand.slug })
  return {
    brand: brand.name,
    slug: brand.slug,
    isOfTypes,
    kinds: (isOfTypes ? groups.types : groups.categories).map((kind) => ({
      slug: kind.slug,
      name: kind.name,
      path: paths.listing({ brand: brand.slug, ...(isOfTypes ? { type: kind.slug } : { category: kind.slug }) }),
      detail: `${countOf(kind.count, 'line')} from ${dollars(kind.fromCents)}`,
    })),
  }
}

export default function BrandKinds({ loaderData: { brand, slug, isOfTypes, kinds } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <Crumbs
          crumbs={[
            { label: 'Brands', path: paths.brands() },
            { label: brand, path: paths.brand(slug) },
          ]}
          here={isOfTypes ? 'Types' : 'Categories'}
        />
        <h1>
          {brand} tires by {isOfTypes ? 'type' : 'category'}
        </h1>
      </div>
      <DirectoryGrid places={kinds.map(({ path, name, detail }) => ({ path, name, note: detail }))} />
    </div>
  )
}
