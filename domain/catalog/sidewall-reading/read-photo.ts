/** Reads the text in a photo, with any OCR engine. */
import type { GrayPicture } from './gray-picture.ts'
import { believable, isSure, mergeSizes, readSizes, type ReadLine, type ReadSize } from './read-sizes.ts'
import { pictureViews, viewCount } from './views.ts'

export type LookOptions = {
  /** The OCR engine, which returns the lines of an image with dark letters. */
  read(picture: GrayPicture): Promise<readonly ReadLine[]>
  /** The wheel's center as marked by the shopper. */
  around?: { readonly x: number; readonly y: number } | undefined
  /** Called after each view with the share of views done; false stops the reading without a result. */
  goesOn(share: number): boolean
}

export type PhotoOptions = LookOptions & {
  /** Designations of existing sizes; see `readSizes`. */
  known: ReadonlySet<string>
}

/**
 * Returns the sizes in `photo`, most certain first; empty if no size is credible. Tries views in sequence until a size
 * is certain.
 */
export async function readPhoto(photo: GrayPicture, { known, ...options }: PhotoOptions): Promise<ReadSize[]> {
  let sizes: ReadSize[] = []
  const isWhole = await lookThrough(photo, options, (lines) => {
    sizes = mergeSizes([...sizes, ...readSizes(lines, known)])
    return isSure(sizes)
  })
  return isWhole ? believable(sizes, known) : []
}

/** Passes the lines of each view of `photo` to `see` until it has enough; false if stopped. */
export async function lookThrough(
  photo: GrayPicture,
  { read, around, goesOn }: LookOptions,
  see: (lines: readonly ReadLine[]) => boolean,
): Promise<boolean> {
  let looks = 0
  for (const picture of pictureViews(photo, around)) {
    const lines = await read(picture)
    if (!goesOn(++looks / viewCount)) return false
    if (see(lines)) return true
  }
  return true
}
