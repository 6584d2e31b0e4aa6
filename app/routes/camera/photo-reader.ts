/** Reads the tire size from a sidewall photo. Loaded with the first photo. */
import { readPhoto, type GrayPicture, type ReadSize } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { openRecognizer } from '#app/ui/text-recognizer.ts'
import { toFile } from './photo.ts'

export type PhotoReader = {
  /**
   * Returns the sizes in `photo`, most likely first. Returns an empty array if there is no plausible size or `signal`
   * aborts.
   */
  read(photo: GrayPicture, options: ReadOptions): Promise<ReadSize[]>
  close(): void
}

type ReadOptions = {
  known: ReadonlySet<string>
  signal: AbortSignal
  /** The center of the wheel as marked by the shopper, in pixels. */
  around?: { x: number; y: number } | undefined
  /** Called after each pass over the photo with the fraction of passes done. */
  onProgress(share: number): void
}

const letters = '0123456789/RLTPSXZHDC. '

/** Loads the recognizer from `folder` of this store; throws if that fails. */
export async function openReader(folder: string): Promise<PhotoReader> {
  const recognizer = await openRecognizer(folder, letters)
  return {
    read: (photo, { known, signal, around, onProgress }) =>
      readPhoto(photo, {
        known,
        around,
        read: async (picture) => recognizer.read(await toFile(picture)),
        goesOn(share) {
          if (!signal.aborted) onProgress(share)
          return !signal.aborted
        },
      }),
    close: () => recognizer.close(),
  }
}
