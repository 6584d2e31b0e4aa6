/** Reads the sizes on a photo, with any OCR engine. */
import type { GrayPicture } from './gray-picture.ts'
import { believable, isSure, mergeSizes, readSizes, type ReadLine, type ReadSize } from './read-sizes.ts'
import { pictureViews, viewCount } from './views.ts'

export type PhotoOptions = {
  /** Designations of existing sizes; see `readSizes`. */
  known: ReadonlySet<string>
  /** The OCR engine: returns the lines of a picture with dark letters. */
  read(picture: GrayPicture): Promise<readonly ReadLine[]>
  /** The wheel's center as marked by the shopper. */
  around?: { readonly x: number; readonly y: number } | undefined
  /** Called after each view with the share of views done; false stops the reading without a result. */
  goesOn(share: number): boolean
}

/**
 * Returns the sizes in `photo`, most certain first; empty if none is credible. Tries one view after another until a
 * size is certain.
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
