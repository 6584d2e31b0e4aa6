/**
 * Inventory advice (846) of ASC X12 004010 as rows of a stock file. Segments are read while they arrive, so a file of any
 * size needs little memory. https://x12.org/products/transaction-sets
 */
import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** The length of a document's first segment, which defines the delimiters. */
const headerLength = 106
/** A longer segment has no end. */
const longestSegment = 4_096

/** Thrown where a document can't be read. */
export class UnreadableX12 extends Error {}

/** Whether a file is an X12 document. */
export function isX12(start: Buffer): boolean {
  return /^ISA[^\w\s,;]/.test(start.subarray(0, 4).toString('latin1'))
}

/** Qualifiers of part numbers by preference (ours, the supplier's, the manufacturer's). */
const partQualifiers = ['SK', 'BP', 'VP', 'VN', 'MG'] as const

/**
 * Reads text and emits the header and a row per part and warehouse, with its units from SDQ, otherwise the available
 * units (QTY 33), otherwise the units on hand (QTY 17).
 */
export function x12InventoryRows(): Transform {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let delimiters: { element: string; terminator: string } | undefined
  const rows = createReader()
  return new Transform({
    readableObjectMode: true,
    transform(bytes: Buffer, _encoding, done) {
      try {
        rest += decoder.write(bytes)
        if (!delimiters) {
          if (rest.length < headerLength) return done()
          delimiters = { element: rest.charAt(3), terminator: rest.charAt(headerLength - 1) }
          this.push(['sku', 'warehouse', 'on_hand', 'as_of'])
        }
        const parts = rest.split(delimiters.terminator)
        rest = parts.pop() ?? ''
        if (rest.length > longestSegment || parts.some(({ length }) => length > longestSegment))
          throw new UnreadableX12('segment')
        for (const segment of parts)
          for (const row of rows.take(segment.trim().split(delimiters.element))) this.push(row)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      done(rest.trim() === '' && rows.isComplete() ? null : new UnreadableX12('cut off'))
    },
  })
}

type Part = { sku: string; units: string | null; onHand: string | null; warehouse: string | null; isListed: boolean }

function createReader(): { take(segment: readonly string[]): string[][]; isComplete(): boolean } {
  let asOf = ''
  let warehouse = ''
  let isComplete = false
  let part: Part | null = null

  /** The row of a part that has one quantity. */
  function finish(): string[][] {
    const done = part
    part = null
    if (!done || done.isListed || done.sku === '') return []
    const units = done.units ?? done.onHand
    return units === null ? [] : [[done.sku, done.warehouse ?? warehouse, units, asOf]]
  }

  function listed(segment: readonly string[]): string[][] {
    if (!part) return []
    const { sku } = part
    part.isListed = true
    // SDQ01 is the unit and SDQ02 the kind of ID; then warehouses and their units alternate.
    const pairs = segment.slice(3)
    return pairs.flatMap((code, index) =>
      index % 2 === 0 && code !== '' ? [[sku, code, pairs[index + 1] ?? '', asOf]] : [],
    )
  }

  const readers: Readonly<Record<string, (segment: readonly string[]) => string[][]>> = {
    ST([, kind]) {
      if (kind !== '846') throw new UnreadableX12('kind')
      warehouse = ''
      asOf = ''
      return []
    },
    BIA([, , , , day = '', time = '']) {
      asOf = timeOf(day, time)
      return []
    },
    LIN(segment) {
      const rows = finish()
      part = { sku: partNumberOf(segment), units: null, onHand: null, warehouse: null, isListed: false }
      return rows
    },
    QTY([, kind, units = '']) {
      if (part && kind === '33') part.units = units
      if (part && kind === '17') part.onHand = units
      return []
    },
    N1([, kind, , , code = '']) {
      if (kind !== 'WH') return []
      if (part) part.warehouse = code
      else warehouse = code
      return []
    },
    SDQ: listed,
    CTT: finish,
    SE: finish,
    IEA() {
      isComplete = true
      return []
    },
  }
  return {
    isComplete: () => isComplete,
    take(segment) {
      const tag = segment[0] ?? ''
      return Object.hasOwn(readers, tag) ? (readers[tag]?.(segment) ?? []) : []
    },
  }
}

function partNumberOf(segment: readonly string[]): string {
  const found = new Map<string, string>()
  for (let index = 2; index + 1 < segment.length; index += 2) found.set(segment[index] ?? '', segment[index + 1] ?? '')
  return partQualifiers.map((qualifier) => found.get(qualifier)).find((number) => number) ?? ''
}

/** The time of a count in UTC. A day without a time is empty, because the time of the import is closer. */
function timeOf(day: string, time: string): string {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(day) ?? []
  const [, hour, minute] = /^(\d\d)(\d\d)/.exec(time) ?? []
  return year === undefined || hour === undefined ? '' : `${year}-${month}-${date}T${hour}:${minute}:00Z`
}
