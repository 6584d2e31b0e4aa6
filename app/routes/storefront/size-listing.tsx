import { data, redirect } from 'react-router'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import type { EmptyView, ListingPageView } from '#app/ui/listing-data.ts'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { parseSizeSlug, parseTireSize, sizeSlug } from '#domain/fitment/fitment.ts'
import type { Shop } from '#shop'
import { listingHead, movedTo, notFound, readListing, sizeName, statusOf } from './listing.server.ts'
import { inSentence, isMade, nearSizes, readPathFilters } from './path-filters.server.ts'
import { sizeWays } from './size-ways.server.ts'
import { readMyVehicle, sizePanel } from './vehicle-panel.server.ts'
import type { Route } from './+types/size-listing.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** A size, as a whole or narrowed to a brand, type or category. `?rear=` makes it a front size of staggered sets. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const size = slugOf(params.size)
  if (!size) throw notFound()
  const filters = await readPathFilters(shop, params)
  if (!filters) throw notFound()
  const { brand, type, category, kindName, titleNote } = filters
  const own = paths.listing({ size, brand: brand?.slug, type: type?.slug, category: category?.slug })
  if (own !== url.pathname) throw movedTo(own, url)
  const rear = rearOf(url, size)

  const mine = await readMyVehicle(shop, visitor)
  const kept = rear === null ? [] : [['rear', rear] as const]
  const scope = {
    sizes: [{ front: size, rear: rear ?? size }],
    brand: brand?.slug,
    type: type?.slug,
    category: category?.slug,
  }
  const read = await readListing(
    { shop, visitor, url, context },
    { scope, requirement: mine?.requirement, vehicleName: mine?.model, kept },
  )
  const sizeText = rear === null ? sizeName(size) : `${sizeName(size)} front, ${sizeName(rear)} rear`
  const heading = [brand?.name, sizeText, kindName && inSentence(kindName), rear === null ? 'tires' : 'sets']
    .filter(Boolean)
    .join(' ')
  const rim = parseSizeSlug(size)?.rimIn
  const view: Packed<ListingPageView> = pack({
    head: listingHead({
      url,
      title: `${heading}${titleNote}`,
      kept,
      read,
      about: 'Installed near you, and checked for size, load and speed.',
    }),
    heading,
    about: (type ?? category)?.definition ?? null,
    crumbs: [
      { label: 'Sizes', path: paths.sizes() },
      ...(rim === undefined ? [] : [{ label: `${rim} inch`, path: paths.diameter(String(rim)) }]),
      ...(brand || type || category ? [{ label: sizeName(size), path: paths.size(size) }] : []),
      ...(brand && (type || category) ? [{ label: brand.name, path: paths.listing({ size, brand: brand.slug }) }] : []),
    ],
    here: (type ?? category ?? brand)?.name ?? sizeText,
    panel: sizePanel({ slug: size, rear, mine, back: `${url.pathname}${url.search}` }),
    help: paths.recommendations({ size, rear: rear ?? undefined }),
    listing: read.listing,
    // A size nobody stocks at all has no neighbors in the catalog's own list: the nearest that are sold stand in.
    empty: read.empty?.alternatives.length === 0 ? await emptySize(shop, size) : read.empty,
    ways: rear === null ? sizeWays(size, filters, read) : [],
    store: shop.config.store.name,
  })
  return data(view, statusOf(read))
}

export default function SizeListing({ loaderData }: Route.ComponentProps) {
  return <ListingPage view={unpack(loaderData)} />
}

/** What is said of a size in which nothing is sold. */
async function emptySize(shop: Shop, size: string): Promise<EmptyView> {
  const [made, alternatives] = await Promise.all([isMade(shop, size), nearSizes(shop, size)])
  return {
    title: made ? `We do not sell ${sizeName(size)} right now` : `Nobody makes ${sizeName(size)}, as far as we know`,
    alternatives,
  }
}

/** The slug of any usual writing of a size: "225-65R17" and "2256517" have a page, but not two. */
function slugOf(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (parseSizeSlug(lower)) return lower
  const size = parseTireSize(text)
  return size && sizeSlug(size)
}

/** The rear size asked for; null where it is the front size. Throws a redirect to its one spelling. */
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
