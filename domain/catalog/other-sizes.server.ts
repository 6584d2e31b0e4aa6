import { listSizes } from './home.server.ts'
import type { Item } from './items.ts'
import { otherSize, pickLikeSizes, type OtherSize } from './other-sizes.ts'
import type { Catalog } from './shelf.server.ts'

/** Sizes within 3 % of the article's in height in which something is sold, by wheel, each held against its load index and speed. */
export async function listOtherSizes(catalog: Catalog, item: Item): Promise<readonly OtherSize[]> {
  const { shelf } = catalog
  const sizes = await listSizes(catalog)
  const like = shelf.derive([sizes, `like ${item.size.slug}`], 1, () => pickLikeSizes(item.size.designation, sizes))
  const bySize = await shelf.itemsOfSizes(like.map(({ slug }) => slug))
  return like.flatMap((each) => {
    const sold = bySize.get(each.slug) ?? []
    return sold.length === 0 ? [] : [otherSize(each, item, sold)]
  })
}
