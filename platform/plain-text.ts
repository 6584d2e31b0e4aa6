/**
 * Text that people and programs send, without what nobody sees: characters that steer a terminal, or turn the direction
 * in which a line is read so that it says something else than it holds (CWE-150, CVE-2021-42574). What people write
 * stays: line ends, tabs, accents, scripts from right to left, and the joiners inside emoji and words.
 */

/**
 * The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm; annotations and the byte order
 * mark.
 */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g
/** These, C0 but tab and line feed, DEL, and C1. */
const steering = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g

/** Text as it may be stored: none of these, line ends as `\n`, no half characters. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029\x85]/g, '\n')
    .replaceAll(steering, '')
    .toWellFormed()
}

/** Text that reads in the order it is written in, for where control characters are refused and not dropped. */
export function withoutDirections(text: string): string {
  return text.replaceAll(directions, '')
}

/**
 * Text as it may be printed or mailed, wherever it comes from: what would steer is shown by its number, as `\u{1b}`.
 * Lines stay lines.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(steering, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)
}

/** The same on one line: nothing that somebody wrote may pass for a line of ours. */
export function visibleLine(text: string): string {
  return visibleText(text.replaceAll(/[\r\n\u2028\u2029\x85]+/g, ' '))
}

/** A line of JSON that shows these as JSON writes them: it has the same meaning, and steers nothing. */
export function visibleJson(line: string): string {
  return line.replaceAll(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}
