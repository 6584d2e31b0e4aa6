/**
 * Pictures in the browser: from the camera or a file to a canvas, and what is on it in shades of gray. Nothing leaves
 * the device.
 */
import { grayOf, type GrayPicture } from '#domain/sidewall-reading/sidewall-reading.ts'

/** More pixels take longer to read and are not read better. */
const longestSide = 1600

/**
 * The rear camera, large enough to read from. Throws what `getUserMedia` throws, and a `NotFoundError` where pages get
 * no camera at all.
 */
export async function openCamera(): Promise<MediaStream> {
  // Not there over plain http, and in some browsers inside apps.
  if (!('mediaDevices' in navigator)) throw new DOMException('no camera for pages', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
  })
}

export function closeCamera(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/**
 * Draws what the camera shows, or a decoded file, onto `canvas`. False where the browser has no canvas to read from.
 */
export function putOnCanvas(canvas: HTMLCanvasElement, source: HTMLVideoElement | ImageBitmap): boolean {
  const [width, height] =
    source instanceof ImageBitmap ? [source.width, source.height] : [source.videoWidth, source.videoHeight]
  const scale = Math.min(1, longestSide / Math.max(width, height))
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.drawImage(source, 0, 0, canvas.width, canvas.height)
  return context !== null
}

/** Undefined where the canvas cannot be read, which some browsers do to protect their users. */
export function readCanvas(canvas: HTMLCanvasElement): GrayPicture | undefined {
  const { width, height } = canvas
  try {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data
    return pixels && grayOf(pixels, width, height)
  } catch {
    return undefined
  }
}

/** The picture as a file that a reader takes. */
export async function toFile({ width, height, pixels }: GrayPicture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const image = new ImageData(width, height)
  for (let i = 0; i < pixels.length; i++) {
    image.data[4 * i] = image.data[4 * i + 1] = image.data[4 * i + 2] = pixels[i]!
    image.data[4 * i + 3] = 255
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0)
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  // Phones keep the memory of a canvas long after it is gone, unless it is made small.
  canvas.width = 0
  if (!file) throw new Error('the browser made no file of the canvas')
  return file
}
