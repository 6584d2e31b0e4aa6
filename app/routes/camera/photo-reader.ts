/** The reader of text in its worker, and how a photo is read with it. Loaded when the first photo is there. */
import { createWorker, OEM, PSM } from 'tesseract.js'
import { readPhoto, type GrayPicture, type ReadLine, type ReadSize } from '#domain/sidewall-reading/sidewall-reading.ts'
import { toFile } from './photo.ts'

export type PhotoReader = {
  /** The sizes in `photo`, surest first; empty where none can be believed, or when `signal` says so. */
  read(photo: GrayPicture, options: ReadOptions): Promise<ReadSize[]>
  close(): void
}

type ReadOptions = {
  known: ReadonlySet<string>
  signal: AbortSignal
  /** Where the shopper put the middle of the wheel, in pixels. */
  around?: { x: number; y: number } | undefined
  /** After each look at the photo, the share of all looks that are done. */
  onProgress(share: number): void
}

const letters = '0123456789/RLTPSXZHDC. '

/** Loads the reader from `folder` of this store; throws if that fails. */
export async function openReader(folder: string): Promise<PhotoReader> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // Where its letters do not load, the reader neither settles nor throws: it only tells its error handler.
  const opened = createWorker('eng', OEM.LSTM_ONLY, {
    workerPath: `${folder}/worker.js`,
    corePath: `${folder}/tesseract-core-simd-lstm.js`,
    langPath: folder,
    // From our address, so that the worker runs under the policy it is sent with; kept by the browser as any other
    // file.
    workerBlobURL: false,
    cacheMethod: 'none',
    errorHandler: (error: unknown) => reject(new Error(String(error))),
  })
  const worker = await Promise.race([opened, failed])
  failed.catch(() => undefined)
  // What it mutters about grain and resolution would go to the console.
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
