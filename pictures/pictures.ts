/**
 * Pictures of tires for a catalog without photographs, drawn from each tire's own data. Pure: data in, SVG text out.
 */
export { drawMarkedSidewall, type MarkPlace, type SidewallMark } from './marked-sidewall.ts'
export { drawTire, pictureProportions } from './drawing.ts'
export { pictureDataOf } from './item-picture.ts'
export { describeTire, detailForWidth, isDrawable, PICTURE_FORMATS } from './picture-data.ts'
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
export { DRAWING_VERSION, pictureKey } from './picture-key.ts'
export { drawShareCard, drawStoreCard, SHARE_HEIGHT_PX, SHARE_WIDTH_PX } from './share-card.ts'
export { drawTread } from './tread-strip.ts'
