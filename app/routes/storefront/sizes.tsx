import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { DirectoryGrid } from '#app/ui/directory-grid.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { getHomeRows, listSizes, type SizeEntry } from '#domain/catalog/catalog/catalog.server.ts'
import { parseSizeSlug, parseTireSize, sizeSlug, tireGeometry } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { groupByKind } from './size-kinds.ts'
import type { Route } from './+types/sizes.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageHead(matches, {
    title: loaderData?.height ? `${loaderData.height}-inch tires` : 'Tires by size',
    description: 'Every tire size we sell, by wheel diameter. The size is on the side of your tires.',
    path: paths.sizes(),
    isIndexed: !loaderData?.height,
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

/** Lists every size by wheel diameter. With `?height=`, lists the sizes near that height in inches. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const asked = url.searchParams.get('height') ?? ''
  const height = /^\d{2}$/.test(asked) ? Number(asked) : null
  const [sizes, { vehicles }] = await Promise.all([listSizes(app.catalog), getHomeRows(app.catalog)])
  const sold = new Set(sizes.map(({ slug }) => slug))
  const popular = vehicles.flatMap(({ size, name }) => {
    const parsed = parseTireSize(size)
    const slug = parsed && sizeSlug(parsed)
    return slug && sold.has(slug) ? [{ size, slug, vehicle: name }] : []
  })
  return {
    height,
    rims: byRim(height === null ? sizes : sizes.filter(({ slug }) => heightIn(slug) === height)),
    popular:
      height === null
        ? [...new Map(popular.toReversed().map((entry) => [entry.slug, entry])).values()].toReversed()
        : [],
  }
}

export default function Sizes({ loaderData: { height, rims, popular } }: Route.ComponentProps) {
  return (
    <div className="wrap directory">
      <div className="directory-head">
        <h1>{height === null ? 'Tires by size' : `${height}-inch tires`}</h1>
        {height === null ? null : (
          <p>
            {rims.length === 0 ? 'We sell no tire about' : 'Sizes about'} {height} inches high, whatever the wheel.{' '}
            <a href={paths.sizes()}>All sizes</a>
          </p>
        )}
        {height === null && rims.length === 0 ? <p>No tires for sale yet.</p> : null}
        <p className="muted">
          The size is on the side of your tires and on the label at the driver’s door: 225/65R17 is 225 mm wide, its
          sidewall is 65% of that, and it goes on a 17-inch wheel. Or{' '}
          <a href={`${paths.find()}?by=size`}>choose width, ratio and rim</a>.
        </p>
      </div>
      {popular.length > 0 ? (
        <section aria-labelledby="popular">
          <h2 id="popular">Popular sizes</h2>
          <DirectoryGrid
            places={popular.map(({ size, slug, vehicle }) => ({ path: paths.size(slug), name: size, note: vehicle }))}
          />
        </section>
      ) : null}
      <nav aria-label="Wheel diameters" className="rim-jumps">
        {rims.map(({ rim }) => (
          <a key={rim} className="chip tabular" href={`#rim-${rim}`}>
            {rim} in
          </a>
        ))}
      </nav>
      {rims.map(({ rim, kinds }) => (
        <section key={rim} aria-labelledby={`rim-${rim}`} className="rim">
          <h2 id={`rim-${rim}`}>
            <a href={paths.diameter(rim)}>{rim}-inch wheels</a>
          </h2>
          {kinds.map(({ kind, sizes }) => (
            <div key={kind} className="rim-kind">
              <h3 className="small muted">{kind}</h3>
              <ul className="size-list tabular">
                {sizes.map(({ slug, designation }) => (
                  <li key={slug}>
                    <a href={paths.size(slug)}>{designation}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}

/** Inches of overall height, rounded. */
function heightIn(slug: string): number {
  const size = parseSizeSlug(slug)
  return Math.round(((size && tireGeometry(size).overallDiameterMm) ?? 0) / 25.4)
}

/** Sizes by wheel, smallest first, then by kind of tire. */
function byRim(
  sizes: readonly SizeEntry[],
): { rim: string; kinds: { kind: string; sizes: { slug: string; designation: string }[] }[] }[] {
  return [...Map.groupBy(sizes, ({ rimIn }) => rimIn)].map(([rim, onRim]) => ({
    rim: String(rim),
    kinds: groupByKind(onRim).map(({ kind, sizes: ofKind }) => ({
      kind,
      sizes: ofKind.map(({ slug, designation }) => ({ slug, designation })),
    })),
  }))
}
