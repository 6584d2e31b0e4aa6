/** Reads the fields of posted forms, for pages and the API alike, and counts them before parsing anything. */
import { MIMEType } from 'node:util'
import { cleanText, normalizeTyping } from '#platform/plain-text.ts'

/** In characters. Forms check longer fields themselves. */
const longestValue = 4_000

/** Far above the size of our forms. Fields are counted before parsing. */
export const formLimits = { fields: 200, parts: 20 } as const

/** Returns whether this Content-Type is a form without files. */
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
 * Returns a form's fields, each truncated to `longest` characters. Uses the first of duplicate values, removes
 * invisible characters, and normalizes letters, apostrophes, and hyphens (`normalizeTyping`), except in document forms
 * with longer fields, which preserve the author's typography. Files are ignored.
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
