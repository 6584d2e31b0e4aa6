/** The OCR engine for photos, in a separate worker. Photos stay on the device. Loaded with the first photo. */
import { createWorker, OEM, PSM } from 'tesseract.js'
import type { ReadLine } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'

/** `read` returns the lines of text found in a picture file. */
export type TextRecognizer = { read(picture: Blob): Promise<ReadLine[]>; close(): void }

/** Loads the recognizer from `folder` of this store, to find only `letters`; throws if it cannot be loaded. */
export async function openRecognizer(folder: string, letters: string): Promise<TextRecognizer> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // If its language data fails to load, the recognizer neither settles nor throws: it only calls its error handler.
  const opening = createWorker('eng', OEM.LSTM_ONLY, {
    workerPath: `${folder}/worker.js`,
    corePath: `${folder}/tesseract-core-simd-lstm.js`,
    langPath: folder,
    // From our address, so that the worker runs under the policy it is served with; cached by the browser like any
    // file.
    workerBlobURL: false,
    cacheMethod: 'none',
    errorHandler: (error: unknown) => reject(new Error(String(error))),
  })
  const worker = await Promise.race([opening, failed])
  failed.catch(() => undefined)
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SPARSE_TEXT,
    tessedit_char_whitelist: letters,
    // Otherwise its messages about grain and resolution would go to the console.
    debug_file: '/dev/null',
  })
  return {
    async read(picture) {
      const { data } = await worker.recognize(picture, {}, { blocks: true, text: false })
      return (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    },
    close: () => void worker.terminate(),
  }
}
