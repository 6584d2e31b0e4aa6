import { listSizes } from './home.server.ts'
import { otherSize, pickLikeSizes, type OtherSize, type SizeBasis } from './other-sizes.ts'
import type { Catalog } from './catalog-cache.server.ts'

/**
 * Sizes within 3 % of the given one in height in which something is sold, by wheel, each held against the load and
 * speed asked for.
 */
export async function listOtherSizes(
  catalog: Catalog,
  { designation, requirements }: SizeBasis,
): Promise<readonly OtherSize[]> {
  const { cache } = catalog
  const sizes = await listSizes(catalog)
  const pick = () => pickLikeSizes(designation, sizes)
  // A door label may say any size: only those that are sold are kept.
  const isSold = sizes.some((size) => size.designation === designation)
  const like = isSold ? cache.derive([sizes, `like ${designation}`], 1, pick) : pick()
  const bySize = await cache.itemsOfSizes(like.map(({ slug }) => slug))
  return like.flatMap((each) => {
    const sold = bySize.get(each.slug) ?? []
    return sold.length === 0 ? [] : [otherSize(each, requirements, sold)]
  })
}
