/**
 * Reads the DOT code in a photo next to a job's page, in a separate worker, because rectification takes seconds of a
 * phone's processor. Loaded with the first photo; the photo stays on the device.
 */
import { grayOf, type GrayPicture } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { openRecognizer, type TextRecognizer } from '../text-recognizer.ts'
import { readTinPhoto, tinLetters, tinText, weekOf } from '#domain/installer-portal/work-orders/work-orders.ts'

/** More pixels take longer to read without better results. */
const longestSide = 1600

/** `day`: today at the shop, as "2026-11-22". */
type Asked = { photo: Blob; engine: string; day: string }

let opened: Promise<TextRecognizer> | null = null

addEventListener('message', ({ data }: MessageEvent<Asked>) => void answer(data))

async function answer({ photo, engine, day: today }: Asked): Promise<void> {
  try {
    const opening = (opened ??= openRecognizer(engine, tinLetters))
    opening.catch(() => (opened = null))
    const recognizer = await opening
    const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
    const found = await readTinPhoto(await grayPhoto(photo), {
      now: weekOf({ year, month, day }),
      read: async (picture) => recognizer.read(await fileOf(picture)),
      goesOn(share) {
        postMessage({ share })
        return true
      },
    })
    postMessage({ tin: found ? tinText(found.tin) : null })
  } catch (error) {
    postMessage({ failed: String(error) })
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
