import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listMakes } from '#domain/catalog/vehicles/vehicles.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/vehicles.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Tires by vehicle',
    description: 'Choose your make to see the original tire sizes of every model and year we know.',
    path: paths.vehicles(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** Lists every make, with and without listed original sizes. */
export async function loader({ context }: Route.LoaderArgs) {
  const makes = await listMakes(context.get(applicationContext))
  return {
    listed: makes.filter(({ hasSizes }) => hasSizes),
    known: makes.filter(({ hasSizes }) => !hasSizes).map(({ slug, name }) => ({ slug, name })),
  }
}

export default function Vehicles({ loaderData: { listed, known } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <h1>Tires by vehicle</h1>
        <p className="muted">
          Choose the make, or <a href={paths.find()}>find yours by year</a>.
        </p>
      </div>
      <DirectoryGrid
        places={listed.map(({ slug, name, models, firstYear, lastYear }) => ({
          path: paths.make(slug),
          name,
          note: (
            <>
              {countOf(models, 'model')}, <span className="nowrap">{yearsText(firstYear, lastYear)}</span>
            </>
          ),
        }))}
      />
      {known.length > 0 ? (
        <section aria-labelledby="known">
          <h2 id="known">Size from your door label</h2>
          <p className="muted directory-note">
            We know these makes but list no original sizes for them. Enter the size on your door label, and every tire
            is checked against it.
          </p>
          <ul className="size-list names">
            {known.map(({ slug, name }) => (
              <li key={slug}>
                <a href={paths.make(slug)}>{name}</a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

function yearsText(first: number, last: number): string {
  return first === last ? `${first}` : `${first}–${last}`
}
