/**
 * Reads a form's fields, validates them with a zod schema, and returns the input with a message per field. The schema
 * comes from the domain. All input is returned except secrets; card numbers are never sent here.
 */
import { data, type RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { answerHeadersContext, applicationContext } from '#app/server/context.ts'
import { cleanFields, countOf, formLimits, isPlainForm, mimeTypeOf, readFields } from '#http/fields.ts'

/**
 * The state for rendering a form again, with the submitted values, a message per field, and a message for the whole
 * form. `isConflict`: another user saved different values after the form was opened. `shown`: a value that a successful
 * form shows once, such as a secret.
 */
export type FormReply = {
  values: Record<string, string>
  errors: Record<string, string>
  formError?: string
  isConflict?: boolean
  shown?: string
  /** Other records that the refusal is about, such as the customer who has the email. */
  others?: readonly { path: string; name: string; note: string }[]
  /** An email as it would be sent. */
  mail?: { subject: string; text: string; html: string }
  /** What the entered values would do, row by row. */
  effect?: FormEffect
}

export type FormEffect = {
  title?: string
  rows: readonly { label: string; note?: string; value: string }[]
  total?: { label: string; value: string }
  note?: string
  /** Whether the rows are steps, one after another. */
  isSteps?: boolean
  /** A second effect to compare. */
  other?: FormEffect
}

/**
 * Reads the fields of a posted form. Removes invisible characters (`cleanText`) and ignores files. Throws a 400
 * response if it isn't a form, and a 413 response if it has too many fields. Truncates fields to `longest` characters,
 * 4,000 by default.
 */
export async function readForm(request: Request, longest?: number): Promise<URLSearchParams> {
  return cleanFields(await readBody(request, { longest }), longest)
}

/**
 * Also returns the file in the field `fileField`, or null if not found. `parts` allows more fields, and `longest`
 * longer ones.
 */
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
 * Validates `fields` with `schema`. Returns the parsed value, or the reply to render. Uses the first message of each
 * field.
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

/** Returns the reply for too many attempts. Preserves the input and shows when to try again. */
export function refuseTry(
  context: Readonly<RouterContextProvider>,
  reply: FormReply,
  { retryAfterSeconds }: { retryAfterSeconds: number },
) {
  sayWait(context, retryAfterSeconds)
  return refuseForm(reply, 429)
}

/** Sets the Retry-After header. */
export function sayWait(context: Readonly<RouterContextProvider>, seconds: number): void {
  context.get(applicationContext).log.warn({ seconds }, 'one try too many')
  context.get(answerHeadersContext).set('retry-after', String(seconds))
}

/** A reply with status 422, unless another is given. */
export function refuseForm(reply: FormReply, status = 422) {
  return data(reply, { status })
}

/** Returns a reply for a refusal of the whole form. Preserves the input. */
export function formRefusal(
  fields: URLSearchParams,
  formError: string,
  errors: Record<string, string> = {},
): FormReply {
  return { values: Object.fromEntries(fields), errors, formError }
}

/**
 * Returns the parsed body of `request` after counting its fields. Parsing takes more than linear time in their number.
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
