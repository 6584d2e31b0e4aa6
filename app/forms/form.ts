/**
 * The one way to handle forms: read, check with a zod schema, and answer with the input and a message per field. The
 * schema is the domain's; no input is ever lost, except what must not come back (card numbers never arrive here at
 * all).
 */
import { data, type RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { answerHeadersContext, shopContext } from '#app/server/context.ts'
import { cleanFields, countOf, formLimits, isPlainForm, mimeTypeOf, readFields } from '#http/fields.ts'

/**
 * What a form page renders again: the submitted values, a message per field, and one for the whole form. `isConflict`: a
 * teammate saved other values after the form was opened. `shown`: what a form that succeeded shows once, such as a secret.
 */
export type FormReply = {
  values: Record<string, string>
  errors: Record<string, string>
  formError?: string
  isConflict?: boolean
  shown?: string
}

/**
 * Reads the fields of a posted form. Invisible characters (`cleanText`) are removed; files are ignored. Throws a
 * response when it cannot be read: 400 if it is not a form, 413 if it has more fields than any form of ours. A field is
 * cut off after `longest` characters, 4,000 unless a form takes more.
 */
export async function readForm(request: Request, longest?: number): Promise<URLSearchParams> {
  return cleanFields(await readBody(request, { longest }), longest)
}

/** Also returns the file in the field `fileField`; null when none was chosen. `parts`: for forms with more fields, `longest`: for longer ones. */
export async function readFormWithFile(
  request: Request,
  fileField: string,
  parts: number = formLimits.parts,
  longest?: number,
): Promise<{ fields: URLSearchParams; file: File | null }> {
  const form = await readBody(request, { parts, longest })
  const file = form.get(fileField)
  return { fields: cleanFields(form, longest), file: file instanceof File && file.size > 0 ? file : null }
}

/** Also returns the files in the field `fileField`, those that were chosen. */
export async function readFormWithFiles(
  request: Request,
  fileField: string,
): Promise<{ fields: URLSearchParams; files: File[] }> {
  const form = await readBody(request)
  const files = form.getAll(fileField).filter((file): file is File => file instanceof File && file.size > 0)
  return { fields: cleanFields(form), files }
}

/**
 * Checks `fields` with `schema`: returns the parsed value, or the reply to render. The first message of each field
 * wins.
 */
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

/** The reply to one attempt too many: keeps the input, and says when to try again. */
export function refuseTry(
  context: Readonly<RouterContextProvider>,
  reply: FormReply,
  { retryAfterSeconds }: { retryAfterSeconds: number },
) {
  sayWait(context, retryAfterSeconds)
  return refuseForm(reply, 429)
}

/** Sets the header that says when to try again. */
export function sayWait(context: Readonly<RouterContextProvider>, seconds: number): void {
  context.get(shopContext).log.warn({ seconds }, 'one try too many')
  context.get(answerHeadersContext).set('retry-after', String(seconds))
}

/** A reply with status 422, unless another is given. */
export function refuseForm(reply: FormReply, status = 422) {
  return data(reply, { status })
}

/** A reply for a refusal that concerns the whole form; keeps the input. */
export function formRefusal(
  fields: URLSearchParams,
  formError: string,
  errors: Record<string, string> = {},
): FormReply {
  return { values: Object.fromEntries(fields), errors, formError }
}

/**
 * Returns the parsed body of `request` after counting its fields: parsing takes more than linear time in their number.
 */
async function readBody(
  request: Request,
  { parts = formLimits.parts, longest }: { parts?: number; longest?: number | undefined } = {},
): Promise<URLSearchParams | FormData> {
  const contentType = request.headers.get('content-type')
  if (isPlainForm(contentType)) return readFields(await request.text(), longest) ?? refuseBody(413)
  const boundary = mimeTypeOf(contentType)?.params.get('boundary')
  const bytes = Buffer.from(await request.arrayBuffer())
  // The closing line contains the boundary, too.
  if (boundary && countOf(`--${boundary}`, bytes, parts + 2) > parts + 1) return refuseBody(413)
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType ?? '' } }).formData()
  } catch {
    return refuseBody(400)
  }
}

function refuseBody(status: 400 | 413): never {
  throw new Response(
    status === 400
      ? 'The form did not arrive complete. Go back and send it again.'
      : 'The form has more fields than we read.',
    { status },
  )
}
