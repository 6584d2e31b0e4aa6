/** The head of a product page. Its text is unique in the store. */
import { paths } from '#content/paths.ts'
import type { PageHead } from '#app/ui/page-head.ts'
import type { Product } from '#domain/catalog/catalog/catalog.server.ts'
import { fullSizeOf, promotionOf, warrantyOf, type Price } from '#domain/catalog/catalog/catalog.ts'
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { pluralForm } from '#platform/count-text.ts'

/**
 * `path` is the canonical one. Two items of a line can share a size, so the title includes everything that
 * distinguishes them.
 */
export function productHead({ line, item, siblings, fromCents }: Product, path: string, isLine: boolean): PageHead {
  const name = `${line.brand.name} ${line.name}`
  const miles = warrantyOf(item)
  const warranty = miles === null ? '' : `, ${grouped(miles)}-mile warranty`
  const picture = paths.sharePicture(item.id, pictureKey(pictureDataOf(item)))
  if (isLine) {
    const sizes = new Set(siblings.map(({ size }) => size)).size
    const inSizes = pluralForm(sizes, 'one size', `${sizes} sizes`)
    return {
      title: `${name} tires`,
      description: `${name}: ${line.category.name.toLowerCase()} in ${inSizes} from ${formatCents(fromCents)} a tire${warranty}. Price installed near you, checked for your car.`,
      path,
      picture,
    }
  }
  const article = fullSizeOf(item)
  return {
    title: `${name} ${article}`,
    description: `${name} in ${article}: ${line.category.name.toLowerCase()}${warranty}. The price installed near you, checked for your car axle by axle.`,
    path,
    picture,
  }
}

/** The last day of the displayed offer, in the store's time zone. */
export function dealEnd(parts: readonly { readonly price: Price }[]): Temporal.PlainDate | undefined {
  return promotionOf(parts.map(({ price }) => price))
    ?.endsAt.subtract({ seconds: 1 })
    .toZonedDateTimeISO(storeZone)
    .toPlainDate()
}
