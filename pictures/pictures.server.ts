import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { drawTire } from './drawing.ts'
import {
  detailForWidth,
  type PictureFormat,
  type PictureWidth,
  type TirePictureData,
  type TireView,
} from './picture-data.ts'
import { fnv1a64, pictureKey } from './picture-key.ts'

export type PictureRequest = {
  readonly widthPx: PictureWidth
  readonly format: PictureFormat
  /** The detail follows from the width. */
  readonly view?: Omit<TireView, 'detail'>
}

export type Picture = {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly etag: string
  /**
   * The `pictureKey` of the data and the requested view, regardless of the width. Used to check whether a URL is
   * current.
   */
  readonly key: string
}

export { isPictureWidth } from './picture-data.ts'

/**
 * Renders and rasterizes an image with a transparent background. Takes tens of milliseconds. Throws like `drawTire`.
 */
export async function renderTirePicture(data: TirePictureData, request: PictureRequest): Promise<Uint8Array> {
  const svg = drawTire(data, { ...request.view, detail: detailForWidth(request.widthPx) })
  return encode(sharp(Buffer.from(svg)).resize({ width: request.widthPx }), request).toBuffer()
}

/**
 * Stores rendered images in a directory, one file each, with a name that identifies the content. Renders missing
 * images. Concurrent requests for an image render it once. Any number of processes can share the directory. Files are
 * never deleted. The directory can be emptied at any time.
 */
export function createPictureStore({
  directory,
  render = renderTirePicture,
}: {
  directory: string
  render?: typeof renderTirePicture
}) {
  const underway = new Map<string, Promise<Picture>>()
  return {
    read(data: TirePictureData, request: PictureRequest): Promise<Picture> {
      const { widthPx, format, view } = request
      const key = pictureKey(data, view)
      return find(key, `${widthPx}.${format}`, `image/${format}`, () => render(data, request))
    },
    /**
     * A photo in the square of a drawing, by the key of its bytes, which `load` reads if this size is missing. Undefined
     * if it was removed.
     */
    async readPhoto(
      key: string,
      { widthPx, format }: Omit<PictureRequest, 'view'>,
      load: () => Promise<Uint8Array | undefined>,
    ): Promise<Picture | undefined> {
      const size = { width: widthPx, height: widthPx, fit: 'contain', background: '#ffffff00' } as const
      const fit = async () => {
        const bytes = await load()
        if (!bytes) throw new PhotoRemoved()
        return encode(sharp(bytes).resize(size), { widthPx, format }).toBuffer()
      }
      return find(key, `${widthPx}.${format}`, `image/${format}`, fit).catch((error: unknown) => {
        if (error instanceof PhotoRemoved) return undefined
        throw error
      })
    },
    /** Any other drawing, in the size it gives itself, as PNG. */
    readDrawing(svg: string): Promise<Picture> {
      return find(fnv1a64(svg), 'drawing.png', 'image/png', () =>
        sharp(Buffer.from(svg)).png({ palette: true, quality: 90 }).toBuffer(),
      )
    },
  }

  function find(key: string, form: string, contentType: string, draw: () => Promise<Uint8Array>): Promise<Picture> {
    const file = join(directory, key.slice(0, 2), `${key}-${form}`)
    const read = async (): Promise<Picture> => {
      const bytes = (await readWhole(file)) ?? (await keep(file, await draw()))
      return { bytes, contentType, etag: `"${key}-${form.replace('.', '-')}"`, key }
    }
    const picture = underway.get(file) ?? read().finally(() => underway.delete(file))
    underway.set(file, picture)
    return picture
  }
}

class PhotoRemoved extends Error {}

export type PictureStore = ReturnType<typeof createPictureStore>

/**
 * Chosen by size. A listing's 24 images stay under 150 kB as AVIF at 320 px (132 kB measured, for high-density screens)
 * and as WebP at 192 px (138 kB). A lower alpha quality would save more but breaks the shadow into steps.
 */
function encode(image: Sharp, { widthPx, format }: PictureRequest): Sharp {
  const isCard = widthPx <= 320
  if (format === 'avif') return image.avif({ quality: isCard ? 38 : 45, effort: 1 })
  if (format === 'webp') return image.webp({ quality: isCard ? 70 : 75, smartSubsample: true })
  return image.png({ palette: true, quality: 90 })
}

/**
 * Each file ends with the image's SHA-256, so that a file truncated by a crash or a full disk is detected and rendered
 * again.
 */
const DIGEST_BYTES = 32

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

async function readWhole(file: string): Promise<Uint8Array | undefined> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!content) return undefined
  const bytes = content.subarray(0, -DIGEST_BYTES)
  return digest(bytes).equals(content.subarray(-DIGEST_BYTES)) ? bytes : undefined
}

/** Writes to a temporary name and renames, so that readers never see a partial file. */
async function keep(file: string, bytes: Uint8Array): Promise<Uint8Array> {
  const draft = `${file}.${randomUUID()}.tmp`
  await mkdir(dirname(file), { recursive: true })
  try {
    await writeFile(draft, Buffer.concat([bytes, digest(bytes)]))
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return bytes
}
