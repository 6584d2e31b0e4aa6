/** Types and categories as the grids show them. */
import { paths } from '#content/paths.ts'
import type { KindView } from '#app/ui/listing-kinds.tsx'
import type { Kind } from '#domain/catalog/catalog/catalog.server.ts'
import { countOf } from '#platform/count-text.ts'
import { pictureDataOf, pictureKey, pictureProportions } from '#pictures/pictures.ts'
import { dollars } from './listing-messages.server.ts'

/** Scales all images equally. The width follows the frame in millimeters, and all share one baseline. */
export function kindViews(
  kinds: readonly Kind[],
  of: 'type' | 'category',
  options: { isDefined: boolean },
): KindView[] {
  const drawn = kinds.map(({ item }) => {
    if (!item) return null
    const data = pictureDataOf(item)
    const frame = pictureProportions(data)
    const tire = pictureProportions(data, { frame: 'tight' })
    return {
      picture: { itemId: item.id, key: pictureKey(data) },
      size: item.size.designation,
      widthMm: frame.widthMm,
      emptyMm: (frame.heightMm - tire.heightMm) / 2,
    }
  })
  const widestMm = Math.max(...drawn.map((picture) => picture?.widthMm ?? 0))
  const percent = (mm: number) => Math.round((mm / widestMm) * 1000) / 10
  return kinds.map(({ slug, name, definition, lines, fromCents }, index) => {
    const picture = drawn[index]
    return {
      slug,
      name,
      path: of === 'type' ? paths.type(slug) : paths.category(slug),
      definition: options.isDefined ? definition : null,
      detail: `${countOf(lines, 'line')} from ${dollars(fromCents)}`,
      drawn: picture
        ? {
            picture: picture.picture,
            size: picture.size,
            width: percent(picture.widthMm),
            drop: percent(picture.emptyMm),
          }
        : null,
    }
  })
}
