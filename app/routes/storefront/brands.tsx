import { shopContext } from '#app/http/context.ts'
import { BrandGrid } from '#app/ui/listing-brands.tsx'
import { listBrands } from '#domain/catalog/catalog.server.ts'
import type { Route } from './+types/brands.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = () => [{ title: 'Tire brands · Sidewall' }, { name: 'description', content: 'Every brand we sell, with its lines, reviews and prices installed near you.' }]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** All brands by name, in groups of a letter. */
export async function loader({ context }: Route.LoaderArgs) {
  const brands = await listBrands(context.get(shopContext).catalog)
  const views = brands.map(({ slug, name, lines, wordmark }) => ({ slug, name, lines, wordmark }))
  return { count: views.length, letters: [...Map.groupBy(views, ({ name }) => name[0] ?? '')].map(([letter, ofLetter]) => ({ letter, brands: ofLetter })) }
}

export default function Brands({ loaderData: { count, letters } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <h1>Tire brands</h1>
        <p className="muted">All {count} brands we sell.</p>
      </div>
      <nav aria-label="Letters" className="rim-jumps">
        {letters.map(({ letter }) => (
          <a key={letter} className="chip" href={`#brands-${letter}`}>
            {letter}
          </a>
        ))}
      </nav>
      {letters.map(({ letter, brands }) => (
        <section key={letter} className="brand-letter" aria-labelledby={`brands-${letter}`}>
          <h2 id={`brands-${letter}`}>{letter}</h2>
          <BrandGrid brands={brands} />
        </section>
      ))}
    </div>
  )
}
