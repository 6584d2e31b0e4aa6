/** Reads uploaded images and explains why one was refused. */
import { supportMessages } from '#content/messages/support.ts'
import { readPicture } from '#domain/kernel/files/files.server.ts'
import { ok, refused } from '#platform/outcome.ts'
import type { Posted, RefusalText } from './decision.server.ts'

/** Reads an uploaded image. Counts against the upload limit first. */
export async function readPostedPicture({ shop, by, file, signal }: Posted) {
  if (file === null) return refused('no-file')
  const taken = await shop.rateLimits.take('attachment', { sender: `catalog pictures of ${by.name}` })
  if (!taken.ok) return refused('too-often')
  const read = await readPicture({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, signal)
  return read.ok ? ok(read.value) : read
}

/** Why a picture was refused, at the field that sent it. */
export function pictureFaults(field: string) {
  const at = (text: string, status = 422): RefusalText => ({ field, text, status })
  return {
    'no-file': at('Choose a picture.'),
    'too-often': at('Too many pictures in an hour. Try again later.', 429),
    busy: at(supportMessages.busy, 503),
    'not-a-picture': at('Choose a PNG, JPEG or WebP picture. SVG isn’t accepted because it can contain scripts.'),
    'other-kind': at('Choose a PNG, JPEG or WebP picture.'),
    'too-large': at(supportMessages.tooLarge),
    unreadable: at(supportMessages.unreadable),
    'unsafe-pdf': at(supportMessages.unsafePdf),
    'too-many-pixels': at(supportMessages.tooManyPixels),
  } as const
}
