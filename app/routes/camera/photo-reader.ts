/** The text recognizer in its worker, and how it reads a photo. Loaded with the first photo. */
import { createWorker, OEM, PSM } from 'tesseract.js'
import { readPhoto, type GrayPicture, type ReadLine, type ReadSize } from '#domain/sidewall-reading/sidewall-reading.ts'
import { toFile } from './photo.ts'

export type PhotoReader = {
  /** Returns the sizes in `photo`, most likely first; empty if none is plausible, or when `signal` aborts. */
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
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // If its language data fails to load, the recognizer neither settles nor throws: it only calls its error handler.
  const opened = createWorker('eng', OEM.LSTM_ONLY, {
    workerPath: `${folder}/worker.js`,
    corePath: `${folder}/tesseract-core-simd-lstm.js`,
    langPath: folder,
    // From our address, so that the worker runs under the policy it is served with; cached by the browser like any
    // file.
    workerBlobURL: false,
    cacheMethod: 'none',
    errorHandler: (error: unknown) => reject(new Error(String(error))),
  })
  const worker = await Promise.race([opened, failed])
  failed.catch(() => undefined)
  // Otherwise its messages about grain and resolution would go to the console.
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SPARSE_TEXT,
    tessedit_char_whitelist: letters,
    debug_file: '/dev/null',
  })
  return {
    read: (photo, { known, signal, around, onProgress }) =>
      readPhoto(photo, {
        known,
        around,
        read: async (picture) =>
          linesOf((await worker.recognize(await toFile(picture), {}, { blocks: true, text: false })).data),
        goesOn(share) {
          if (!signal.aborted) onProgress(share)
          return !signal.aborted
        },
      }),
    close: () => void worker.terminate(),
  }
}

function linesOf({ blocks }: Tesseract.Page): ReadLine[] {
  return (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
}
