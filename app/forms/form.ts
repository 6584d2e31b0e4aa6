/**
 * Forms, the one way: read, check with a zod schema, answer with what was typed and a message by each field. The schema
 * is the domain's; nothing typed is ever lost, except what must not come back (card numbers never arrive here at all).
 */
import { data, type RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { answerHeadersContext, shopContext } from '#app/server/context.ts'
import { cleanFields, countOf, formLimits, isPlainForm, mimeTypeOf, readFields } from '#http/fields.ts'

/** What a form page renders again: the values as typed, a message per field, and one for the whole form. */
export type FormReply = { values: Record<string, string>; errors: Record<string, string>; formError?: string }

/**
 * The fields of a posted form. What nobody sees (`cleanText`) is dropped; files are ignored. Throws a response when
 * there is nothing to read: 400 for what is not a form at all, 413 for more fields than any form has.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return cleanFields(await readBody(request))
}

/** The same with the file of the field `fileField`; null when none was chosen. */
export async function readFormWithFile(
  request: Request,
  fileField: string,
): Promise<{ fields: URLSearchParams; file: File | null }> {
  const form = await readBody(request)
  const file = form.get(fileField)
  return { fields: cleanFields(form), file: file instanceof File && file.size > 0 ? file : null }
}

/** Checks `fields` with `schema`: the typed value, or the reply to render. The first message of each field wins. */
export function checkForm<Schema extends z.ZodType>(
  schema: Schema,
  fields: URLSearchParams,
): { ok: true; value: z.output<Schema> } | { ok: false; reply: FormReply } {
  const values = Object.fromEntries(fields)
  const checked = schema.safeParse(values)
  if (checked.success) return { ok: true, value: checked.data }
  const errors: Record<string, string> = {}
  for (const issue of checked.error.issues) errors[String(issue.path[0] ?? '')] ??= issue.message
  const formError = errors['']
  delete errors['']
  return { ok: false, reply: { values, errors, ...(formError ? { formError } : {}) } }
}

/** The reply to one try too many: what was typed stays, and the answer says when the next may come. */
export function refuseTry(
  context: Readonly<RouterContextProvider>,
  reply: FormReply,
  { retryAfterSeconds }: { retryAfterSeconds: number },
) {
  sayWait(context, retryAfterSeconds)
  return refuseForm(reply, 429)
}

/** Has the answer say when the next try may come. */
export function sayWait(context: Readonly<RouterContextProvider>, seconds: number): void {
  context.get(shopContext).log.warn({ seconds }, 'one try too many')
  context.get(answerHeadersContext).set('retry-after', String(seconds))
}

/** A reply with status 422, or another one. */
export function refuseForm(reply: FormReply, status = 422) {
  return data(reply, { status })
}

/** A reply for a refusal that belongs to the whole form, keeping what was typed. */
export function formRefusal(
  fields: URLSearchParams,
  formError: string,
  errors: Record<string, string> = {},
): FormReply {
  return { values: Object.fromEntries(fields), errors, formError }
}

/** The parsed body of `request`, counted first: parsing costs more than linear time in the number of fields. */
async function readBody(request: Request): Promise<URLSearchParams | FormData> {
  const contentType = request.headers.get('content-type')
  if (isPlainForm(contentType)) return readFields(await request.text()) ?? refuseBody(413)
  const boundary = mimeTypeOf(contentType)?.params.get('boundary')
  const bytes = Buffer.from(await request.arrayBuffer())
  // The closing line has the boundary, too.
  if (boundary && countOf(`--${boundary}`, bytes, formLimits.parts + 2) > formLimits.parts + 1) return refuseBody(413)
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType ?? '' } }).formData()
  } catch {
    return refuseBody(400)
  }
}

function refuseBody(status: 400 | 413): never {
  throw new Response(
    status === 400
      ? 'The form did not arrive whole. Go back and send it again.'
      : 'The form has more fields than we read.',
    { status },
  )
}
