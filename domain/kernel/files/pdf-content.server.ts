/**
 * Detects active content in uploaded PDFs, such as scripts, launch actions and embedded files. Instead of following the
 * file's structure, which every viewer repairs differently, it searches for the names active content requires (ISO
 * 32000-2, 12.6.4 and 7.11.4), in the raw bytes and in everything that can be decompressed. So neither a wrong table,
 * an older revision nor an object stream hides them.
 */
import { constants, createInflateRaw } from 'node:zlib'

export type PdfFault = 'active-content' | 'unreadable'

/** Long enough not to occur in pictures by chance. Without one of these, `/JS` and `/AA` have no effect. */
const activeNames = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'Rendition',
  'RichMedia',
  'RichMediaExecute',
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'XFA',
])
/** Ways to write a stream that we do not decode. Programs do not use them for streams of objects. */
const textFilters = ['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'RunLengthDecode', 'Crypt']
/** A page scanned at 300 dots an inch takes 26 MB. */
const maxUnpackedBytes = 32 * 1024 * 1024
/** A file of 1 MB has hundreds. */
const maxStreams = 5_000
/** More than the dictionary of a stream. */
const dictionaryLength = 16_384
const otherNames = ['Encrypt', 'OpenAction', 'URI', 'ObjStm', 'XRef', 'XRefStm', 'DecodeParms', 'DP']
const knownNames: ReadonlySet<string> = new Set([...activeNames, ...textFilters, ...otherNames])

/**
 * Returns why a PDF is not safe to open, or undefined. `unreadable`: it is encrypted or damaged, unpacks to more than
 * 32 MB, or holds objects in a form that no program writes.
 */
export async function findPdfFault(bytes: Uint8Array): Promise<PdfFault | undefined> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('latin1')
  const outside = namesIn(text)
  const { names } = outside
  if (names.has('Encrypt')) return 'unreadable'
  if (isActive(outside)) return 'active-content'
  const hasObjectStreams = ['ObjStm', 'XRef', 'XRefStm'].some((name) => names.has(name))
  if (hasObjectStreams && textFilters.some((name) => names.has(name))) return 'unreadable'
  let [left, streams] = [maxUnpackedBytes, 0]
  for (const { index, 0: head } of text.matchAll(/stream(?:\r\n|\r|\n)/g)) {
    const data = buffer.subarray(index + head.length)
    if (!isPacked(data)) continue
    streams++
    const before = text.slice(Math.max(0, index - dictionaryLength), index)
    const unpacked = await unpack(data, left)
    left -= unpacked.text.length
    const isDamaged = unpacked.isDamaged && /\/(?:FlateDecode|Fl)\b|\/#/.test(before)
    if (isDamaged || left <= 0 || streams > maxStreams || isPredicted(before)) return 'unreadable'
    if (isActive(namesIn(unpacked.text))) return 'active-content'
  }
  return undefined
}

/** The relevant names, and the value of each `OpenAction`, which an updated document repeats. */
type Found = { names: Set<string>; openings: string[] }

/** `#4A` is another way to write `J`. */
function namesIn(text: string): Found {
  const found: Found = { names: new Set(), openings: [] }
  for (const { 1: written = '', index, 0: whole } of text.matchAll(/\/([\w#]{1,80})/g)) {
    const name = written.includes('#')
      ? written.replaceAll(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      : written
    if (!knownNames.has(name)) continue
    found.names.add(name)
    const end = index + whole.length
    if (name === 'OpenAction') found.openings.push(text.slice(end, end + 60))
  }
  return found
}

/**
 * Returns whether any name indicates active content. An open action can be a harmless destination, as an array or, in
 * documents without links, as a separate object.
 */
function isActive({ names, openings }: Found): boolean {
  return (
    [...names].some((name) => activeNames.has(name)) ||
    !openings.every((next) => /^\s*\[/.test(next) || (!names.has('URI') && /^\s*\d{1,10}\s+\d{1,5}\s+R/.test(next)))
  )
}

/** Returns whether data starts with a zlib header (RFC 1950). */
function isPacked(data: Buffer): boolean {
  const [first = 0, second = 0] = data
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

/** What data unpacks to, up to a little more than `limit` bytes. Damaged: some of it may be missing. */
async function unpack(data: Buffer, limit: number): Promise<{ text: string; isDamaged: boolean }> {
  const pieces: Buffer[] = []
  let [total, isDamaged] = [0, false]
  // Without the header and checksum, which viewers do not insist on either.
  const unpacking = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
  unpacking.end(data.subarray(2))
  try {
    for await (const piece of unpacking as AsyncIterable<Buffer>) {
      pieces.push(piece)
      total += piece.length
      if (total > limit) break
    }
  } catch {
    isDamaged = true
  }
  return { text: Buffer.concat(pieces).toString('latin1'), isDamaged }
}

/**
 * Returns whether the dictionary of a stream indicates a predictor, which mixes its objects' bytes with their neighbors
 * as in images.
 */
function isPredicted(before: string): boolean {
  const { names } = namesIn(before.slice(before.lastIndexOf('obj') + 1))
  return names.has('ObjStm') && (names.has('DecodeParms') || names.has('DP'))
}
