/** Reads uploaded images and explains why one was refused. */
import type { ActionCall } from './define-actions.server.ts'
import { supportMessages } from '#content/messages/support.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { readAttachment, readPicture } from '#domain/kernel/files/files.server.ts'
import { refused } from '#platform/outcome.ts'
import type { RefusalText } from './decision.server.ts'
import { readSentFile } from './sent-file.server.ts'

type Sent = Omit<ActionCall, 'id'>

/** Reads an uploaded image. Counts against the upload limit first. */
export const readSentPicture = (sent: Sent) => readSent(sent, readPicture)

/** Reads an uploaded image or PDF that only staff see, in the same way. */
export const readSentDocument = (sent: Sent) => readSent(sent, readAttachment)

async function readSent<Read>(
  { app, by, file, signal }: Sent,
  read: (file: { name: string; bytes: Uint8Array }, signal?: AbortSignal) => Promise<Read>,
) {
  if (!file) return refused('no-file')
  const taken = await app.rateLimits.take('attachment', { sender: `catalog pictures of ${by.name}` })
  if (!taken.ok) return refused('too-often')
  const bytes = await readSentFile(file, maxAttachmentBytes)
  if (!bytes) return refused('too-large')
  if (bytes.length === 0) return refused('no-file')
  return read({ name: file.name, bytes }, signal)
}

/** The types of pictures, as programs send them. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The types of documents, as programs send them. */
export const documentTypes = [...pictureTypes, 'application/pdf'] as const

const notADocument = 'Choose a PNG, JPEG, or WebP picture, or a PDF.'

/** The same faults of a document. */
export function documentFaults(field: string) {
  const at = (text: string): RefusalText => ({ field, text, status: 422 })
  return {
    ...pictureFaults(field),
    'no-file': at('Choose a document.'),
    'not-a-picture': at(notADocument),
    'other-kind': at(notADocument),
  }
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
