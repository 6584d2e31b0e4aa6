/**
 * Renders images from the camera or a file onto a canvas and reads them as grayscale. Images never leave the device.
 */
import { grayOf, type GrayPicture } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'

/** More pixels take longer to read without better results. */
const longestSide = 1600

/**
 * Opens the rear camera at a resolution high enough to read. Throws what `getUserMedia` throws, and a `NotFoundError`
 * if pages get no camera at all.
 */
export async function openCamera(): Promise<MediaStream> {
  // Missing over plain http, and in some in-app browsers.
  if (!('mediaDevices' in navigator)) throw new DOMException('no camera for pages', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
  })
}

export function closeCamera(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/** Renders the camera frame or a decoded file onto `canvas`. Returns false if the browser can't read the canvas. */
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

/** Returns undefined if the canvas cannot be read, which some browsers block to protect privacy. */
export function readCanvas(canvas: HTMLCanvasElement): GrayPicture | undefined {
  const { width, height } = canvas
  try {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data
    return pixels && grayOf(pixels, width, height)
  } catch {
    return undefined
  }
}

/** The picture as a file for the recognizer. */
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
  // Phones keep a canvas's memory long after it is gone unless it is made small.
  canvas.width = 0
  if (!file) throw new Error('the browser made no file of the canvas')
  return file
}
