/** Reads the fields of posted forms, for pages and the API alike, and counts them before parsing anything. */
import { MIMEType } from 'node:util'
import { cleanText, normalizeTyping } from '#platform/plain-text.ts'

/** In characters; a form with a longer field says so where it is read. */
const longestValue = 4_000

/** No form of ours comes close to these limits. Fields are counted before anything is parsed. */
export const formLimits = { fields: 200, parts: 20 } as const

/** Whether this Content-Type is that of a form without files. */
export function isPlainForm(contentType: string | null | undefined): boolean {
  return mimeTypeOf(contentType)?.essence === 'application/x-www-form-urlencoded'
}

/** Parses the text of a form without files; returns null if it has more fields than allowed. */
export function readFields(body: string, longest = longestValue): URLSearchParams | null {
  return countOf('&', body, formLimits.fields) < formLimits.fields
    ? cleanFields(new URLSearchParams(body), longest)
    : null
}

/**
 * Returns the fields of a form, each cut off after `longest` characters: the first of two values counts, invisible
 * characters are removed, and letters, apostrophes and hyphens are normalized (`normalizeTyping`), except in a form for
 * documents, with longer fields, whose typography is their author's. Files are ignored.
 */
export function cleanFields(form: Iterable<[string, FormDataEntryValue]>, longest = longestValue): URLSearchParams {
  const fields = new Map<string, string>()
  const normalize = longest > longestValue ? (text: string) => text.normalize('NFC') : normalizeTyping
  for (const [written, value] of form) {
    const name = cleanText(written).slice(0, 100)
    // The first of two values counts, however they are read.
    if (typeof value === 'string' && !fields.has(name)) fields.set(name, normalize(cleanText(value).slice(0, longest)))
  }
  return new URLSearchParams([...fields])
}

/** Parses a Content-Type; returns undefined if it is invalid. */
export function mimeTypeOf(contentType: string | null | undefined): MIMEType | undefined {
  try {
    return contentType ? new MIMEType(contentType) : undefined
  } catch {
    return undefined
  }
}

/** Counts how often `part` occurs in `whole`, up to `most`. */
export function countOf(part: string, whole: string | Buffer, most: number): number {
  let count = 0
  for (let at = whole.indexOf(part); at >= 0 && count < most; at = whole.indexOf(part, at + part.length)) count += 1
  return count
}
