/** Links from a size to its brands, types, and categories. */
import { paths } from '#content/paths.ts'
import type { WayView } from '#app/ui/listing-data.ts'
import { sizeName, wayTo, type ListingRead } from './listing.server.ts'
import type { PathFilters } from './path-filters.server.ts'

/** The narrower listings of `size` that have results; a brand's type or category is as narrow as it gets. */
export function sizeWays(
  size: string,
  { brand, kind, kindName, slugs }: PathFilters,
  { groups }: ListingRead,
): WayView[] {
  if (!groups || (brand && kind)) return []
  const scope = { size, ...slugs }
  const name = [brand?.name, kindName, sizeName(size)].filter(Boolean).join(' ')
  return [
    ...(brand
      ? []
      : wayTo(`${name} by brand`, groups.brands, 'tire', (slug) => paths.listing({ ...scope, brand: slug }))),
    ...(kind
      ? []
      : [
          ...wayTo(`${name} by type`, groups.types, 'tire', (slug) => paths.listing({ ...scope, type: slug })),
          ...wayTo(`${name} by category`, groups.categories, 'tire', (slug) =>
            paths.listing({ ...scope, category: slug }),
          ),
        ]),
  ]
}
