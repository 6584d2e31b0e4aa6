/**
 * From a photo of a tire to the sizes that stand on it. Pure and safe in the browser, where the photo stays: this
 * prepares the views that a text reader is shown, and makes sizes of what it read. Which reader that is, is not known
 * here.
 */
export { grayOf, type GrayPicture } from './gray-picture.ts'
export { readPhoto } from './read-photo.ts'
export type { ReadLine, ReadSize } from './read-sizes.ts'
