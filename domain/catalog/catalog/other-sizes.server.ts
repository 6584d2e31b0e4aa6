import { listSizes } from './home.server.ts'
import { otherSize, pickLikeSizes, type OtherSize, type SizeBasis } from './other-sizes.ts'
import type { Catalog } from './catalog-cache.server.ts'

/**
 * Lists sizes with articles on sale within 3% of the given one in height, by wheel, each compared with the required
 * load and speed.
 */
export async function listOtherSizes(
  catalog: Catalog,
  { designation, requirements }: SizeBasis,
): Promise<readonly OtherSize[]> {
  const { cache } = catalog
  const sizes = await listSizes(catalog)
  const pick = () => pickLikeSizes(designation, sizes)
  // A placard may have any size, so only sizes for sale are cached.
  const isSold = sizes.some((size) => size.designation === designation)
  const like = isSold ? cache.derive([sizes, `like ${designation}`], 1, pick) : pick()
  const bySize = await cache.itemsOfSizes(like.map(({ slug }) => slug))
  return like.flatMap((each) => {
    const sold = bySize.get(each.slug) ?? []
    return sold.length === 0 ? [] : [otherSize(each, requirements, sold)]
  })
}
