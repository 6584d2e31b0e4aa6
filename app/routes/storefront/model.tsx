import { redirect } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { listModelsNamed, listYears } from '#domain/catalog/vehicles/vehicles.server.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import type { Application } from '#application'
import { movedTo, notFound } from './listing.server.ts'
import { yearRanges } from './model-sizes.ts'
import { soldSizes } from './sold-sizes.server.ts'
import type { Route } from './+types/model.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return []
  if ('several' in loaderData)
    return pageHead(matches, {
      title: `${loaderData.name} tires`,
      description: `${loaderData.several.map(({ name }) => name).join(', ')}: choose yours to see the tires for it.`,
      path: loaderData.path,
      isIndexed: false,
    })
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
        : `The ${make} ${model}, ${span}. Enter the size on your door label, and we’ll check every tire against it.`,
    path: paths.model(makeSlug, modelSlug),
    isIndexed: sizes.length > 0,
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/**
 * The years of a model, newest first, with the sizes each came with. For a name of several models, the models that it may
 * mean, in `?year=` if that is given.
 */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const [makeSlug, modelSlug] = [params.make.toLowerCase(), params.model.toLowerCase()]
  const year = yearAsked(url)
  const several = await readSeveral(app, { year, makeSlug, modelSlug }, url)
  if (several) return several
  const found = await listYears(app, makeSlug, modelSlug)
  if (!found.ok) throw notFound()
  const { make, model, years } = found.value
  if (url.pathname !== paths.model(found.value.makeSlug, found.value.modelSlug))
    throw movedTo(paths.model(found.value.makeSlug, found.value.modelSlug), url)
  const ranges = yearRanges(years)
  const slugs = new Map(
    (
      await soldSizes(
        app,
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

type SeveralView = {
  name: string
  make: string
  path: string
  makePath: string
  year: number | null
  several: { name: string; path: string; note: string }[]
}

/** `?year=`, or null without a valid one. */
function yearAsked(url: URL): number | null {
  const year = Number(url.searchParams.get('year') ?? Number.NaN)
  return Number.isInteger(year) && year >= 1900 && year <= 2100 ? year : null
}

/**
 * Returns the models with this name, in the given year if any. Returns null for a unique name. Throws a redirect to the
 * only model in that year.
 */
async function readSeveral(
  app: Application,
  { year, makeSlug, modelSlug }: { year: number | null; makeSlug: string; modelSlug: string },
  url: URL,
): Promise<SeveralView | null> {
  const models = await listModelsNamed(app, { year, makeSlug, modelSlug })
  const [first] = models
  if (!first) return null
  if (year !== null && models.length === 1) throw redirect(paths.vehicle(first.makeSlug, first.modelSlug, year))
  const path = paths.model(makeSlug, modelSlug)
  if (url.pathname !== path) throw movedTo(path, url)
  return {
    name: `${first.make} ${commonWords(models.map(({ model }) => model))}`.trim(),
    make: first.make,
    path,
    makePath: paths.make(first.makeSlug),
    year,
    several: models.map((model) => ({
      name: model.model,
      path:
        year === null
          ? paths.model(model.makeSlug, model.modelSlug)
          : paths.vehicle(model.makeSlug, model.modelSlug, year),
      note: `${model.years.at(-1)?.year}–${model.years[0]?.year}`,
    })),
  }
}

/** The words that all names start with: "Silverado" of "Silverado 1500" and "Silverado 2500HD". */
function commonWords(names: readonly string[]): string {
  const [first = [], ...others] = names.map((name) => name.split(' '))
  const end = first.findIndex((word, index) => others.some((words) => words[index] !== word))
  return first.slice(0, end === -1 ? first.length : end).join(' ')
}

export default function Model({ loaderData }: Route.ComponentProps) {
  return 'several' in loaderData ? <Several view={loaderData} /> : <OneModel view={loaderData} />
}

function Several({ view: { name, make, makePath, year, several } }: { view: SeveralView }) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <Crumbs
          crumbs={[
            { label: 'Vehicles', path: paths.vehicles() },
            { label: make, path: makePath },
          ]}
          here={name}
        />
        <h1>{['Which', year, name, 'do you have?'].filter(Boolean).join(' ')}</h1>
        <p className="muted">
          {countOf(several.length, 'model')} share this name, and their tires differ. Choose yours.
        </p>
      </div>
      <DirectoryGrid places={several} />
    </div>
  )
}

type ModelView = Exclude<Awaited<ReturnType<typeof loader>>, SeveralView>

function OneModel({ view: { makeSlug, modelSlug, make, model, years, sizes } }: { view: ModelView }) {
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
            ? `The ${model} left the factory in ${pluralForm(sizes.length, 'one size', `${sizes.length} sizes`)} that we list. Choose the year. Sizes vary by trim and option: the label at the driver’s door has the last word.`
            : 'We list no original sizes for it yet. Choose the year and enter the size on your door label, and we’ll check every tire against it.'}
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
