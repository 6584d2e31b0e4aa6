import { shopContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { listSizes, type SizeEntry } from '#domain/catalog/catalog.server.ts'
import { parseSizeSlug, tireGeometry } from '#domain/fitment/fitment.ts'
import { movedTo, notFound } from './listing.server.ts'
import { groupByKind } from './size-kinds.ts'
import type { Route } from './+types/rim.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.rim}-inch tires · Sidewall` },
  { name: 'description', content: `Every tire size for ${loaderData?.rim}-inch wheels, with its height and width.` },
]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/**
 * The sizes on one wheel diameter. Sizes and not tires: a tire of the wrong size on the right wheel does not fit, and a list of all of them would
 * grow with the catalog.
 */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const rim = Number(params.rim)
  const sizes = Number.isFinite(rim) ? await listSizes(context.get(shopContext).catalog, rim) : []
  if (sizes.length === 0) throw notFound()
  if (url.pathname !== paths.diameter(String(rim))) throw movedTo(paths.diameter(String(rim)), url)
  const heightOf = (slug: string) => {
    const size = parseSizeSlug(slug)
    return size && tireGeometry(size).overallDiameterMm
  }
  const tallestMm = Math.max(...sizes.map(({ slug }) => heightOf(slug) ?? 0))
  const row = ({ slug, designation }: SizeEntry) => {
    const heightMm = heightOf(slug)
    return {
      slug,
      designation,
      height: heightMm === undefined ? null : { inches: (heightMm / 25.4).toFixed(1), percent: Math.round((heightMm / tallestMm) * 100) },
    }
  }
  return { rim: String(rim), kinds: groupByKind(sizes).map(({ kind, sizes: ofKind }) => ({ kind, sizes: ofKind.map(row) })) }
}

export default function Rim({ loaderData: { rim, kinds } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <Crumbs crumbs={[{ label: 'Sizes', path: paths.sizes() }]} here={`${rim} inch`} />
        <h1>{rim}-inch tires</h1>
        <p className="muted">They all go on a {rim}-inch wheel, yet only the size on your door label fits your vehicle. Choose it:</p>
      </div>
      {kinds.map(({ kind, sizes }) => (
        <section key={kind}>
          <h2>{kind}</h2>
          <ul className="directory-grid panel">
            {sizes.map(({ slug, designation, height }) => (
              <li key={slug}>
                <a href={paths.size(slug)}>
                  <span className="strong tabular">{designation}</span>
                  {height === null ? null : (
                    <span className="small muted tabular height-bar" style={{ '--height': `${height.percent}%` } as React.CSSProperties}>
                      {height.inches} in high
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
