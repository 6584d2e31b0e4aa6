/**
 * Streams a feed's bytes as rows, unpacked, checked for UTF-8 (or XML in UTF-16), parsed as CSV, X12, ACES or PIES, and with a checked header. Holds only a
 * few rows in memory, and stops at the first byte or row beyond the limits, so that a small packed file cannot unpack
 * to a large one.
 */
import { pipeline, Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { feedLimits, type FeedLimits } from './catalog-import.ts'
import type { Feed, Problem, XmlStandard } from './feed.ts'
import { checkHeader } from './header.ts'
import { acesRows } from './aces-rows.server.ts'
import { piesRows } from './pies-rows.server.ts'
import { isXml, UnreadableXml } from './xml-rows.server.ts'
import { isX12, UnreadableX12, x12InventoryRows } from './x12-inventory.server.ts'
import { uploadedCsv } from '#platform/csv-text.ts'
import { countOf } from '#platform/count-text.ts'

/** The source of a feed. Opened twice, to identify the file when resuming and to read it. */
export type FeedSource = { name: string; open(): Readable }

/** `rowNo` counts like a spreadsheet. The header is row 1. */
export type FeedRow = { rowNo: number } & ({ cells: Record<string, string> } | { problem: Problem })

/** Thrown when a file becomes unreadable; data after that position can't be trusted. */
export class UnreadableFeed extends Error {
  readonly rowNo: number
  readonly problems: readonly Problem[]

  constructor(rowNo: number, problems: readonly Problem[]) {
    super('the feed cannot be read')
    this.rowNo = rowNo
    this.problems = problems
  }
}

/** A longer row has an unclosed quote. */
const longestRow = 65_536

/** A packed file may exceed the ratio up to this size, because a few hundred equal lines aren't a zip bomb. */
const freeUnpackedBytes = 512 * 1024

/**
 * Yields rows in file order, at least one; empty ones are skipped but counted. Throws `UnreadableFeed`, also where the
 * file exceeds `limits`.
 */
export async function* readRows(
  source: FeedSource,
  feed: Feed,
  limits: FeedLimits = feedLimits,
): AsyncGenerator<FeedRow> {
  let rowNo = 0
  let rows = 0
  let columns: readonly string[] | undefined
  const read = feed.file?.makeReader()
  try {
    for await (const record of await openRecords(source, feed, limits)) {
      rowNo++
      if (rowNo > limits.maxRows) throw new LimitExceeded('rows')
      if (columns === undefined) {
        const header = feed.file ?? checkHeader(record, feed)
        if ('problems' in header) throw new UnreadableFeed(1, header.problems)
        columns = header.columns
      } else if (record.some((cell) => cell.trim() !== '')) {
        const row = toFeedRow(record, columns, feed, read)
        if (row === null) continue
        rows++
        yield { rowNo, ...row }
      }
    }
  } catch (error) {
    throw asUnreadable(error, rowNo + 1, limits)
  }
  if (columns === undefined)
    throw new UnreadableFeed(1, [
      { column: '', value: '', problem: 'the file is empty', expected: 'a header and rows' },
    ])
  if (rows === 0)
    throw new UnreadableFeed(2, [
      { column: '', value: '', problem: 'the file has no rows', expected: 'rows below the header' },
    ])
}

/** The first `count` rows of a file, the header among them, as long as they can be read. */
export async function peekRows(
  source: FeedSource,
  feed: Pick<Feed, 'xml'>,
  count: number,
  limits: FeedLimits = feedLimits,
): Promise<string[][]> {
  const records: string[][] = []
  try {
    for await (const record of await openRecords(source, feed, limits)) {
      records.push(record)
      if (records.length >= count) break
    }
  } catch (error) {
    if (asUnreadable(error, 1, limits) === error) throw error
  }
  return records
}

const xmlReaders: Readonly<Record<XmlStandard, () => Transform>> = { aces: acesRows, pies: piesRows }

/** Errors in the bytes surface at the parser, because a pipeline destroys all its streams with the one error. */
async function openRecords(
  source: FeedSource,
  { xml = 'aces' }: Pick<Feed, 'xml'>,
  limits: FeedLimits,
): Promise<AsyncIterable<string[]>> {
  const unpacked = await unpack(source.open(), limits)
  const [start, whole] = await peekBytes(await decodeUtf16(unpacked), 4)
  return pipeline(
    whole,
    asUtf8(),
    isX12(start)
      ? x12InventoryRows()
      : isXml(start)
        ? xmlReaders[xml]()
        : parse({ ...uploadedCsv, relax_column_count: true, max_record_size: longestRow }),
    () => {},
  )
}

/** Returns XML in UTF-16 as UTF-8, and other files unchanged. */
async function decodeUtf16(stream: Readable): Promise<Readable> {
  const [start, whole] = await peekBytes(stream, 4)
  const encoding = utf16Starts.find(([, pattern]) => pattern.test(start.toString('latin1')))?.[0]
  if (encoding === undefined) return whole
  const decoder = new TextDecoder(encoding, { fatal: true })
  function decode(this: Transform, bytes?: Buffer): void {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined })
      if (text !== '') this.push(text)
    } catch {
      throw new NotUtf8()
    }
  }
  const decoding = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      attempt(() => decode.call(this, bytes), done)
    },
    flush(done) {
      attempt(() => decode.call(this), done)
    },
  })
  return pipeline(whole, decoding, () => {})
}

/** The start of XML with and without a byte order mark. https://www.w3.org/TR/xml/#sec-guessing */
const utf16Starts = [
  ['utf-16le', /^(?:\xff\xfe<\0|<\0\?\0)/],
  ['utf-16be', /^(?:\xfe\xff\0<|\0<\0\?)/],
] as const

/** Returns the first bytes of a stream, and a stream with all of them. */
async function peekBytes(stream: Readable, count: number): Promise<[Buffer, Readable]> {
  const { start, pieces } = await firstBytes(stream, count)
  return [start, Readable.from(putBack(start, pieces, { bytes: 0 }, Infinity), { objectMode: false })]
}

async function firstBytes(stream: Readable, count: number): Promise<{ start: Buffer; pieces: AsyncIterator<Buffer> }> {
  const pieces = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  for (let isMore = true; isMore && start.length < count;) {
    const next = await pieces.next()
    if (next.done) isMore = false
    else start = Buffer.concat([start, next.value])
  }
  return { start, pieces }
}

/** Null for a row of a file with other columns that holds no record. */
function toFeedRow(
  record: readonly string[],
  columns: readonly string[],
  feed: Feed,
  read: ReturnType<NonNullable<Feed['file']>['makeReader']> | undefined,
): { cells: Record<string, string> } | { problem: Problem } | null {
  const row = toCells(record, columns)
  if ('problem' in row) return row
  const cells = read ? read(row.cells) : row.cells
  const missing = Object.fromEntries(feed.columns.map((column): [string, string] => [column, '']))
  return cells && { cells: { ...missing, ...cells } }
}

function toCells(
  record: readonly string[],
  columns: readonly string[],
): { cells: Record<string, string> } | { problem: Problem } {
  const isLonger = record.length > columns.length && record.slice(columns.length).some((cell) => cell.trim() !== '')
  if (record.length < columns.length || isLonger) {
    const value = record.join(',').slice(0, 100)
    return {
      problem: {
        column: '',
        value,
        problem: `has ${countOf(record.length, 'cell')}`,
        expected: `${countOf(columns.length, 'cell')}, as the header has`,
      },
    }
  }
  const cells: Record<string, string> = {}
  for (const [index, column] of columns.entries()) cells[column] = record[index]?.trim() ?? ''
  return { cells }
}

/** Gzip is detected by the first two bytes, whatever the file is called. */
async function unpack(stream: Readable, limits: FeedLimits): Promise<Readable> {
  const { start, pieces } = await firstBytes(stream, 2)
  const read = { bytes: 0 }
  const isPacked = start[0] === 0x1f && start[1] === 0x8b
  const most = isPacked ? Infinity : limits.maxUnpackedBytes
  const whole = Readable.from(putBack(start, pieces, read, most), { objectMode: false })
  return isPacked ? pipeline(whole, createGunzip(), withinLimits(limits, read), () => {}) : whole
}

/** Yields `start` and the other pieces, counting them in `read`. Throws `LimitExceeded` after `most` bytes. */
async function* putBack(
  start: Buffer,
  pieces: AsyncIterator<Buffer>,
  read: { bytes: number },
  most: number,
): AsyncGenerator<Buffer> {
  read.bytes = start.length
  if (start.length > 0) yield start
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    read.bytes += next.value.length
    if (read.bytes > most) throw new LimitExceeded('bytes')
    yield next.value
  }
}

class LimitExceeded extends Error {
  readonly limit: 'rows' | 'bytes' | 'ratio'

  constructor(limit: LimitExceeded['limit']) {
    super(limit)
    this.limit = limit
  }
}

/** Passes unpacked bytes as long as they are within the limits, compared with the packed bytes read so far. */
function withinLimits({ maxUnpackedBytes, maxPackingRatio }: FeedLimits, packed: { bytes: number }): Transform {
  let total = 0
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      total += bytes.length
      if (total > maxUnpackedBytes) done(new LimitExceeded('bytes'))
      else if (total > freeUnpackedBytes && total > packed.bytes * maxPackingRatio) done(new LimitExceeded('ratio'))
      else done(null, bytes)
    },
  })
}

/** Passes only valid UTF-8, so that names garbled by another encoding can't be published. */
function asUtf8(): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  function check(bytes?: Buffer): void {
    try {
      // UTF-16 without a byte order mark is valid UTF-8 full of null characters.
      if (!decoder.decode(bytes, { stream: bytes !== undefined }).includes('\0')) return
    } catch {
      // Reported below.
    }
    throw new NotUtf8()
  }
  return new Transform({
    transform: (bytes: Buffer, _encoding, done) => attempt(() => check(bytes), done, bytes),
    flush: (done) => attempt(() => check(), done),
  })
}

class NotUtf8 extends Error {}

function attempt(work: () => void, done: (error?: Error | null, bytes?: Buffer) => void, bytes?: Buffer): void {
  try {
    work()
  } catch (error) {
    done(error as Error)
    return
  }
  done(null, bytes)
}

function limitMessages({ maxRows, maxUnpackedBytes, maxPackingRatio }: FeedLimits) {
  const rows = countOf(maxRows, 'row')
  const megabytes = `${Math.floor(maxUnpackedBytes / 1024 ** 2).toLocaleString('en-US')} MB`
  return {
    rows: [`the file has more than ${rows}`, `at most ${rows} in a file: split it`],
    bytes: [`the file is larger than ${megabytes}`, `at most ${megabytes} after unpacking: split it`],
    ratio: [
      `the packed file unpacks to more than ${countOf(maxPackingRatio, 'time')} its size`,
      'a .gz file of a table, or the same file unpacked',
    ],
  } satisfies Record<LimitExceeded['limit'], [string, string]>
}

function asUnreadable(error: unknown, nextRow: number, limits: FeedLimits): unknown {
  const faultIn = (rowNo: number) => (problem: string, expected: string) =>
    new UnreadableFeed(rowNo, [{ column: '', value: '', problem, expected }])
  const fault = faultIn(nextRow)
  if (error instanceof LimitExceeded) return fault(...limitMessages(limits)[error.limit])
  if (error instanceof NotUtf8)
    return fault('the file is not UTF-8 text', 'a file saved as "CSV UTF-8", here or within the next thousand rows')
  if (error instanceof UnreadableX12)
    return fault('the EDI document can’t be read', 'a whole X12 846 with part numbers and quantities')
  if (error instanceof UnreadableXml) return faultIn(error.rowNo)(error.message, error.expected)
  if (error instanceof CsvError) {
    // Earlier rows in the same chunk were parsed, but are not yielded.
    const rowNo = typeof error.records === 'number' ? error.records + 1 : nextRow
    const fault = faultIn(rowNo)
    return error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? fault(
          'a quote that opens here or later is not closed',
          `every quote closed, and no row longer than ${countOf(longestRow, 'character')}`,
        )
      : fault('a quote stands inside a cell', 'a cell with a quote in it as a whole in quotes, and the quote doubled')
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code === 'string' && code.startsWith('Z_'))
    return fault('the packed file is damaged or ends too early', 'a whole .gz file')
  return error
}
