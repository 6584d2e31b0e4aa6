/**
 * Counts with their nouns: "1 shop", "1,200 shops", "No shops". Every text that puts a number before a noun uses these
 * functions, so that it reads right for one, and the lint rule `sidewall-counts/counted` finds a text that does not.
 */

// Created once because `toLocaleString` looks up its rules on every call, which takes twenty times as long.
const numbers = new Intl.NumberFormat('en-US')
const plurals = new Intl.PluralRules('en-US')

/** 12345 → "12,345" */
export function countText(count: number): string {
  return numbers.format(count)
}

/** 1 → "1 shop", 1200 → "1,200 shops", 0 → "0 shops". The plural may have other words: "cities and towns". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${pluralForm(count, one, many)}`
}

/** Like `countOf`, but returns "No shops" for zero. For the start of a sentence, a heading, or a cell. */
export function countOrNone(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? `No ${many}` : countOf(count, one, many)
}

/** The words that agree with a count and do not contain it: "is" or "are", "It" or "They". */
export function pluralForm(count: number, one: string, many: string): string {
  return plurals.select(count) === 'one' ? one : many
}
