/**
 * Reads tire sizes from a photo of a sidewall. Pure and safe in the browser, where the photo stays: prepares the views
 * for an OCR engine, and extracts sizes from what it read. Independent of the engine.
 */
export { grayOf, type GrayPicture } from './gray-picture.ts'
export { lookThrough, readPhoto, type LookOptions } from './read-photo.ts'
export type { ReadLine, ReadSize } from './read-sizes.ts'
