/**
 * Files attached to messages. Their type is detected from the bytes; name and type sent by the browser are not trusted.
 */
import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import sharp from 'sharp'
import { maxAttachmentBytes, maxAttachmentPixels } from './files.ts'
import { findPdfFault } from './pdf-content.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type Attachment = { name: string; contentType: 'image/webp' | 'application/pdf'; bytes: Uint8Array }

/** Sides in pixels to try until a picture is small enough. */
const sides = [2_000, 1_400, 900]
/** Decoding an image takes many times its size in memory, so each process decodes one at a time, with a short queue. */
const unpacking = new PQueue({ concurrency: 1 })
const waitingRoom = 8
/** No picture within the limits takes this long. */
const giveUpAfterSeconds = 10

export type FileRefusal =
  | Refused<'too-large'>
  | Refused<'unreadable'>
  | Refused<'unsafe-pdf'>
  | Refused<'other-kind'>
  | Refused<'too-many-pixels'>
  | Refused<'busy'>

/**
 * Reads an attachment. Images are re-encoded as WebP, upright, without camera metadata or hidden trailing data. PDFs
 * stay unchanged. Refuses files over 1MB, PDFs with active content or that cannot be checked for it, pictures with too
 * many pixels by their own header, unreadable files, and other types; refuses as busy if the queue is full or the
 * sender has disconnected (`signal`).
 */
export async function readAttachment(
  file: { name: string; bytes: Uint8Array },
  signal?: AbortSignal,
): Promise<Outcome<Attachment, FileRefusal>> {
  const { bytes } = file
  if (bytes.length > maxAttachmentBytes) return refused('too-large')
  if (beginsWith(bytes, '%PDF-')) {
    // Every PDF ends with the position of its table; a truncated one does not.
    const isWhole = Buffer.from(bytes.subarray(-2_048)).includes('%%EOF')
    const fault = isWhole ? await checkPdf(bytes, signal) : 'unreadable'
    return fault ? refused(fault) : ok({ name: plainName(file.name, 'pdf'), contentType: 'application/pdf', bytes })
  }
  if (!isPicture(bytes)) return refused('other-kind')
  const pixels = await pixelsOf(bytes)
  if (pixels === undefined) return refused('unreadable')
  if (pixels > maxAttachmentPixels) return refused('too-many-pixels')
  if (unpacking.size >= waitingRoom) return refused('busy')
  try {
    const saved = await unpacking.add(() => saveAnew(bytes, signal), signal ? { signal } : {})
    if (saved) return ok({ name: plainName(file.name, 'webp'), contentType: 'image/webp', bytes: saved })
  } catch {
    if (signal?.aborted) return refused('busy')
    // Truncated, damaged, or different from its header.
  }
  return refused('unreadable')
}

/** Why a PDF is refused, if it is. Unpacking it takes its turn among the pictures. */
async function checkPdf(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<'busy' | 'unsafe-pdf' | undefined> {
  if (unpacking.size >= waitingRoom) return 'busy'
  try {
    const fault = await unpacking.add(() => findPdfFault(bytes), signal ? { signal } : {})
    return fault && 'unsafe-pdf'
  } catch (error) {
    if (signal?.aborted) return 'busy'
    throw error
  }
}

/**
 * Reads an image for display to shoppers (PNG, JPEG or WebP), and re-encodes it as WebP without hidden data. `key` is a
 * hash of its bytes.
 */
export async function readPicture(
  file: { name: string; bytes: Uint8Array },
  signal?: AbortSignal,
): Promise<Outcome<{ key: string; bytes: Uint8Array }, Refused<'not-a-picture'> | FileRefusal>> {
  if (!isShowable(file.bytes)) return refused('not-a-picture')
  const read = await readAttachment(file, signal)
  if (!read.ok) return read
  const { bytes } = read.value
  return ok({ key: createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes })
}

/** Determined by the first bytes, regardless of the file name. SVG is rejected, because it can contain scripts. */
function isShowable(bytes: Uint8Array): boolean {
  const begins = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return (
    begins.startsWith('\u0089PNG\r\n') ||
    begins.startsWith('\u00FF\u00D8\u00FF') ||
    (begins.startsWith('RIFF') && begins.endsWith('WEBP'))
  )
}

/** Returns the number of pixels from an image's header. */
async function pixelsOf(bytes: Uint8Array): Promise<number | undefined> {
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    return width * height
  } catch {
    return undefined
  }
}

/** Returns the picture as WebP in the largest size allowed; undefined if it never gets small enough. */
async function saveAnew(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
  const [largest = 0] = sides
  const { data, info } = await sharp(bytes, { limitInputPixels: maxAttachmentPixels, failOn: 'error' })
    .timeout({ seconds: giveUpAfterSeconds })
    .rotate()
    .resize({ width: largest, height: largest, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const side of sides) {
    signal?.throwIfAborted()
    const saved = await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
    if (saved.length <= maxAttachmentBytes) return saved
  }
  return undefined
}

/** Detects JPEG, PNG, GIF, WebP, and AVIF or HEIC by their box. Not SVG, which can contain scripts. */
function isPicture(bytes: Uint8Array): boolean {
  return (
    (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) ||
    (bytes[0] === 0x89 && beginsWith(bytes.subarray(1), 'PNG\r\n')) ||
    beginsWith(bytes, 'GIF8') ||
    (beginsWith(bytes, 'RIFF') && beginsWith(bytes.subarray(8), 'WEBP')) ||
    beginsWith(bytes.subarray(4), 'ftyp')
  )
}

function beginsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text
}

/** Returns a safe file name without folders, with only plain characters and the extension of its new type. */
function plainName(name: string, ending: string): string {
  const stem = (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .trim()
  return `${stem.slice(0, 100) || 'attachment'}.${ending}`
}
