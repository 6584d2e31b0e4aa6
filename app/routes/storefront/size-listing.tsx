import { data, redirect } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import type { EmptyView, ListingPageView } from '#app/ui/listing-data.ts'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { parseSizeSlug, parseTireSize, sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Application } from '#application'
import { listingHead, notFound, readListing, sizeName, statusOf, type ListingRead } from './listing.server.ts'
import { inSentence, nearSizes, notSoldText, requirePathFilters, type PathFilters } from './path-filters.server.ts'
import { sizeWays } from './size-ways.server.ts'
import { readMyVehicle, sizePanel } from './vehicle-panel.server.ts'
import type { Route } from './+types/size-listing.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** A size, all of it or by brand, type or category. `?rear=` makes it the front size of staggered sets. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const size = slugOf(params.size)
  if (!size) throw notFound()
  const filters = await requirePathFilters(app, { ...params, size }, url)
  const { brand, kind } = filters
  const rear = rearOf(url, size)

  const mine = await readMyVehicle(app, visitor)
  const kept = rear === null ? [] : [['rear', rear] as const]
  const scope = { sizes: [{ front: size, rear: rear ?? size }], ...filters.slugs }
  const read = await readListing(
    { url, context },
    { scope, requirement: mine?.requirement, vehicleName: mine?.model, kept },
  )
  const sizeText = rear === null ? sizeName(size) : `${sizeName(size)} front, ${sizeName(rear)} rear`
  const heading = headingOf(filters, sizeText, rear === null ? 'tires' : 'sets')
  const view: Packed<ListingPageView> = pack({
    head: listingHead({
      url,
      title: `${heading}${filters.titleNote}`,
      kept,
      read,
      about: 'Installed near you, and checked for size, load and speed.',
    }),
    heading,
    about: kind?.definition ?? null,
    crumbs: crumbsOf(size, filters),
    here: (kind ?? brand)?.name ?? sizeText,
    panel: sizePanel({ slug: size, rear, mine, back: `${url.pathname}${url.search}` }),
    help: paths.recommendations({ size, rear: rear ?? undefined }),
    listing: read.listing,
    empty: await emptyOf(app, size, read),
    ways: rear === null ? sizeWays(size, filters, read) : [],
    store: app.config.store.name,
  })
  return data(view, statusOf(read))
}

export default function SizeListing({ loaderData }: Route.ComponentProps) {
  return <ListingPage view={unpack(loaderData)} />
}

/** "Acme 225/65R17 touring tires" */
function headingOf({ brand, kindName }: PathFilters, sizeText: string, noun: 'tires' | 'sets'): string {
  return [brand?.name, sizeText, kindName && inSentence(kindName), noun].filter(Boolean).join(' ')
}

/** The size's rim, then the size and its listing for the brand, if the page is narrower than they are. */
function crumbsOf(size: string, { brand, kind }: PathFilters): ListingPageView['crumbs'] {
  const rim = parseSizeSlug(size)?.rimIn
  return [
    { label: 'Sizes', path: paths.sizes() },
    ...(rim === undefined ? [] : [{ label: `${rim} inch`, path: paths.diameter(String(rim)) }]),
    ...(brand || kind ? [{ label: sizeName(size), path: paths.size(size) }] : []),
    ...(brand && kind ? [{ label: brand.name, path: paths.listing({ size, brand: brand.slug }) }] : []),
  ]
}

/**
 * Shown for a size without results; null if there are some. A size that is not stocked at all has no neighbors in the
 * catalog: the closest sizes sold are used instead.
 */
async function emptyOf(app: Application, size: string, { empty }: ListingRead): Promise<EmptyView | null> {
  if (empty?.alternatives.length !== 0) return empty
  return { title: `${notSoldText(sizeName(size))} right now`, alternatives: await nearSizes(app, size) }
}

/** The slug of a size in any common notation: "225-65R17" and "2256517" share one page. */
function slugOf(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (parseSizeSlug(lower)) return lower
  const size = parseTireSize(text)
  return size && sizeSlug(size)
}

/** The requested rear size; null if it equals the front size. Throws a redirect to its canonical spelling. */
function rearOf(url: URL, front: string): string | null {
  const text = url.searchParams.get('rear')
  const rear = text ? slugOf(text) : undefined
  if (rear !== undefined && rear === text && rear !== front) return rear
  if (text === null || text === '') return null
  const params = new URLSearchParams(url.search)
  params.delete('rear')
  if (rear !== undefined && rear !== front) params.set('rear', rear)
  throw redirect(params.size === 0 ? url.pathname : `${url.pathname}?${params.toString()}`)
}
