/** Brands, types or categories with their ratings. */
import { paths } from '#content/paths.ts'
import { countOf } from '#platform/count-text.ts'
import { listBrands, listKinds, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { sumReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import type { DirectoryEntry } from './review-directory.tsx'

/** Those with reviews, most reviewed first. */
export async function directoryOf(catalog: Catalog, of: 'brands' | 'types' | 'categories'): Promise<DirectoryEntry[]> {
  const [sums, named] = await Promise.all([
    sumReviews(catalog),
    of === 'brands' ? listBrands(catalog) : listKinds(catalog).then((kinds) => kinds[of]),
  ])
  const names = new Map(named.map(({ slug, name }) => [slug, name]))
  return sums[of].flatMap(({ slug, reviews, lines, hundredths }) => {
    const name = names.get(slug)
    if (name === undefined) return []
    const scope = of === 'brands' ? { brand: slug } : of === 'types' ? { type: slug } : { category: slug }
    return [
      {
        name,
        path: paths.scopeReviews(scope),
        hundredths,
        detail: `${countOf(reviews, 'review')} of ${countOf(lines, 'tire')}`,
      },
    ]
  })
}
