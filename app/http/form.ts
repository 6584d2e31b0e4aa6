/**
 * Forms, the one way: read, check with a zod schema, answer with what was typed and a message by each field. The schema is the domain's;
 * nothing typed is ever lost, except what must not come back (card numbers never arrive here at all).
 */
import { data, type RouterContextProvider } from 'react-router'
import type { z } from 'zod'
import { answerHeadersContext, shopContext } from '#app/http/context.ts'

/** What a form page renders again: the values as typed, a message per field, and one for the whole form. */
export type FormReply = { values: Record<string, string>; errors: Record<string, string>; formError?: string }

const longestValue = 4_000

/**
 * The fields of a posted form. Null bytes and lone surrogates, which no store of text accepts, are dropped; files are ignored.
 * Throws a 400 response when the body is not a form at all.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return cleanFields(await readBody(request))
}

/** The same with the file of the field `fileField`; null when none was chosen. */
export async function readFormWithFile(request: Request, fileField: string): Promise<{ fields: URLSearchParams; file: File | null }> {
  const form = await readBody(request)
  const file = form.get(fileField)
  return { fields: cleanFields(form), file: file instanceof File && file.size > 0 ? file : null }
}

/** Whether a body of this Content-Type is what a form without files sends. */
export function isPlainForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')
}

/** The same as `readForm` for the text of a plain form. */
export function readFields(body: string): URLSearchParams {
  return cleanFields(new URLSearchParams(body))
}

/** Text as it may be stored: no null bytes, no half characters, line ends as \n. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replaceAll('\r\n', '\n').toWellFormed()
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
export function refuseTry(context: Readonly<RouterContextProvider>, reply: FormReply, { retryAfterSeconds }: { retryAfterSeconds: number }) {
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
export function formRefusal(fields: URLSearchParams, formError: string, errors: Record<string, string> = {}): FormReply {
  return { values: Object.fromEntries(fields), errors, formError }
}

async function readBody(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    throw new Response('The form did not arrive whole. Go back and send it again.', { status: 400 })
  }
}

function cleanFields(form: Iterable<[string, FormDataEntryValue]>): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [written, value] of form) {
    const name = cleanText(written).slice(0, 100)
    // The first of two values counts, whoever reads them.
    if (typeof value === 'string' && !fields.has(name)) fields.append(name, cleanText(value).slice(0, longestValue))
  }
  return fields
}
