/** What the forms of lines and brands share: reading them with their picture, and saying why they were refused. */
import { formRefusal, readFormWithFile, refuseForm } from '#app/forms/form.ts'
import { supportMessages } from '#content/messages/support.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { readPicture } from '#domain/files/files.server.ts'
import type { Shop } from '#shop'

type Picture = { key: string; bytes: Uint8Array }

/** Reads a posted form, with the file in its field `file` if one was chosen. */
export function readCatalogForm(request: Request): Promise<{ fields: URLSearchParams; file: File | null }> {
  return readFormWithFile(request, 'file')
}

/** Reads the picture of a form, counting it first; otherwise the form with what is wrong with the file. */
export async function pictureOf(
  shop: Pick<Shop, 'attachmentLimits'>,
  actor: Actor,
  { fields, file, signal }: { fields: URLSearchParams; file: File | null; signal: AbortSignal },
): Promise<{ picture: Picture } | { refusal: ReturnType<typeof refuseForm> }> {
  const refuse = (file: string, status = 422) => ({
    refusal: refuseForm(formRefusal(fields, 'Fix 1 field:', { file }), status),
  })
  if (file === null) return refuse('Choose a picture.')
  const taken = await shop.attachmentLimits.take(`catalog pictures of ${actor.name}`)
  if (!taken.ok) return refuse('Too many pictures in an hour. Try again later.', 429)
  const read = await readPicture({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, signal)
  if (read.ok) return { picture: read.value }
  return read.reason === 'busy' ? refuse(supportMessages.busy, 503) : refuse(pictureFaults[read.reason])
}

const pictureFaults = {
  'not-a-picture': 'Choose a PNG, JPEG or WebP picture. SVG is not accepted: it can contain scripts.',
  'other-kind': 'Choose a PNG, JPEG or WebP picture.',
  'too-large': supportMessages.tooLarge,
  unreadable: supportMessages.unreadable,
  'unsafe-pdf': supportMessages.unsafePdf,
  'too-many-pixels': supportMessages.tooManyPixels,
} as const

/** The form again, with why the edit was refused. Throws 404 for what does not exist. */
export function refuseEdit(fields: URLSearchParams, reason: 'not-found' | 'not-allowed' | 'changed-meanwhile') {
  if (reason === 'not-found') throw new Response(null, { status: 404 })
  return reason === 'not-allowed'
    ? refuseForm(formRefusal(fields, 'Your role was revoked meanwhile. Nothing was changed.'), 403)
    : refuseForm(
        formRefusal(fields, 'Someone else changed this text meanwhile. Copy yours, then load the page again.'),
        409,
      )
}
