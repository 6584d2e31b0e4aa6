import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import type { ListingPageView } from '#app/ui/listing-data.ts'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { listSizes, type SizeEntry } from '#domain/catalog/catalog/catalog.server.ts'
import { parseSizeSlug, tireGeometry } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { pluralForm } from '#platform/count-text.ts'
import { listingHead, movedTo, notFound, readListing } from './listing.server.ts'
import { groupByKind } from './size-kinds.ts'
import type { Route } from './+types/rim.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

type Row = { slug: string; designation: string; height: { inches: string; percent: number } | null }
type RimView = ListingPageView & { rim: string; count: number; kinds: { kind: string; sizes: Row[] }[] }

/**
 * One wheel diameter with its sizes and models. Only one of the sizes fits. The list of all tires would be too long.
 */
export async function loader({ params, url, context }: Route.LoaderArgs): Promise<Packed<RimView>> {
  const app = context.get(applicationContext)
  const rimIn = /^\d{1,2}([.-]\d)?$/.test(params.rim) ? Number(params.rim.replace('-', '.')) : Number.NaN
  const sizes = Number.isFinite(rimIn) ? await listSizes(app.catalog, rimIn) : []
  if (sizes.length === 0) throw notFound()
  const rim = String(rimIn)
  if (url.pathname !== paths.diameter(rim)) throw movedTo(paths.diameter(rim), url)
  const read = await readListing({ url, context }, { scope: { rimIn } })
  const kinds = groupByKind(sizes)
  return pack({
    head: listingHead({
      url,
      title: `${rim}-inch tires`,
      read,
      about: `${pluralForm(sizes.length, 'One size goes', `${sizes.length} sizes go`)} on a ${rim}-inch wheel.`,
    }),
    heading: `${rim}-inch tires`,
    about: `They all go on a ${rim}-inch wheel, yet only the size on your door label fits your vehicle. Each line below comes in one or more of them.`,
    crumbs: [{ label: 'Sizes', path: paths.sizes() }],
    here: `${rim} inch`,
    panel: null,
    help: null,
    rim,
    count: sizes.length,
    kinds: kinds.map(({ kind, sizes: ofKind }) => ({ kind, sizes: rowsOf(ofKind) })),
    listing: read.listing,
    empty: read.empty,
    ways: [],
    store: app.config.store.name,
  })
}

export default function Rim({ loaderData }: Route.ComponentProps) {
  const view = unpack(loaderData)
  return (
    <ListingPage view={view}>
      <details className="panel rim-sizes" open={view.count <= 12}>
        <summary>
          {pluralForm(view.count, 'The size', `All ${view.count} sizes`)} for {view.rim}-inch wheels
        </summary>
        {view.kinds.map(({ kind, sizes }) => (
          <section key={kind}>
            <h2 className="small muted">{kind}</h2>
            <ul className="size-list tabular">
              {sizes.map(({ slug, designation, height }) => (
                <li key={slug}>
                  <a href={paths.size(slug)}>
                    {designation}
                    {height === null ? null : (
                      <span
                        className="small muted height-bar"
                        style={{ '--height': `${height.percent}%` } as React.CSSProperties}
                      >
                        {height.inches} in high
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </details>
    </ListingPage>
  )
}

/** Sizes with their height, and its percentage of the tallest. */
function rowsOf(sizes: readonly SizeEntry[]): Row[] {
  const heightOf = (slug: string) => {
    const size = parseSizeSlug(slug)
    return size && tireGeometry(size).overallDiameterMm
  }
  const tallestMm = Math.max(...sizes.map(({ slug }) => heightOf(slug) ?? 0))
  return sizes.map(({ slug, designation }) => {
    const heightMm = heightOf(slug)
    return {
      slug,
      designation,
      height:
        heightMm === undefined
          ? null
          : { inches: (heightMm / 25.4).toFixed(1), percent: Math.round((heightMm / tallestMm) * 100) },
    }
  })
}
