/**
 * The worker that reads a photo next to a field, because it takes seconds of a phone's processor. Loaded with the first
 * photo, which stays on the device.
 */
import { grayOf, type GrayPicture, type LookOptions } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { openRecognizer, type TextRecognizer } from './text-recognizer.ts'

/** More pixels take longer to read without better results. */
const longestSide = 1600

/** `engine`: the recognizer's folder. `day`: today at the shop, as "2026-11-22". */
export type PhotoRequest = { photo: Blob; engine: string; day?: string }

/** `look` has the recognizer, which loads on its first use. */
type ReadText = (
  picture: GrayPicture,
  look: Pick<LookOptions, 'read' | 'goesOn'>,
  asked: PhotoRequest,
) => Promise<string | null>

let opened: Promise<TextRecognizer> | null = null

/** Answers each photo with its text or null. The recognizer finds only `letters`. */
export function answerPhotos(letters: string, readText: ReadText): void {
  addEventListener('message', ({ data }: MessageEvent<PhotoRequest>) => void answer(data))

  async function answer(asked: PhotoRequest): Promise<void> {
    try {
      const text = await readText(
        await grayPhoto(asked.photo),
        {
          read: async (picture) => (await open(asked.engine)).read(await fileOf(picture)),
          goesOn(share) {
            postMessage({ share })
            return true
          },
        },
        asked,
      )
      postMessage({ text })
    } catch (error) {
      postMessage({ failed: String(error) })
    }
  }

  function open(engine: string): Promise<TextRecognizer> {
    const opening = (opened ??= openRecognizer(engine, letters))
    opening.catch(() => (opened = null))
    return opening
  }
}

async function grayPhoto(photo: Blob): Promise<GrayPicture> {
  const picture = await createImageBitmap(photo)
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1)
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('This browser has no canvas.')
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return grayOf(pen.getImageData(0, 0, canvas.width, canvas.height).data, canvas.width, canvas.height)
}

/** The picture as a file for the recognizer. */
function fileOf({ width, height, pixels }: GrayPicture): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const image = new ImageData(width, height)
  for (const [at, shade] of pixels.entries()) image.data.set([shade, shade, shade, 255], 4 * at)
  canvas.getContext('2d')?.putImageData(image, 0, 0)
  return canvas.convertToBlob()
}
