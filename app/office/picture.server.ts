/** Reads uploaded images and explains why one was refused. */
import type { ActionCall } from './define-actions.server.ts'
import { supportMessages } from '#content/messages/support.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { readPicture } from '#domain/kernel/files/files.server.ts'
import { ok, refused } from '#platform/outcome.ts'
import type { RefusalText } from './decision.server.ts'
import { readSentFile } from './sent-file.server.ts'

/** Reads an uploaded image. Counts against the upload limit first. */
export async function readSentPicture({ app, by, file, signal }: Omit<ActionCall, 'id'>) {
  if (!file) return refused('no-file')
  const taken = await app.rateLimits.take('attachment', { sender: `catalog pictures of ${by.name}` })
  if (!taken.ok) return refused('too-often')
  const bytes = await readSentFile(file, maxAttachmentBytes)
  if (!bytes) return refused('too-large')
  if (bytes.length === 0) return refused('no-file')
  const read = await readPicture({ name: file.name, bytes }, signal)
  return read.ok ? ok(read.value) : read
}

/** The types of pictures, as programs send them. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

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
