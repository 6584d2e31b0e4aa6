/** A model listing's introduction for its brand, type, or category, and its links to narrower listings. */
import { paths } from '#content/paths.ts'
import { countOf, countText } from '#platform/count-text.ts'
import type { WayView } from '#app/ui/listing-data.ts'
import type { IntroView } from '#app/ui/listing-intro.tsx'
import { listKinds, listUsualSizes } from '#domain/catalog/catalog/catalog.server.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import type { Application } from '#application'
import { dollars } from './listing-messages.server.ts'
import { wayTo, type ListingRead } from './listing.server.ts'
import type { PathFilters } from './path-filters.server.ts'

/**
 * Returns a summary of the brand, type, or category. Returns null for a combination of both, and for listings without
 * results.
 */
export function introOf({ brand, kind, slugs }: PathFilters, { listing, fromCents }: ListingRead): IntroView | null {
  if (!listing || (brand && kind)) return null
  const facts = [
    { term: 'Range', value: countOf(listing.inScope, listing.noun), path: null },
    { term: 'Price per tire', value: `from ${dollars(fromCents)}`, path: null },
    {
      term: 'Reviews by owners',
      value: brand ? `${countText(brand.reviews)}, best lines first` : 'The best rated',
      path: paths.scopeReviews(slugs),
    },
  ]
  if (brand) return { wordmark: { name: brand.name, wordmark: brand.wordmark }, picture: null, text: null, facts }
  const picture = kind?.item ? { itemId: kind.item.id, key: itemPictureKey(kind.item) } : null
  return { wordmark: null, picture, text: kind?.audience || null, facts }
}

/** Types, categories and brands among the lines, and their most common sizes. */
export async function lineWays(
  app: Application,
  { brand, type, kind, kindName, slugs: scope }: PathFilters,
  { groups }: ListingRead,
): Promise<WayView[]> {
  if (!groups) return []
  const [sizes, kinds] = await Promise.all([listUsualSizes(app.catalog, scope), listKinds(app.catalog)])
  const inOrder = (part: 'types' | 'categories') =>
    kinds[part].flatMap(({ slug }) => groups[part].find((group) => group.slug === slug) ?? [])
  const name = brand?.name ?? kindName
  return [
    ...(brand && !kind
      ? [
          ...wayTo(`${name} tires by type`, inOrder('types'), 'line', (slug) =>
            paths.listing({ brand: brand.slug, type: slug }),
          ),
          ...wayTo(`${name} tires by category`, inOrder('categories'), 'line', (slug) =>
            paths.listing({ brand: brand.slug, category: slug }),
          ),
        ]
      : []),
    ...(type && !brand ? wayTo(`${name} tires by category`, inOrder('categories'), 'line', paths.category) : []),
    ...(brand
      ? []
      : wayTo(`${name} tires by brand`, groups.brands, 'line', (slug) => paths.listing({ ...scope, brand: slug }))),
    ...(sizes.length === 0
      ? []
      : [
          {
            title: 'In the usual sizes',
            links: sizes.map(({ slug, designation }) => ({
              label: designation,
              path: paths.listing({ ...scope, size: slug }),
              detail: null,
            })),
          },
        ]),
  ]
}
