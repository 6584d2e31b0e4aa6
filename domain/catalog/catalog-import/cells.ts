/**
 * Cell readers of feeds. A reader parses a cell's trimmed text, or returns undefined. It also has the report's texts
 * for the problem and the expected value.
 */
import { z } from 'zod'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

export type Reader<Value> = {
  expected: string
  /** What is wrong with a text that `read` rejects. */
  problem: string | ((text: string) => string)
  read: (text: string) => Value | undefined
}

/** The longest cell text that is parsed. */
export const longestCell = 2_000

/** The longest description of a brand or a model, in characters. */
export const longestAbout = 1_000

/** A required cell. */
export function required<Value>(reader: Reader<Value>): z.ZodType<Value, string> {
  return z
    .string()
    .transform((text, context) => valueOf(text, reader, context, text === '' ? 'is empty' : reader.problem))
}

/** A cell that may be empty, or in a missing column. */
export function optional<Value, Default = null>(
  reader: Reader<Value>,
  whenEmpty: Default,
): z.ZodType<Value | Default, string> {
  return z
    .string()
    .transform((text, context) => (text === '' ? whenEmpty : valueOf(text, reader, context, reader.problem)))
}

/** Parses a cell to its value, or null if invalid. Used for the valid cells of a refused row. */
export function ifReadable<Value>(cell: z.ZodType<Value, string>): z.ZodType<Value | null, string> {
  return z.string().transform((text) => {
    const read = cell.safeParse(text)
    return read.success ? read.data : null
  })
}

function valueOf<Value>(
  text: string,
  reader: Reader<Value>,
  context: z.RefinementCtx,
  problem: Reader<Value>['problem'],
): Value {
  const value = reader.read(text)
  if (value !== undefined) return value
  const message = typeof problem === 'string' ? problem : problem(text)
  context.addIssue({ code: 'custom', message, params: { expected: reader.expected } })
  return z.NEVER
}

/**
 * One line of text. Refuses characters that never appear on labels, because they would end up in URLs, pages and
 * reports.
 */
export function text(longest: number): Reader<string> {
  return {
    expected: `text of at most ${countOf(longest, 'character')} on one line`,
    problem: 'is not plain text',
    read: (text) => (text.length <= longest && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? text : undefined),
  }
}

export function whole(least: number, most: number, unit = ''): Reader<number> {
  return {
    expected: `a whole number from ${least} to ${most}${unit && ` (${unit})`}`,
    problem: 'is not a whole number in that range',
    read: (text) => within(/^\d{1,9}$/.test(text) ? Number(text) : undefined, least, most),
  }
}

export function decimal(least: number, most: number, places: number, unit: string): Reader<number> {
  return {
    expected: `a number from ${least} to ${most} with at most ${countOf(places, 'decimal')} (${unit})`,
    problem: 'is not a number in that range',
    read: (text) => within(decimalsOf(text) <= places ? Number(text) : undefined, least, most),
  }
}

/** The decimals of a plain number: 0 for a whole one, Infinity for text that is not one. */
function decimalsOf(text: string): number {
  const match = /^\d{1,7}(?:\.(\d{1,9}))?$/.exec(text)
  return match ? (match[1]?.length ?? 0) : Number.POSITIVE_INFINITY
}

export function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return {
    expected: `one of ${words.join(', ')}`,
    problem: 'is not one of the words known here',
    read: (text) => words.find((word) => word === text),
  }
}

export const yesNo: Reader<boolean> = {
  expected: 'yes or no',
  problem: 'is neither yes nor no',
  read: (text) => ({ yes: true, no: false })[text.toLowerCase()],
}

/** The highest price or cost of one tire that a feed may state, in cents. */
export const dearestCents = 1_000_000

/**
 * "129.99", "129.9" or "129" → cents. No sign, currency or separators, because these are ambiguous across countries.
 */
export function dollars(leastCents: number, mostCents = dearestCents): Reader<number> {
  const most = formatCents(mostCents)
  return {
    expected: `dollars with at most two decimals, such as 129.99, up to ${most}`,
    problem(text) {
      if ((centsOf(text) ?? 0) > mostCents) return `is above the limit of ${most}`
      return leastCents > 0 ? 'is not a price' : 'is not an amount'
    },
    read: (text) => within(centsOf(text), leastCents, mostCents),
  }
}

function centsOf(text: string): number | undefined {
  const [, whole, cents = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

const longestUrl = 1_000

/** An address of a picture. */
export const pictureUrl: Reader<string> = {
  expected: `an https address of at most ${countOf(longestUrl, 'character')}`,
  problem: 'is not an https address',
  read(text) {
    const url = URL.parse(text)
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
    return url.href.length <= longestUrl ? url.href : undefined
  },
}

/** A calendar day. */
export const date: Reader<string> = {
  expected: 'a date such as 2026-11-20',
  problem: 'is not a date',
  read: (day) => (/^\d{4}-\d\d-\d\d$/.test(day) && isDay(day) ? day : undefined),
}

/** Uppercase, because shoppers type it into the search box in any case. */
export const sku: Reader<string> = {
  expected: 'letters, digits, dots, hyphens and underscores, at most 40, beginning with a letter or digit',
  problem: 'is not a SKU',
  read(text) {
    const upper = text.toUpperCase()
    return /^[A-Z0-9][A-Z0-9._-]{0,39}$/.test(upper) ? upper : undefined
  },
}

function within(value: number | undefined, least: number, most: number): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined
}

function isDay(text: string): boolean {
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}
