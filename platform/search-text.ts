/** Parses staff search input and builds indexed conditions for it. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import { startPattern } from '#platform/start-pattern.ts'

/** Text without three consecutive letters or digits has no trigram and would scan the whole index. */
const trigram = /[a-z\d]{3}/i
/** Fewer digits would match a large part of all phone numbers. */
const minPhoneDigits = 4

/** A parsed search text, with an ID, an email, or a phone number if it could be one. */
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

/** How well a record matches a search, best first. */
export const match = {
  /** One of its values, such as a number, an email, a name, or a phone number, equals the text. */
  whole: 0,
  /** A word of one of its values starts with the text, or a number ends with it. */
  edge: 1,
  /** The text is inside a value, or the record belongs to another one that matches. */
  part: 2,
  /** A name differs by one typo. */
  typo: 3,
} as const
export type Match = (typeof match)[keyof typeof match]

/**
 * Returns how well `values` match `text`, ignoring case. Phone numbers can have any format. `otherwise` is the result
 * for values without the text, such as a person found by address.
 */
export function matchOf({ text, phone }: SearchText, values: readonly (string | null)[], otherwise: Match): Match {
  const wanted = text.toLowerCase()
  const words = wanted.split(' ')
  const matches = values.map((value) => {
    const lowered = (value ?? '').toLowerCase()
    if (lowered === wanted || (phone?.length === 10 && lowered.endsWith(phone))) return match.whole
    if (` ${lowered}`.includes(` ${wanted}`) || (phone !== undefined && lowered.endsWith(phone))) return match.edge
    return words.every((word) => lowered.includes(word)) ? match.part : otherwise
  })
  return matches.reduce<Match>((best, each) => (each < best ? each : best), otherwise)
}

/** Matches phone numbers in `column` that end with at least four `digits`. Uses an index on `right(column, 4)`. */
export function phoneEnds(column: RawBuilder<unknown>, digits: string): RawBuilder<boolean> {
  return sql<boolean>`(
    right(${column}, 4) = ${digits.slice(-4)} and regexp_replace(${column}, '[^0-9]', '', 'g') like ${`%${digits}`})`
}

/**
 * Lowercase values that contain `text` in any case; those that begin with it unless it `isPart`. A trigram index on
 * `lowered` serves the first, an index with `text_pattern_ops` the second.
 */
export function hasPart(lowered: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`${lowered} like ${partPattern(text)}`
}

/** Whether an index finds values that contain the text. */
export function isPart(text: string): boolean {
  return trigram.test(text)
}

/**
 * Values of `column` that start with `text`. Unlike `like`, the range is served by an index with `text_pattern_ops` under
 * a generic plan, too.
 */
export function startsWith(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`(${column} ~>=~ ${text} and ${column} ~<~ ${text + lastCharacter})`
}

/** Matches values of `column` that end with `text`. Uses an index on `reverse(column)` with `text_pattern_ops`. */
export function endsWith(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return startsWith(sql`reverse(${column})`, [...text].toReversed().join(''))
}

/** Sorts after any character of a name or number in the order of code points. */
const lastCharacter = '\u{10FFFF}'

function partPattern(text: string): string {
  return isPart(text) ? `%${startPattern(text)}` : startPattern(text)
}

const alphabet = Array.from('abcdefghijklmnopqrstuvwxyz')
/** Shorter words become other names with one typo; longer ones have more variants than a search should look up. */
const typoLengths = { min: 4, max: 14 }
const maxTypoWords = 3

/**
 * For each word of `text` the spellings that differ by at most one typo: a letter left out, added, replaced, or swapped
 * with the next one. Null if the text is no name, or a word is too short or too long for it. At most 3 words of 14
 * letters, with some 800 spellings each.
 */
export function readTypos(text: string): string[][] | null {
  const words = text.toLowerCase().split(' ').filter(Boolean)
  if (words.length === 0 || words.length > maxTypoWords || !/^[\p{L}'. -]+$/u.test(text)) return null
  if (words.every((word) => word.length < typoLengths.min)) return null
  if (words.some((word) => word.length > typoLengths.max)) return null
  return words.map((word) => (word.length < typoLengths.min ? [word] : spellingsOf(word)))
}

function spellingsOf(word: string): string[] {
  const splits = Array.from({ length: word.length + 1 }, (_, at) => [word.slice(0, at), word.slice(at)] as const)
  const spellings = splits.flatMap(([start, end]) => [
    ...alphabet.map((letter) => start + letter + end),
    ...(end === '' ? [] : [start + end.slice(1), ...alphabet.map((letter) => start + letter + end.slice(1))]),
    ...(end.length < 2 ? [] : [start + end.charAt(1) + end.charAt(0) + end.slice(2)]),
  ])
  return [...new Set([word, ...spellings])]
}

/** Matches arrays that contain a spelling of each word. Uses a GIN index on `words`. */
export function hasWords(words: RawBuilder<unknown>, spellings: readonly (readonly string[])[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    spellings.map((each) => sql`${words} && ${[...each]}::text[]`),
    sql` and `,
  )})`
}

/** The maximum number of existing words. More are unlikely to be relevant. */
const maxExisting = 8

/**
 * Returns up to eight spellings of each word that exist in a row's `words`, with one GIN index lookup each. `rows` is
 * the table, such as `from account`. Comparing a common name with all spellings in one condition would be far slower.
 */
export async function selectExistingWords(
  db: Database,
  spellings: readonly (readonly string[])[],
  { rows: table, words }: { rows: RawBuilder<unknown>; words: RawBuilder<unknown> },
): Promise<string[][]> {
  return Promise.all(
    spellings.map(async (each) => {
      const { rows } = await sql<{ word: string }>`
        select word from unnest(${[...each]}::text[]) as word
        cross join lateral (select ${table} where ${words} @> array[word] limit 1) one limit ${maxExisting}`.execute(db)
      return rows.map(({ word }) => word)
    }),
  )
}
