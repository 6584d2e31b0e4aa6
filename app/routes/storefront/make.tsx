import { shopContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { listModels } from '#domain/vehicles/vehicles.server.ts'
import { movedTo, notFound } from './listing.server.ts'
import type { Route } from './+types/make.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.make} tires · Sidewall` },
  { name: 'description', content: `Every ${loaderData?.make} we know the tire sizes of. Choose the model and the year.` },
]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The models of a make, at /vehicles/{make}-tires. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const slug = params.makeTires.toLowerCase().replace(/-tires$/, '')
  const found = await listModels(context.get(shopContext), slug)
  if (!found.ok) throw notFound()
  if (url.pathname !== paths.make(slug)) throw movedTo(paths.make(slug), url)
  return { slug, ...found.value }
}

export default function Make({ loaderData: { slug, make, models } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <Crumbs crumbs={[{ label: 'Vehicles', path: paths.vehicles() }]} here={make} />
        <h1>{make} tires</h1>
        <p className="muted">Choose the model.</p>
      </div>
      <ul className="directory-grid panel">
        {models.map((model) => (
          <li key={model.slug}>
            <a href={paths.model(slug, model.slug)}>
              <span className="strong">{model.name}</span>
              <span className="small muted tabular">{model.firstYear === model.lastYear ? model.firstYear : `${model.firstYear}–${model.lastYear}`}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
