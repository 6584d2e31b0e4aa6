/** A file that comes with a message. What it is, is read from its bytes; its name and the type the browser claims are only words. */
import sharp from 'sharp'
import { maxAttachmentBytes } from '#domain/support/support.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type Attachment = { name: string; contentType: 'image/webp' | 'application/pdf'; bytes: Uint8Array }

/** Sides in pixels a picture is saved with, until it stays within the bound. */
const sides = [2_000, 1_400, 900]
/** More pixels than a phone's camera takes; a small file may hold far more. */
const mostPixels = 60_000_000

/**
 * A picture comes out as WebP, saved anew: upright, without what its camera wrote into it, and without anything that was hidden behind it. A PDF
 * stays as it is. Refuses what is over 1MB, what cannot be read to its end, and what is neither.
 */
export async function readAttachment(file: {
  name: string
  bytes: Uint8Array
}): Promise<Outcome<Attachment, Refused<'too-large'> | Refused<'unreadable'> | Refused<'other-kind'>>> {
  const { bytes } = file
  if (bytes.length > maxAttachmentBytes) return refused('too-large')
  if (beginsWith(bytes, '%PDF-')) {
    // Every PDF says at its end where its table stands; one that was cut off does not.
    const isWhole = Buffer.from(bytes.subarray(-2_048)).includes('%%EOF')
    return isWhole ? ok({ name: plainName(file.name, 'pdf'), contentType: 'application/pdf', bytes }) : refused('unreadable')
  }
  if (!isPicture(bytes)) return refused('other-kind')
  try {
    for (const side of sides) {
      const saved = await sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
        .rotate()
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer()
      if (saved.length <= maxAttachmentBytes) return ok({ name: plainName(file.name, 'webp'), contentType: 'image/webp', bytes: saved })
    }
  } catch {
    // Cut off, broken, or larger unpacked than any camera takes.
  }
  return refused('unreadable')
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
