import { shopContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import { listMakes } from '#domain/vehicles/vehicles.server.ts'
import type { Route } from './+types/vehicles.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = () => [
  { title: 'Tires by vehicle · Sidewall' },
  { name: 'description', content: 'Choose your make to see the original tire sizes of every model and year we know.' },
]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

export async function loader({ context }: Route.LoaderArgs) {
  return { makes: await listMakes(context.get(shopContext)) }
}

export default function Vehicles({ loaderData: { makes } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <h1>Tires by vehicle</h1>
        <p className="muted">
          Choose the make, or <a href={paths.find()}>find yours by year</a>.
        </p>
      </div>
      <ul className="directory-grid panel">
        {makes.map(({ slug, name, models, firstYear, lastYear }) => (
          <li key={slug}>
            <a href={paths.make(slug)}>
              <span className="strong">{name}</span>
              <span className="small muted tabular">
                {models === 1 ? '1 model' : `${models} models`} <span className="nowrap">{yearsText(firstYear, lastYear)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function yearsText(first: number, last: number): string {
  return first === last ? `${first}` : `${first}–${last}`
}
