import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listModels } from '#domain/catalog/vehicles/vehicles.server.ts'
import { pluralForm } from '#platform/count-text.ts'
import { movedTo, notFound } from './listing.server.ts'
import { soldSizes } from './sold-sizes.server.ts'
import type { Route } from './+types/make.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `${loaderData.make} tires`,
        description: `${loaderData.make} ${loaderData.models
          .slice(0, 5)
          .map(({ name }) => name)
          .join(
            ', ',
          )}${loaderData.models.length > 5 ? ' and the others' : ''}: choose the model and the year to see its original tire sizes.`,
        path: paths.make(loaderData.slug),
        // Pages with only names aren't indexed.
        isIndexed: loaderData.models.some(({ hasSizes }) => hasSizes),
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The models of a make, at /vehicles/{make}-tires. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const slug = params.makeTires.toLowerCase().replace(/-tires$/, '')
  const found = await listModels(app, slug)
  if (!found.ok) throw notFound()
  if (url.pathname !== paths.make(slug)) throw movedTo(paths.make(slug), url)
  const { make, models, sizes } = found.value
  return {
    slug,
    make,
    models: models.map(({ slug: modelSlug, name, hasSizes, firstYear, lastYear }) => ({
      slug: modelSlug,
      name,
      hasSizes,
      years: firstYear === lastYear ? `${firstYear}` : `${firstYear}–${lastYear}`,
    })),
    sizes: await soldSizes(app, sizes),
  }
}

export default function Make({ loaderData: { slug, make, models, sizes } }: Route.ComponentProps) {
  const known = models.filter(({ hasSizes }) => !hasSizes)
  const listed = known.length === models.length ? models : models.filter(({ hasSizes }) => hasSizes)
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <Crumbs crumbs={[{ label: 'Vehicles', path: paths.vehicles() }]} here={make} />
        <h1>{make} tires</h1>
        <p className="muted">
          {pluralForm(models.length, 'One model', `${models.length} models`)}, with the years they were sold. Choose
          yours; the year comes next.
          {known.length === models.length
            ? ' We list no original sizes for them: the label at the driver’s door says yours.'
            : ''}
        </p>
      </div>
      <DirectoryGrid
        places={listed.map((model) => ({ path: paths.model(slug, model.slug), name: model.name, note: model.years }))}
      />
      {known.length > 0 && known.length < models.length ? (
        <section aria-labelledby="known">
          <h2 id="known">Size from your door label</h2>
          <p className="muted directory-note">
            We list no original sizes for these. Tell us the size on your door label, and we’ll check every tire against
            it.
          </p>
          <ul className="size-list names tabular">
            {known.map((model) => (
              <li key={model.slug}>
                <a href={paths.model(slug, model.slug)}>{model.name}</a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {sizes.length > 0 ? (
        <section aria-labelledby="sizes">
          <h2 id="sizes">Usual {make} sizes</h2>
          <ul className="size-list tabular">
            {sizes.map((size) => (
              <li key={size.slug}>
                <a href={paths.size(size.slug)}>{size.designation}</a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}
