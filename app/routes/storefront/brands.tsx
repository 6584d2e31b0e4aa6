import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { BrandGrid } from '#app/ui/listing-brands.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listBrands } from '#domain/catalog/catalog/catalog.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/brands.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Tire brands',
    description: 'Every brand we sell, with its lines, reviews and prices installed near you.',
    path: paths.brands(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** All brands, by name. */
export async function loader({ context }: Route.LoaderArgs) {
  const brands = await listBrands(context.get(applicationContext).catalog)
  return { brands: brands.map(({ slug, name, lines, wordmark }) => ({ slug, name, lines, wordmark })) }
}

export default function Brands({ loaderData: { brands } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <h1>Tire brands</h1>
        <p className="muted">
          {brands.length === 0 ? 'No tires for sale yet.' : `All ${countOf(brands.length, 'brand')} we sell, by name.`}
        </p>
      </div>
      <BrandGrid brands={brands} />
    </div>
  )
}
