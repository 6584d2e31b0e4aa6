/**
 * Refuses documents before parsing that are too large, use another encoding, contain declarations (entities, an
 * internal subset), or are deeper or have more elements than an order needs.
 */
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export const mostBytes = 1024 * 1024
const deepest = 30
const mostElements = 5_000
/** Longer than any start tag with its attributes. */
const longestTag = 4_096

type Refusal = Refused<'unreadable', { words: string }>

const unreadable = (words: string): Refusal => refused('unreadable', { words })

/** Returns the text of a document that may be parsed. */
export function precheck(bytes: Uint8Array, contentType: string): Outcome<string, Refusal> {
  if (bytes.length > mostBytes) return unreadable('The document is larger than 1 MB.')
  const charset = /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType.slice(0, 200))?.[1]
  if (charset !== undefined && !isUtf8(charset)) return unreadable('Only UTF-8 is read.')
  const text = decode(bytes)
  if (text === undefined) return unreadable('Only UTF-8 is read.')
  const declared = /^\s*<\?xml[^?>]{0,200}encoding\s*=\s*["']([\w-]{1,40})["']/.exec(text.slice(0, 400))?.[1]
  if (declared !== undefined && !isUtf8(declared)) return unreadable('Only UTF-8 is read.')
  if (text.includes('\0')) return unreadable('The document has characters that XML does not have.')
  const declaration = declarationProblem(text)
  if (declaration !== undefined) return unreadable(declaration)
  const shape = shapeProblem(text)
  return shape === undefined ? ok(text) : unreadable(shape)
}

function isUtf8(name: string): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(name)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Allows one external document type. Its own declarations aren't read. */
function declarationProblem(text: string): string | undefined {
  const own = 'Declarations, entities and internal subsets are not read.'
  if (/<!(?:ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(text)) return own
  const at = text.search(/<!DOCTYPE/i)
  if (at < 0) return undefined
  const end = text.indexOf('>', at)
  if (end < 0 || text.slice(at, end).includes('[')) return own
  return /<!DOCTYPE/i.test(text.slice(end)) ? own : undefined
}

/** Counts elements and how deep they are, without looking at what they are. */
function shapeProblem(text: string): string | undefined {
  let [depth, elements, at] = [0, 0, text.indexOf('<')]
  while (at >= 0) {
    const end = endOfMarkup(text, at)
    if (end < 0) return 'The document ends within a tag.'
    const next = text[at + 1]
    if (next === '/') depth -= 1
    else if (next !== '!' && next !== '?') {
      if (end - at > longestTag) return 'A tag is too long.'
      elements += 1
      if (text[end - 1] !== '/') depth += 1
    }
    if (depth > deepest) return `Elements are nested deeper than ${deepest}.`
    if (elements > mostElements) return `The document has more than ${mostElements} elements.`
    at = text.indexOf('<', end + 1)
  }
  return undefined
}

/** Returns the end of a tag, comment, section, or instruction that starts at `at`. */
function endOfMarkup(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  if (text.startsWith('<![CDATA[', at)) return after(text, ']]>', at + 9)
  return text.startsWith('<?', at) ? after(text, '?>', at + 2) : text.indexOf('>', at)
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found < 0 ? -1 : found + end.length - 1
}
