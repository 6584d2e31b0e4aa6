import type { Item } from '#domain/catalog/catalog/catalog.ts'
import { isLoadRange, loadOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { TirePictureData } from './picture-data.ts'
import { pictureKey } from './picture-key.ts'

/** Returns the data for rendering an item's image. */
export function pictureDataOf(item: Item): TirePictureData {
  const { line, size } = item
  const index = item.loadIndex === null ? '' : String(item.loadIndex)
  return {
    brand: line.brand.name,
    line: line.name,
    size: {
      designation: size.designation,
      sectionWidthMm: size.sectionWidthMm,
      rimIn: size.rimIn,
      overallDiameterMm: size.overallDiameterMm,
    },
    loadIndex: item.dualLoadIndex === null ? index : `${index}/${item.dualLoadIndex}`,
    speed: item.speed ?? '',
    kind: line.tread,
    mPlusS: line.mPlusS,
    threePeak: line.threePeak,
    outlinedWhiteLetters: item.sidewall === 'OWL',
    loadRange: item.loadRange !== null && isLoadRange(item.loadRange) ? item.loadRange : undefined,
    maxLoadKg: loadOf(item.loadIndex ?? undefined)?.kg,
    maxPressureKpa: Math.round(item.maxPsi * kpaPerPsi),
  }
}

/** Returns the key of an item's small image, which is its first photo or its drawing. */
export function itemPictureKey(item: Item): string {
  return item.photo ?? pictureKey(pictureDataOf(item))
}

/** Whether a key is of an uploaded photo rather than of a drawing. */
export function isPhotoKey(key: string): boolean {
  return /^[0-9a-f]{32}$/.test(key)
}

const kpaPerPsi = 6.894757
