/** Tire images for a catalog without photographs, drawn from each tire's data. Pure: data in, SVG text out. */
export { drawMarkedSidewall, type MarkPlace, type SidewallMark } from './marked-sidewall.ts'
export { drawTire, pictureProportions } from './drawing.ts'
export { isPhotoKey, itemPictureKey, pictureDataOf } from './item-picture.ts'
export { describeTire, isDrawable } from './picture-data.ts'
export type {
  Detail,
  PictureFormat,
  PictureSize,
  PictureWidth,
  SharedFrame,
  TireKind,
  TirePictureData,
  TireView,
} from './picture-data.ts'
export { pictureKey } from './picture-key.ts'
export { drawShareCard, drawStoreCard } from './share-card.ts'
export { drawTread } from './tread-strip.ts'
