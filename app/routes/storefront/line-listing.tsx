import { shopContext, visitorContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import type { ListingPageView } from '#app/ui/listing-data.ts'
import { ListingPage, listingMeta } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { canonicalPath, movedTo, notFound, readListing } from './listing.server.ts'
import { readNarrowing } from './narrowing.server.ts'
import type { Route } from './+types/line-listing.ts'

export const meta: Route.MetaFunction = ({ loaderData }) => listingMeta(loaderData && unpack(loaderData))

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** The lines of a brand, of a type, of a category, or of a brand in one of those. */
export async function loader({ params, url, context }: Route.LoaderArgs): Promise<Packed<ListingPageView>> {
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const narrowing = await readNarrowing(shop, params)
  if (!narrowing) throw notFound()
  const { brand, type, category } = narrowing
  const kind = type ?? category
  const scope = { brand: brand?.slug, type: type?.slug, category: category?.slug }
  const own = paths.listing(scope)
  if (own !== url.pathname) throw movedTo(own, url)

  const { listing, empty, isPlain } = await readListing({ shop, visitor, url }, { scope })
  const heading = [brand?.name, brand ? kind?.name.toLowerCase() : kind?.name, 'tires'].filter(Boolean).join(' ')
  const crumbs = brand
    ? [{ label: 'Brands', path: paths.brands() }, ...(kind ? [{ label: brand.name, path: paths.brand(brand.slug) }] : [])]
    : [type ? { label: 'Types', path: paths.types() } : { label: 'Categories', path: paths.categories() }]
  return pack({
    heading,
    title: heading,
    about: kind?.definition ?? brand?.about ?? null,
    crumbs,
    here: (kind ?? brand)?.name ?? '',
    panel: null,
    listing,
    empty,
    canonical: `${shop.config.web.origin}${canonicalPath(url, [])}`,
    isIndexed: isPlain,
    store: shop.config.store.name,
  })
}

export default function LineListing({ loaderData }: Route.ComponentProps) {
  return <ListingPage view={unpack(loaderData)} />
}
