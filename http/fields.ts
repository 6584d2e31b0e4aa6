/** The fields of what is posted, by pages and by programs alike, counted before anything is parsed. */
import { MIMEType } from 'node:util'
import { cleanText } from '#platform/plain-text.ts'

const longestValue = 4_000

/** No form of ours comes near them. They are counted before anything is parsed. */
export const formLimits = { fields: 200, parts: 20 } as const

/** Whether a body of this Content-Type is what a form without files sends. */
export function isPlainForm(contentType: string | null | undefined): boolean {
  return mimeTypeOf(contentType)?.essence === 'application/x-www-form-urlencoded'
}

/** The fields of a plain form out of its text; null where it has more fields than any form. */
export function readFields(body: string): URLSearchParams | null {
  return countOf('&', body, formLimits.fields) < formLimits.fields ? cleanFields(new URLSearchParams(body)) : null
}

/** The fields of a form: the first of two values counts, and what nobody sees is dropped. Files are left out. */
export function cleanFields(form: Iterable<[string, FormDataEntryValue]>): URLSearchParams {
  const fields = new Map<string, string>()
  for (const [written, value] of form) {
    const name = cleanText(written).slice(0, 100)
    // The first of two values counts, whoever reads them.
    if (typeof value === 'string' && !fields.has(name)) fields.set(name, cleanText(value).slice(0, longestValue))
  }
  return new URLSearchParams([...fields])
}

/** The MIME type a Content-Type names; undefined for what is none. */
export function mimeTypeOf(contentType: string | null | undefined): MIMEType | undefined {
  try {
    return contentType ? new MIMEType(contentType) : undefined
  } catch {
    return undefined
  }
}

/** How often `part` is in `whole`, counted up to `most`. */
export function countOf(part: string, whole: string | Buffer, most: number): number {
  let count = 0
  for (let at = whole.indexOf(part); at >= 0 && count < most; at = whole.indexOf(part, at + part.length)) count += 1
  return count
}
