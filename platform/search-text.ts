/** Reads what staff type into a search box, and the conditions that find it by an index. */
import { sql, type RawBuilder } from 'kysely'
import { startPattern } from '#platform/start-pattern.ts'

/** Shorter text has no trigram, so that no index finds what contains it. */
const minPartLength = 3
/** Fewer digits would match a large part of all phone numbers. */
const minPhoneDigits = 4

/** What a search text may be, beside a name. */
export type SearchText = {
  text: string
  /** Four to ten digits of a phone number; undefined if it cannot be one. */
  phone: string | undefined
  /** The five digits of a ZIP; undefined if it cannot be one. */
  zip: string | undefined
}

export function readSearchText(text: string): SearchText {
  const digits = text.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  const isPhone = /^[\d\s().+-]+$/.test(text) && digits.length >= minPhoneDigits && digits.length <= 10
  return {
    text,
    phone: isPhone ? digits : undefined,
    zip: /^(\d{5})(?:-\d{4})?$/.exec(text.trim())?.[1],
  }
}

/** Phone numbers in `column` that end with `digits`, at least four: an index on `right(column, 4)` serves it. */
export function phoneEnds(column: RawBuilder<unknown>, digits: string): RawBuilder<boolean> {
  return sql<boolean>`(
    right(${column}, 4) = ${digits.slice(-4)} and regexp_replace(${column}, '[^0-9]', '', 'g') like ${`%${digits}`})`
}

/**
 * Lowercase values that contain `text` in any case; shorter than three characters, those that begin with it. A trigram
 * index on `lowered` serves the first, an index with `text_pattern_ops` the second.
 */
export function hasPart(lowered: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`${lowered} like ${partPattern(text)}`
}

/** Whether a text is long enough to be found inside of values. */
export function isPart(text: string): boolean {
  return text.length >= minPartLength
}

function partPattern(text: string): string {
  return isPart(text) ? `%${startPattern(text)}` : startPattern(text)
}
