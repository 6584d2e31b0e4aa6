/**
 * Receives supplier files for `/office/imports`. They are larger than any other form, so they are stored as they arrive,
 * after the sender is known to be allowed to; the page then reads a small form with the number of the upload.
 */
import type { MiddlewareHandler } from 'hono'
import type { AppRequest } from '#app/server/app-request.ts'
import { visitorOf } from '#app/server/gate.ts'
import { maxUploadBytes } from '#domain/catalog/catalog-import/catalog-import.ts'
import { storeUpload } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { findOfficeSession, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { mimeTypeOf } from '#http/fields.ts'
import { BrokenForm, readMultipart, type FormPart } from '#http/multipart.ts'
import { isId } from '#platform/ids.ts'
import type { Application } from '#application'

/** Why a file was not stored. */
export type UploadFault = 'none' | 'empty' | 'too-large' | 'broken' | 'too-many'

const longestField = 200
/** The fields and the boundaries around the file. */
const maxFormBytes = maxUploadBytes + 16 * 1024

/** Replaces a form with a file by one with the fields `upload` (the id of the stored file) and `fault`. */
export function receiveImportFile(app: Application): MiddlewareHandler<AppRequest> {
  return async (c, next) => {
    const incoming = c.req.raw
    const boundary = mimeTypeOf(incoming.headers.get('content-type'))?.params.get('boundary')
    if (!boundary || !incoming.body) return next()
    const visitor = visitorOf(c, app.config)
    const session = await findOfficeSession(app, visitor.officeSession)
    const fields = new URLSearchParams()
    // The page itself answers those who may not.
    if (session && staffCan(session.roles, 'catalog.import')) {
      const { email, sessionId } = session
      const by: Actor = { via: 'office', name: email, sessionId, networkKey: visitor.networkKey }
      const taken = await app.rateLimits.take('attachment', { sender: `imports of ${sessionId}` })
      const parts = readMultipart(limited(incoming.body), boundary)
      await receive(parts, fields, async (part) => (taken.ok ? storeFile(app, by, part, fields) : 'too-many'))
    }
    const headers = new Headers(incoming.headers)
    headers.delete('content-length')
    headers.delete('transfer-encoding')
    headers.set('content-type', 'application/x-www-form-urlencoded')
    c.req.raw = new Request(incoming.url, { method: 'POST', headers, body: fields.toString() })
    return next()
  }
}

/** Reads the form into `fields`, and its first file with `store`. The fields come first, as on the page. */
async function receive(
  parts: AsyncGenerator<FormPart>,
  fields: URLSearchParams,
  store: (file: FormPart) => Promise<UploadFault>,
): Promise<void> {
  let fault: UploadFault = 'none'
  try {
    for await (const part of parts) {
      if (part.fileName === null) {
        fields.set(part.name.slice(0, 100), await readField(part))
      } else if (part.name === 'file' && part.fileName !== '') {
        fault = await store(part)
        break
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenForm)) throw error
    fault = 'broken'
  }
  if (fault !== 'none' || !fields.has('upload')) fields.set('fault', fault)
}

async function storeFile(
  app: Application,
  by: Actor,
  { fileName, bytes }: FormPart,
  fields: URLSearchParams,
): Promise<UploadFault> {
  const id = fields.get('key') ?? ''
  if (!isId(id)) return 'broken'
  const stored = await storeUpload(app, by, { id, fileName: fileName ?? '', bytes })
  if (!stored.ok) return stored.reason
  fields.set('upload', id)
  return 'none'
}

async function readField({ bytes }: FormPart): Promise<string> {
  let text: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    text = Buffer.concat([text, piece])
    if (text.length > longestField) throw new BrokenForm()
  }
  return text.toString('utf8')
}

/** The body, up to the largest form; one that breaks off is a broken form. */
async function* limited(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0
  try {
    for await (const piece of body) {
      total += piece.length
      yield piece
      if (total > maxFormBytes) return
    }
  } catch {
    throw new BrokenForm()
  }
}
