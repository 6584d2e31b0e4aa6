import { shopContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { listTires } from '#domain/catalog/catalog.server.ts'
import { plainQuery } from '#domain/catalog/catalog.ts'
import { dollars } from './listing-words.server.ts'
import { movedTo, notFound } from './listing.server.ts'
import { readNarrowing } from './narrowing.server.ts'
import type { Route } from './+types/brand-kinds.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.brand} tires by ${loaderData?.isOfTypes ? 'type' : 'category'} · Sidewall` },
]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The types, or the categories, in which a brand has lines. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const narrowing = await readNarrowing(shop, { brand: params.brand })
  const brand = narrowing?.brand
  if (!brand) throw notFound()
  const isOfTypes = url.pathname.endsWith('/types')
  const own = isOfTypes ? paths.brandTypes(brand.slug) : paths.brandCategories(brand.slug)
  if (own !== url.pathname) throw movedTo(own, url)
  const found = await listTires(shop.catalog, { scope: { brand: brand.slug }, query: { ...plainQuery, pageSize: 96 } })
  const groups = Map.groupBy(found.ok ? found.value.offers : [], ({ line }) => (isOfTypes ? line.type.slug : line.category.slug))
  return {
    brand: brand.name,
    slug: brand.slug,
    isOfTypes,
    kinds: [...groups].map(([slug, offers]) => ({
      slug,
      name: (isOfTypes ? offers[0]?.line.type.name : offers[0]?.line.category.name) ?? slug,
      path: paths.listing({ brand: brand.slug, ...(isOfTypes ? { type: slug } : { category: slug }) }),
      detail: `${offers.length === 1 ? '1 line' : `${offers.length} lines`} from ${dollars(Math.min(...offers.map(({ perTireCents }) => perTireCents)))}`,
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
      <ul className="directory-grid panel">
        {kinds.map((kind) => (
          <li key={kind.slug}>
            <a href={kind.path}>
              <span className="strong">{kind.name}</span>
              <span className="small muted tabular">{kind.detail}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
