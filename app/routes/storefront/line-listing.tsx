import { data } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import type { ListingPageView } from '#app/ui/listing-data.ts'
import { ListingIntro, type IntroView } from '#app/ui/listing-intro.tsx'
import { ListingPage } from '#app/ui/listing-page.tsx'
import { pack, unpack, type Packed } from '#app/ui/packed.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { comparingBar } from '#app/ui/comparing.tsx'
import { introOf, lineWays } from './line-ways.server.ts'
import { listingHead, readListing, statusOf } from './listing.server.ts'
import { inSentence, requirePathFilters, type PathFilters } from './path-filters.server.ts'
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
  const app = context.get(applicationContext)
  const filters = await requirePathFilters(app, params, url)
  const { brand, kind } = filters
  const read = await readListing({ url, context }, { scope: filters.slugs })
  const heading = headingOf(filters)
  const definition = kind?.definition ?? brand?.about ?? null
  const view: Packed<LineListingView> = pack({
    head: listingHead({
      url,
      title: `${heading}${filters.titleNote}`,
      read,
      about: brand && kind ? 'Sizes, owner ratings and what they cost installed near you.' : (definition ?? ''),
    }),
    heading,
    about: definition,
    crumbs: crumbsOf(filters),
    here: (kind ?? brand)?.name ?? '',
    panel: null,
    help: null,
    intro: introOf(filters, read),
    listing: read.listing,
    empty: kind?.lines === 0 && read.empty ? { ...read.empty, title: `No ${inSentence(heading)} yet` } : read.empty,
    ways: await lineWays(app, filters, read),
    store: app.config.store.name,
  })
  return data(view, statusOf(read))
}

export default function LineListing({ loaderData }: Route.ComponentProps) {
  const view = unpack(loaderData)
  return <ListingPage view={view}>{view.intro ? <ListingIntro intro={view.intro} /> : null}</ListingPage>
}

/** "Acme tires", "Acme touring tires", "Touring tires" */
function headingOf({ brand, kindName }: PathFilters): string {
  return [brand?.name, kindName && (brand ? inSentence(kindName) : kindName), 'tires'].filter(Boolean).join(' ')
}

/** A brand's type or category is below that brand's list of all types or categories. */
function crumbsOf({ brand, type, category, kind }: PathFilters): ListingPageView['crumbs'] {
  if (!brand)
    return [type ? { label: 'Types', path: paths.types() } : { label: 'Categories', path: paths.categories() }]
  return [
    { label: 'Brands', path: paths.brands() },
    ...(kind ? [{ label: brand.name, path: paths.brand(brand.slug) }] : []),
    ...(type ? [{ label: 'Types', path: paths.brandTypes(brand.slug) }] : []),
    ...(category ? [{ label: 'Categories', path: paths.brandCategories(brand.slug) }] : []),
  ]
}
