/**
 * Documents with attachments come as multipart/related (RFC 2387): the document is one part, the files are the others.
 * The store takes the document and leaves the files unread.
 */
import { mimeTypeOf } from '#http/fields.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type Entity = { bytes: Uint8Array; contentType: string }
type Refusal = Refused<'unreadable', { words: string }>

const maxParts = 20
const maxHeadLength = 4_096

const unreadable = (words: string): Refusal => refused('unreadable', { words })

/**
 * Returns the root part of a multipart/related body. It is the part that `start` names, or else the first. Returns any
 * other body unchanged. Refuses a body that can't be divided, with a message.
 */
export function rootPart(whole: Entity): Outcome<Entity, Refusal> {
  const type = mimeTypeOf(whole.contentType)
  if (!type || type.type !== 'multipart') return ok(whole)
  const boundary = type.params.get('boundary') ?? ''
  if (type.subtype !== 'related' || boundary === '' || boundary.length > 70)
    return unreadable('Only multipart/related with a boundary is read.')
  const parts = partsIn(Buffer.from(whole.bytes.buffer, whole.bytes.byteOffset, whole.bytes.byteLength), boundary)
  if (!parts) return unreadable(`The body parts can’t be read. Send at most ${maxParts}, each with its headers.`)
  const start = type.params.get('start')
  const root = start ? parts.find(({ headers }) => headers.get('content-id') === start) : parts[0]
  if (!root) return unreadable('The body has no part with the document.')
  const bytes = decoded(root.body, headerOf(root, 'content-transfer-encoding', '7bit').toLowerCase())
  return bytes
    ? ok({ bytes, contentType: headerOf(root, 'content-type', '') })
    : unreadable('The Content-Transfer-Encoding of the document is not read.')
}

type Part = { headers: ReadonlyMap<string, string>; body: Buffer }

const headerOf = ({ headers }: Part, name: string, otherwise: string) => headers.get(name) ?? otherwise

/** Undefined if it breaks off, or has a part without headers. */
function partsIn(bytes: Buffer, boundary: string): Part[] | undefined {
  const parts: Part[] = []
  // The first boundary can be at the start of the body, without a preceding line break.
  let at = bytes.indexOf(`--${boundary}`)
  if (at > 0 && bytes[at - 1] !== 0x0a) return undefined
  while (at >= 0) {
    const from = at + boundary.length + 2
    if (bytes.subarray(from, from + 2).equals(Buffer.from('--'))) return parts
    const next = bytes.indexOf(`\n--${boundary}`, from)
    if (next < 0 || parts.length >= maxParts) return undefined
    const part = readPart(bytes.subarray(from, next))
    if (!part) return undefined
    parts.push(part)
    at = next + 1
  }
  return undefined
}

/** `whole` starts after the boundary, with the rest of its line. */
function readPart(whole: Buffer): Part | undefined {
  const head = whole.subarray(0, maxHeadLength).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)
  if (!end) return undefined
  const headers = new Map<string, string>()
  const lines = head
    .slice(0, end.index)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const body = whole.subarray(end.index + end[0].length)
  return { headers, body: body.at(-1) === 0x0d ? body.subarray(0, -1) : body }
}

function decoded(body: Buffer, encoding: string): Buffer | undefined {
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
      return body
    case 'base64':
      return Buffer.from(body.toString('latin1'), 'base64')
    case 'quoted-printable':
      return Buffer.from(
        body
          .toString('latin1')
          .replaceAll(/[ \t]*=\r?\n/g, '')
          .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      )
    default:
      return undefined
  }
}
