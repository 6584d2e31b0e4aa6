/**
 * Reads EDI documents from suppliers (ASC X12 version 004010). These are acknowledgments (855), ship notices (856), and
 * functional acknowledgments (997). https://x12.org/products/transaction-sets
 */
import { X12Interchange, X12Parser, type X12Segment, type X12Transaction } from 'node-x12'
import type {
  EdiMessage,
  LineAnswer,
  MessageContent,
  SupplierConfirmation,
  SupplierShipNotice,
} from '#domain/supply/stock/supplier.port.ts'
import { numberOf, type AcknowledgedGroup, type AcknowledgedSet, type X12Parties } from './x12-write.ts'

/** The most characters of a document that is read. */
export const maxDocumentLength = 256 * 1024

/** A received interchange. `acknowledged` has its groups, without those that are acknowledgments themselves. */
export type ReadInterchange = {
  control: number
  messages: EdiMessage[]
  acknowledged: AcknowledgedGroup[]
}

/** Reads a document from `sender` to `receiver`. Undefined for anything else, and for a document that was cut off. */
export function readInterchange(
  text: string,
  { sender, receiver }: Pick<X12Parties, 'sender' | 'receiver'>,
): ReadInterchange | undefined {
  const interchange = parse(text)
  if (!interchange || at(interchange.header, 6) !== sender || at(interchange.header, 8) !== receiver) return undefined
  const control = Number(at(interchange.header, 13))
  const stamp = `${at(interchange.header, 9)}${at(interchange.header, 10)}-${control}`
  const read: ReadInterchange = { control, messages: [], acknowledged: [] }
  for (const group of interchange.functionalGroups) {
    const sets: AcknowledgedSet[] = []
    for (const set of group.transactions) {
      const kind = at(set.header, 1)
      const number = at(set.header, 2)
      const found = messagesOf(kind, set)
      sets.push({ kind, control: number, isRead: found !== undefined })
      const base = `x12-${stamp}-${at(group.header, 6)}-${number}`
      const several = (found?.length ?? 0) > 1
      for (const [index, message] of (found ?? []).entries())
        read.messages.push({
          ...message,
          networkId: sender,
          payloadId: several ? `${base}-${index + 1}` : base,
        })
    }
    const kind = at(group.header, 1)
    if (kind !== 'FA') read.acknowledged.push({ kind, control: at(group.header, 6), sets })
  }
  return read
}

/** Parses one whole interchange. The parser accepts a document without its last segments. */
function parse(text: string): X12Interchange | undefined {
  if (text.length > maxDocumentLength) return undefined
  try {
    const parsed = new X12Parser(true).parse(text)
    if (!(parsed instanceof X12Interchange)) return undefined
    const groups = parsed.functionalGroups
    const parts = [parsed, ...groups, ...groups.flatMap(({ transactions }) => transactions)]
    return groups.length > 0 && parts.every(({ trailer }) => isSegment(trailer)) ? parsed : undefined
  } catch {
    return undefined
  }
}

const isSegment = (segment: X12Segment | undefined) => segment !== undefined && segment.tag !== ''

/** An element of a segment, counted from 1; empty if it is missing. */
function at(segment: X12Segment | undefined, position: number): string {
  return segment?.elements[position - 1]?.value.trim() ?? ''
}

type FoundMessage = MessageContent & { orderNumber: string }

/** The messages of a transaction set; undefined if it has another form or kind. */
function messagesOf(kind: string, { segments }: X12Transaction): FoundMessage[] | undefined {
  if (kind === '855') return confirmationOf(segments)
  if (kind === '856') return shipNoticesOf(segments)
  if (kind === '997') return refusalOf(segments)
  return undefined
}

/** An order that the supplier's system could not read is rejected. */
function refusalOf(segments: readonly X12Segment[]): FoundMessage[] {
  const [group, result] = [segments.find(({ tag }) => tag === 'AK1'), segments.find(({ tag }) => tag === 'AK9')]
  const orderNumber = at(group, 1) === 'PO' ? numberOf(Number(at(group, 2))) : undefined
  if (orderNumber === undefined || !['R', 'M', 'W', 'X'].includes(at(result, 1))) return []
  const words = 'Their system can’t read the order (997).'
  return [{ kind: 'confirmation', orderNumber, reference: null, lines: [], rest: 'rejected', deliveryOn: null, words }]
}

/** BAK02: how the order as a whole is answered. AC and AD answer by line. */
const restOf: Readonly<Record<string, SupplierConfirmation['rest']>> = {
  AC: null,
  AD: null,
  AE: null,
  AK: 'filled',
  AT: 'filled',
  RD: 'rejected',
  RJ: 'rejected',
}

function confirmationOf(segments: readonly X12Segment[]): FoundMessage[] | undefined {
  const head = segments.find(({ tag }) => tag === 'BAK')
  const kind = at(head, 2)
  const orderNumber = at(head, 3)
  if (orderNumber === '' || !Object.hasOwn(restOf, kind)) return undefined
  const lines: LineAnswer[] = []
  const words = segments.filter(({ tag }) => tag === 'MSG').map((segment) => at(segment, 1))
  for (const [first, ...rest] of loopsOf(segments, 'PO1')) {
    const line = lineOf(first, rest)
    if (!line) return undefined
    const { words: ofLine, ...answer } = line
    if (answer.filled + answer.rejected + answer.backordered > 0) lines.push(answer)
    words.push(...ofLine)
  }
  return [
    {
      kind: 'confirmation',
      orderNumber,
      reference: at(head, 8) || null,
      lines,
      rest: restOf[kind] ?? null,
      deliveryOn: latestDay(segments),
      words: words.join(' ').slice(0, 200) || null,
    },
  ]
}

/** Line answers by ACK01. Units on hold have no answer yet. */
const lineStates: Readonly<Record<string, keyof Omit<LineAnswer, 'lineNo'>>> = {
  AC: 'filled',
  AR: 'filled',
  DR: 'filled',
  IA: 'filled',
  IC: 'filled',
  IP: 'filled',
  IQ: 'filled',
  IB: 'backordered',
  IW: 'backordered',
  ID: 'rejected',
  IR: 'rejected',
  // Another tire may not fit.
  IS: 'rejected',
}

/** The answer to a line, with notes for staff; undefined for another form. */
function lineOf(
  po1: X12Segment | undefined,
  details: readonly X12Segment[],
): (LineAnswer & { words: string[] }) | undefined {
  const lineNo = Number(at(po1, 1))
  const ordered = Number(at(po1, 2))
  if (!isCount(lineNo) || !isCount(ordered)) return undefined
  const line = { lineNo, filled: 0, rejected: 0, backordered: 0, words: [] as string[] }
  for (const ack of details.filter(({ tag }) => tag === 'ACK')) {
    const code = at(ack, 1)
    const quantity = at(ack, 2) === '' ? ordered : Number(at(ack, 2))
    if (!isCount(quantity) && quantity !== 0) return undefined
    if (code === 'BP') {
      // Ships in part; the rest is backordered.
      line.filled += quantity
      line.backordered += Math.max(0, ordered - quantity)
      continue
    }
    const state = /^R[1-8]$/.test(code) ? 'rejected' : lineStates[code]
    if (!state) continue
    line[state] += quantity
    if (code === 'IS') line.words.push(`They offer ${at(ack, 8) || 'another tire'} instead of line ${lineNo}.`)
    if (code === 'IP') line.words.push(`Line ${lineNo} has another price.`)
  }
  return line
}

const isCount = (count: number) => Number.isInteger(count) && count > 0 && count <= 100_000

function shipNoticesOf(segments: readonly X12Segment[]): FoundMessage[] | undefined {
  const shipmentId = at(
    segments.find(({ tag }) => tag === 'BSN'),
    2,
  )
  const loops = [...loopsOf(segments, 'HL')]
  const shipment = loops.find(([hl]) => at(hl, 3) === 'S') ?? []
  const orders = loops
    .filter(([hl]) => at(hl, 3) === 'O')
    .map((loop) =>
      at(
        loop.find(({ tag }) => tag === 'PRF'),
        1,
      ),
    )
  if (shipmentId === '' || orders.length === 0 || orders.includes('')) return undefined
  const notice: SupplierShipNotice = {
    shipmentId: shipmentId.slice(0, 40),
    tracking: trackingOf(shipment),
    deliveryOn: latestDay(shipment),
  }
  return orders.map((orderNumber) => ({ kind: 'ship-notice', orderNumber, ...notice }))
}

/** The carrier and its number, as the supplier writes them. */
function trackingOf(shipment: readonly X12Segment[]): string | null {
  const routing = shipment.find(({ tag }) => tag === 'TD5')
  const number = shipment.find((segment) => segment.tag === 'REF' && ['2I', 'CN'].includes(at(segment, 1)))
  return [at(routing, 5) || at(routing, 3), at(number, 2)].filter((part) => part !== '').join(' ') || null
}

/** The segments of each loop, which begins with a segment of this tag. Ends before the summary. */
function* loopsOf(segments: readonly X12Segment[], tag: string): Generator<X12Segment[]> {
  let loop: X12Segment[] | undefined
  for (const segment of segments) {
    if (segment.tag === tag || segment.tag === 'CTT') {
      if (loop) yield loop
      loop = segment.tag === tag ? [segment] : undefined
    } else loop?.push(segment)
  }
  if (loop) yield loop
}

/** The latest delivery day in dates (017 estimated, 067 current schedule) and line answers. */
function latestDay(segments: readonly X12Segment[]): string | null {
  const days = segments.flatMap((segment) => {
    const [kind, day] =
      segment.tag === 'DTM'
        ? [at(segment, 1), at(segment, 2)]
        : segment.tag === 'ACK'
          ? [at(segment, 4), at(segment, 5)]
          : ['', '']
    return ['017', '067'].includes(kind) ? dayOf(day) : []
  })
  return days.toSorted().at(-1) ?? null
}

function dayOf(text: string): string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  try {
    return [Temporal.PlainDate.from(`${year}-${month}-${day}`).toString()]
  } catch {
    return []
  }
}
