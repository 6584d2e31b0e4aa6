/**
 * Reads tire sizes from a sidewall photo. Pure and browser-safe, and the photo never leaves the browser. Prepares views
 * for an OCR engine, and extracts sizes from its text. Independent of the engine.
 */
export { evenedOut, grayOf, type GrayPicture } from './gray-picture.ts'
export { lookThrough, readPhoto, type LookOptions } from './read-photo.ts'
export type { ReadLine, ReadSize } from './read-sizes.ts'
