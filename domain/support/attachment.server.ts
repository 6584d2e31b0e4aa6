/**
 * A file that comes with a message. What it is, is read from its bytes; its name and the type the browser claims are
 * only words.
 */
import PQueue from 'p-queue'
import sharp from 'sharp'
import { maxAttachmentBytes, maxAttachmentPixels } from '#domain/support/support.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type Attachment = { name: string; contentType: 'image/webp' | 'application/pdf'; bytes: Uint8Array }

/** Sides in pixels a picture is saved with, until it stays within the bound. */
const sides = [2_000, 1_400, 900]
/**
 * Unpacked, a picture takes many times its size: one at a time is unpacked in a process, so that it never takes more
 * than one picture's memory, and few wait for their turn.
 */
const unpacking = new PQueue({ concurrency: 1 })
const waitingRoom = 8
/** No picture within the bounds takes as long. */
const giveUpAfterSeconds = 10

export type FileRefusal =
  | Refused<'too-large'>
  | Refused<'unreadable'>
  | Refused<'other-kind'>
  | Refused<'too-many-pixels'>
  | Refused<'busy'>

/**
 * A picture comes out as WebP, saved anew: upright, without what its camera wrote into it, and without anything that
 * was hidden behind it. A PDF stays as it is. Refuses what is over 1MB, what has more pixels than a picture may by its
 * own header, what cannot be read to its end, and what is neither; and as busy when too many wait for their turn, or
 * who sent it has left (`signal`).
 */
export async function readAttachment(
  file: { name: string; bytes: Uint8Array },
  signal?: AbortSignal,
): Promise<Outcome<Attachment, FileRefusal>> {
  const { bytes } = file
  if (bytes.length > maxAttachmentBytes) return refused('too-large')
  if (beginsWith(bytes, '%PDF-')) {
    // Every PDF says at its end where its table stands; one that was cut off does not.
    const isWhole = Buffer.from(bytes.subarray(-2_048)).includes('%%EOF')
    return isWhole
      ? ok({ name: plainName(file.name, 'pdf'), contentType: 'application/pdf', bytes })
      : refused('unreadable')
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
    // Cut off, broken, or not what its header says.
  }
  return refused('unreadable')
}

/** How many pixels a picture says it has, from its header alone. */
async function pixelsOf(bytes: Uint8Array): Promise<number | undefined> {
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    return width * height
  } catch {
    return undefined
  }
}

/** The picture as WebP, as large as it may be; undefined when it never is small enough. */
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

/** JPEG, PNG, GIF, WebP, and AVIF or HEIC by their box. SVG is text that runs, and is not among them. */
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

/** A name for the one who opens it: no folders, nothing but plain signs, and the ending of what it is now. */
function plainName(name: string, ending: string): string {
  const stem = (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .trim()
  return `${stem.slice(0, 100) || 'attachment'}.${ending}`
}
