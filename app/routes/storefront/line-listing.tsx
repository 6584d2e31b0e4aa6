import { data } from 'react-router'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import type { ListingPageView } from '#app/ui/listing-data.ts'
import { ListingIntro, type IntroView } from '#app/ui/listing-intro.tsx'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { introOf, lineWays } from './line-ways.server.ts'
import { listingHead, movedTo, notFound, readListing, statusOf } from './listing.server.ts'
import { inSentence, readPathFilters } from './path-filters.server.ts'
import type { Route } from './+types/line-listing.ts'

export const handle = { bar: comparingBar }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData ? pageHead(matches, unpack(loaderData).head) : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

type LineListingView = ListingPageView & { intro: IntroView | null }

/** The lines of a brand, of a type, of a category, or of a brand in one of those. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const filters = await readPathFilters(shop, params)
  if (!filters) throw notFound()
  const { brand, type, category, kindName, titleNote } = filters
  const kind = type ?? category
  const scope = { brand: brand?.slug, type: type?.slug, category: category?.slug }
  const own = paths.listing(scope)
  if (own !== url.pathname) throw movedTo(own, url)

  const read = await readListing({ shop, visitor, url, context }, { scope })
  const heading = [brand?.name, kindName && (brand ? inSentence(kindName) : kindName), 'tires']
    .filter(Boolean)
    .join(' ')
  const view: Packed<LineListingView> = pack({
    head: listingHead({
      url,
      title: `${heading}${titleNote}`,
      read,
      about:
        brand && kind
          ? 'Sizes, owner ratings and what they cost installed near you.'
          : (kind?.definition ?? brand?.about ?? ''),
    }),
    heading,
    about: kind?.definition ?? brand?.about ?? null,
    crumbs: brand
      ? [
          { label: 'Brands', path: paths.brands() },
          ...(kind ? [{ label: brand.name, path: paths.brand(brand.slug) }] : []),
          ...(type ? [{ label: 'Types', path: paths.brandTypes(brand.slug) }] : []),
          ...(category ? [{ label: 'Categories', path: paths.brandCategories(brand.slug) }] : []),
        ]
      : [type ? { label: 'Types', path: paths.types() } : { label: 'Categories', path: paths.categories() }],
    here: (kind ?? brand)?.name ?? '',
    panel: null,
    help: null,
    intro: introOf(filters, read),
    listing: read.listing,
    empty: read.empty,
    ways: await lineWays(shop, filters, read),
    store: shop.config.store.name,
  })
  return data(view, statusOf(read))
}

export default function LineListing({ loaderData }: Route.ComponentProps) {
  const view = unpack(loaderData)
  return <ListingPage view={view}>{view.intro ? <ListingIntro intro={view.intro} /> : null}</ListingPage>
}
