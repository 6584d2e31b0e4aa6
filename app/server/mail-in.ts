/** Incoming emails from the mail provider, which reply to office threads. */
import { readAttachment, type Attachment } from '#domain/kernel/files/files.server.ts'
import { receiveReply } from '#domain/messaging/support/support.server.ts'
import { countOf, formLimits, mimeTypeOf } from '#http/fields.ts'
import type { Application } from '#application'

const mostFiles = 5

/**
 * Adds a posted email to its thread. The signature is checked before any file is examined. Responds with 406, which
 * stops retries, to unsigned or unreadable emails, and to unknown addresses.
 */
export async function receiveMail(app: Application, request: Request): Promise<Response> {
  const answer = (status: number, error?: string) => Response.json(error ? { error } : { received: true }, { status })
  if (!app.mailEvents) return answer(404, 'not-found')
  const form = await readForm(request)
  if (!form) return answer(406, 'unreadable')
  const fields = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const mail = app.mailEvents.readIncoming(fields)
  if (!mail) return answer(406, 'bad-signature')
  const { files, left } = await readFiles(form)
  const text = [mail.text, ...left.map((name) => `(We could not take the file ${name}.)`)].join('\n\n')
  const [mailbox = ''] = mail.recipient.split('@')
  const received = await receiveReply(app, { ...mail, mailbox, text, files })
  return received.ok ? answer(200) : answer(406, received.reason)
}

async function readForm(request: Request): Promise<FormData | undefined> {
  const contentType = request.headers.get('content-type')
  const bytes = Buffer.from(await request.arrayBuffer())
  const boundary = mimeTypeOf(contentType)?.params.get('boundary')
  // Parsing takes more than linear time in the number of parts.
  const mostParts = formLimits.parts + 40
  if (boundary && countOf(`--${boundary}`, bytes, mostParts + 2) > mostParts + 1) return undefined
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType ?? '' } }).formData()
  } catch {
    return undefined
  }
}

/** The files that can be kept, and the names of those that cannot. */
async function readFiles(form: FormData): Promise<{ files: Attachment[]; left: string[] }> {
  const sent = [...form.values()].filter((value) => value instanceof File)
  const files: Attachment[] = []
  const left = sent.slice(mostFiles).map(({ name }) => name.slice(0, 100))
  for (const file of sent.slice(0, mostFiles)) {
    const read = await readAttachment({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })
    if (read.ok) files.push(read.value)
    else left.push(file.name.slice(0, 100))
  }
  return { files, left }
}
