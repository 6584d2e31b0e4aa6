/**
 * Removes invisible characters from text that people and programs send: those that control a terminal, or change a
 * line's reading direction so that it appears to say something else (CWE-150, CVE-2021-42574). Line endings, tabs,
 * accents, right-to-left scripts, and the joiners inside emoji and words stay.
 */

/**
 * The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm; annotations and the byte order
 * mark.
 */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g
/** The above plus C0 except tab and line feed, DEL, and C1. */
const steering = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g

/** Apostrophes and hyphens written by keyboards and word processors instead of the US keyboard's. */
const apostrophes = /[\u2018\u2019\u201b\u02bc\u00b4\uff07]/g
const hyphens = /[\u2010\u2011\ufe63\uff0d]/g

/**
 * Normalizes text to common keyboard input, with composed letters (NFC) and one kind of apostrophe and hyphen, so that
 * a name matches the same patterns and searches from every device. An iPhone writes "O’Brien"; macOS file names and
 * some clients send "é" as two characters. Dashes between parts of a sentence stay.
 */
export function normalizeTyping(text: string): string {
  return text.normalize('NFC').replaceAll(apostrophes, "'").replaceAll(hyphens, '-')
}

/** Returns text that is safe to store, without these characters and lone surrogates, and with `\n` line endings. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029\x85]/g, '\n')
    .replaceAll(steering, '')
    .toWellFormed()
}

/** Text without direction controls, for where control characters are refused rather than dropped. */
export function withoutDirections(text: string): string {
  return text.replaceAll(directions, '')
}

/** Returns text that is safe to print or email. Control characters are escaped, as in `\u{1b}`. Line breaks stay. */
export function visibleText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(steering, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)
}

/** Returns the same in one line, so that user text can't imitate our lines. */
export function visibleLine(text: string): string {
  return visibleText(text.replaceAll(/[\r\n\u2028\u2029\x85]+/g, ' '))
}

/** Returns a line of JSON with these characters escaped. It has the same meaning, without effects on a terminal. */
export function visibleJson(line: string): string {
  return line.replaceAll(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}
