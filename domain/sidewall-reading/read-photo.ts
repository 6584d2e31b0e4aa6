/** A photo → the sizes on it, by whatever reads text. */
import type { GrayPicture } from './gray-picture.ts'
import { believable, isSure, mergeSizes, readSizes, type ReadLine, type ReadSize } from './read-sizes.ts'
import { pictureViews, viewCount } from './views.ts'

export type PhotoOptions = {
  /** Designations of the sizes there are; see `readSizes`. */
  known: ReadonlySet<string>
  /** The reader of text: the lines of a picture with dark letters. */
  read(picture: GrayPicture): Promise<readonly ReadLine[]>
  /** Where the shopper put the middle of the wheel. */
  around?: { readonly x: number; readonly y: number } | undefined
  /** After each look with the share of all looks that are done; false ends the reading without a result. */
  goesOn(share: number): boolean
}

/**
 * The sizes in `photo`, surest first; empty where none can be believed. Looks at it one way after the other until a
 * size is sure.
 */
export async function readPhoto(
  photo: GrayPicture,
  { known, read, around, goesOn }: PhotoOptions,
): Promise<ReadSize[]> {
  let sizes: ReadSize[] = []
  let looks = 0
  for (const picture of pictureViews(photo, around)) {
    const lines = await read(picture)
    if (!goesOn(++looks / viewCount)) return []
    sizes = mergeSizes([...sizes, ...readSizes(lines, known)])
    if (isSure(sizes)) break
  }
  return believable(sizes, known)
}
