import { shopContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listYears } from '#domain/vehicles/vehicles.server.ts'
import { movedTo, notFound } from './listing.server.ts'
import { yearRanges } from './model-sizes.ts'
import { soldSizes } from './sold-sizes.server.ts'
import type { Route } from './+types/model.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return []
  const { make, model, makeSlug, modelSlug, years, sizes } = loaderData
  const span = `${years.at(-1)?.year}–${years[0]?.year}`
  return pageHead(matches, {
    title: `${make} ${model} tires`,
    description:
      sizes.length > 0
        ? `Original tire sizes of the ${make} ${model}, ${span}, year by year: ${sizes
            .slice(0, 4)
            .map(({ size }) => size)
            .join(', ')}${sizes.length > 4 ? ' and others' : ''}.`
        : `The ${make} ${model}, ${span}: tell us the size on the door label, and every tire is checked against it.`,
    path: paths.model(makeSlug, modelSlug),
    isIndexed: sizes.length > 0,
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** The years of a model, newest first, with the sizes each came with. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const [makeSlug, modelSlug] = [params.make.toLowerCase(), params.model.toLowerCase()]
  const found = await listYears(shop, makeSlug, modelSlug)
  if (!found.ok) throw notFound()
  const { make, model, years } = found.value
  if (url.pathname !== paths.model(found.value.makeSlug, found.value.modelSlug))
    throw movedTo(paths.model(found.value.makeSlug, found.value.modelSlug), url)
  const ranges = yearRanges(years)
  const slugs = new Map(
    (
      await soldSizes(
        shop,
        ranges.map(({ size }) => size),
      )
    ).map(({ designation, slug }) => [designation, slug]),
  )
  return {
    makeSlug,
    modelSlug,
    make,
    model,
    years,
    sizes: ranges.map((range) => ({ ...range, slug: slugs.get(range.size) ?? null })),
  }
}

export default function Model({
  loaderData: { makeSlug, modelSlug, make, model, years, sizes },
}: Route.ComponentProps) {
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
        <p className="muted">
          {sizes.length > 0
            ? `The ${model} left the factory in ${sizes.length === 1 ? 'one size' : `${sizes.length} sizes`} that we list. Choose the year. Sizes vary by trim and option: the label at the driver’s door has the last word.`
            : 'We list no original sizes for it yet. Choose the year and tell us what the label at the driver’s door says: every tire is checked against it.'}
        </p>
      </div>
      <div className="model-columns">
        <section aria-labelledby="years">
          <h2 id="years">By year</h2>
          <ul className="directory-rows panel">
            {years.map(({ year, sizes: ofYear }) => (
              <li key={year}>
                <a href={paths.vehicle(makeSlug, modelSlug, year)}>
                  <span className="strong tabular">{year}</span>
                  <span className="small muted tabular">
                    {ofYear.length > 0 ? ofYear.join(' · ') : 'Size from your door label'}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
        {sizes.length > 0 ? (
          <section aria-labelledby="sizes">
            <h2 id="sizes">Its sizes, and when</h2>
            <ul className="directory-rows directory-sizes panel tabular">
              {sizes.map(({ size, years: when, slug }) => (
                <li key={size}>
                  {slug ? (
                    <a href={paths.size(slug)}>
                      <span className="strong">{size}</span>
                      <span className="small muted">{when}</span>
                    </a>
                  ) : (
                    <p>
                      <span className="strong">{size}</span>
                      <span className="small muted">{when}, not sold here</span>
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </div>
  )
}
