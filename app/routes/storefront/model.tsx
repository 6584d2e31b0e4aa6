import { shopContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { listYears } from '#domain/vehicles/vehicles.server.ts'
import { movedTo, notFound } from './listing.server.ts'
import type { Route } from './+types/model.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.make} ${loaderData?.model} tires · Sidewall` },
  { name: 'description', content: `Original tire sizes of the ${loaderData?.make} ${loaderData?.model}, year by year.` },
]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The years of a model, newest first, with the sizes each came with. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [makeSlug, modelSlug] = [params.make.toLowerCase(), params.model.toLowerCase()]
  const found = await listYears(context.get(shopContext), makeSlug, modelSlug)
  if (!found.ok) throw notFound()
  if (url.pathname !== paths.model(makeSlug, modelSlug)) throw movedTo(paths.model(makeSlug, modelSlug), url)
  return { makeSlug, modelSlug, ...found.value }
}

export default function Model({ loaderData: { makeSlug, modelSlug, make, model, years } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <Crumbs
          crumbs={[
            { label: 'Vehicles', path: paths.vehicles() },
            { label: make, path: paths.make(makeSlug) },
          ]}
          here={model}
        />
        <h1>
          {make} {model} tires
        </h1>
        <p className="muted">Choose the year. Sizes vary by trim and option: the label at the driver’s door has the last word.</p>
      </div>
      <ul className="directory-rows panel">
        {years.map(({ year, sizes }) => (
          <li key={year}>
            <a href={paths.vehicle(makeSlug, modelSlug, year)}>
              <span className="strong tabular">{year}</span>
              <span className="small muted tabular">{sizes.length > 0 ? sizes.join(' · ') : 'Size from your door label'}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
