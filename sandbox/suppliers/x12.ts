/**
 * EDI documents of ASC X12 version 004010 on the suppliers' side: purchase orders (850) are read and checked, and
 * acknowledgments (855), ship notices (856), inventories (846), and functional acknowledgments (997) are written.
 * https://x12.org/products/transaction-sets
 */
import type { LineAnswer, OrderLine, ReadOrder } from './documents.ts'

/** A segment's tag and elements. */
type Segment = readonly string[]

/** An interchange with the header elements that answers repeat. */
export type Interchange = {
  sender: string
  receiver: string
  isTest: boolean
  group: string
  groupControl: string
  set: string
  setControl: string
  /** Between ST and SE. */
  segments: readonly Segment[]
}

/** Splits a document by the delimiters that its ISA segment defines. */
function segmentsOf(text: string): Segment[] | undefined {
  if (!text.startsWith('ISA') || text.length < 106) return undefined
  const [element = '*', terminator = '~'] = [text[3], text[105]]
  return text
    .split(terminator)
    .map((segment) => segment.trim())
    .filter(Boolean)
    .map((segment) => segment.split(element))
}

/**
 * Reads an interchange with one group and one transaction set. Undefined unless every header has its trailer with the
 * right count and control number, as X12.5 and X12.6 require.
 */
export function readX12(text: string): Interchange | undefined {
  const all = segmentsOf(text)
  if (!all || all.length < 6) return undefined
  const [isa, gs, st] = all
  const segments = all.slice(3, -3)
  const ends = all.slice(-3).map((segment) => segment.join(' '))
  const expected = [
    `SE ${segments.length + 2} ${valueOf(st, 2)}`,
    `GE 1 ${valueOf(gs, 6)}`,
    `IEA 1 ${valueOf(isa, 13)}`,
  ]
  const heads = `${valueOf(isa, 0)} ${valueOf(isa, 12)} ${valueOf(gs, 0)} ${valueOf(gs, 8)} ${valueOf(st, 0)}`
  if (heads !== 'ISA 00401 GS 004010 ST' || isa?.length !== 17 || ends.join() !== expected.join()) return undefined
  return {
    sender: valueOf(isa, 6),
    receiver: valueOf(isa, 8),
    isTest: valueOf(isa, 15) === 'T',
    group: valueOf(gs, 1),
    groupControl: valueOf(gs, 6),
    set: valueOf(st, 1),
    setControl: valueOf(st, 2),
    segments,
  }
}

const valueOf = (segment: Segment | undefined, position: number) => segment?.[position]?.trim() ?? ''

/** Reads an 850, or its cancellation; undefined without a number, a recipient, or lines. */
export function readOrder850({ set, segments, sender, receiver }: Interchange): ReadOrder | undefined {
  const find = (tag: string, first?: string) =>
    segments.find((segment) => segment[0] === tag && (first === undefined || segment[1] === first))
  const begin = find('BEG')
  const [, purpose, , number, , date] = begin ?? []
  const name = find('N1', 'ST')?.[2]
  const lines = segments
    .filter(([tag]) => tag === 'PO1')
    .map(([, lineNo, quantity, unit, , , qualifier, sku, other, part]): OrderLine | undefined =>
      unit === 'EA' && qualifier === 'VP' && Number(quantity) > 0 && sku
        ? { lineNo: Number(lineNo), sku, ...(other === 'MG' && part ? { part } : {}), quantity: Number(quantity) }
        : undefined,
    )
    .filter((line) => line !== undefined)
  const count = Number(find('CTT')?.[1])
  const isKnown = set === '850' && (purpose === '00' || purpose === '01')
  if (!isKnown || !number || !date || !name || lines.length === 0 || count !== lines.length) return undefined
  const payloadId = `x12 ${receiver} ${number}`
  return {
    payloadId,
    orderId: number,
    orderDate: date,
    type: purpose === '01' ? 'delete' : 'new',
    withdraws: purpose === '01' ? payloadId : null,
    buyer: sender,
    supplier: receiver,
    secret: '',
    name,
    isWhole: find('CSH', 'SC') !== undefined,
    lines,
  }
}

type Stamp = { from: string; to: string; control: number; at: Temporal.Instant; isTest: boolean }

/** An interchange around one transaction set. */
function interchange(
  { from, to, control, at, isTest }: Stamp,
  { group, set, segments }: { group: string; set: string; segments: readonly Segment[] },
): string {
  const time = at.toZonedDateTimeISO('UTC')
  const day = dayText(time.toPlainDate())
  const clock = time.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')
  const number = String(control).padStart(9, '0')
  const qualifier = (id: string) => (/^\d{9}$/.test(id) ? '01' : 'ZZ')
  const pad = (text: string, length: number) => text.padEnd(length)
  const all: Segment[] = [
    [
      'ISA',
      '00',
      pad('', 10),
      '00',
      pad('', 10),
      qualifier(from),
      pad(from, 15),
      qualifier(to),
      pad(to, 15),
      day.slice(2),
      clock,
      'U',
      '00401',
      number,
      '0',
      isTest ? 'T' : 'P',
      '>',
    ],
    ['GS', group, from, to, day, clock, String(control), 'X', '004010'],
    ['ST', set, '0001'],
    ...segments,
    ['SE', String(segments.length + 2), '0001'],
    ['GE', '1', String(control)],
    ['IEA', '1', number],
  ]
  return all.map((segment) => `${segment.slice(0, segment.findLastIndex(Boolean) + 1).join('*')}~\n`).join('')
}

const dayText = (day: Temporal.PlainDate) => day.toString().replaceAll('-', '')

/** Acknowledges a received document, or rejects it. */
export function acknowledgment997(
  stamp: Stamp,
  { group, groupControl, set, setControl }: Pick<Interchange, 'group' | 'groupControl' | 'set' | 'setControl'>,
  isAccepted: boolean,
): string {
  return interchange(stamp, {
    group: 'FA',
    set: '997',
    segments: [
      ['AK1', group, groupControl],
      ['AK2', set, setControl],
      isAccepted ? ['AK5', 'A'] : ['AK5', 'R', '5'],
      ['AK9', isAccepted ? 'A' : 'R', '1', '1', isAccepted ? '1' : '0'],
    ],
  })
}

type Answered = {
  orderId: string
  /** The supplier's order number. */
  reference: string
  lines: readonly LineAnswer[]
  deliveryOn: Temporal.PlainDate
  words: string | null
  /** The part number of the tire that it would ship instead. */
  substitute?: string
}

/** Answers an order line by line, or as a whole if it is accepted or rejected completely. */
export function confirmation855(stamp: Stamp, { orderId, reference, ...answered }: Answered): string {
  const { lines, deliveryOn, words, substitute } = answered
  const day = dayText(stamp.at.toZonedDateTimeISO('UTC').toPlainDate())
  const isFilled = lines.every(({ filled, quantity }) => filled === quantity)
  const isRejected = lines.every(({ rejected, quantity }) => rejected === quantity)
  const type = substitute !== undefined ? 'AC' : isFilled ? 'AD' : isRejected ? 'RD' : 'AC'
  const ack = (code: string, quantity: number, on: Temporal.PlainDate | null, part?: string): Segment => [
    'ACK',
    code,
    String(quantity),
    'EA',
    ...(on === null ? ['', ''] : ['067', dayText(on)]),
    '',
    ...(part === undefined ? [] : ['VP', part]),
  ]
  const items = lines.flatMap((line): Segment[] => [
    ['PO1', String(line.lineNo), String(line.quantity), 'EA', '', '', 'VP', line.sku],
    ...(substitute !== undefined
      ? [ack('IS', line.quantity, deliveryOn, substitute)]
      : [
          ...(line.filled > 0 ? [ack('IA', line.filled, deliveryOn)] : []),
          ...(line.rejected > 0 ? [ack('IR', line.rejected, null)] : []),
          ...(line.backordered > 0 ? [ack('IB', line.backordered, deliveryOn.add({ days: 21 }))] : []),
        ]),
  ])
  const note: Segment[] =
    words === null
      ? []
      : [
          ['N9', 'L1', '', 'Note'],
          ['MSG', words],
        ]
  return interchange(stamp, {
    group: 'PR',
    set: '855',
    segments: [
      ['BAK', '00', type, orderId, day, '', '', '', reference],
      ...note,
      ...items,
      ['CTT', String(lines.length)],
    ],
  })
}

/** A tire's units, by the store's SKU, in a warehouse with the store's code. */
export type InventoryLine = { sku: string; part: string; warehouse: string; units: number }

/** Lists the available units by SKU and warehouse (QTY 33). */
export function inventory846(stamp: Stamp, lines: readonly InventoryLine[]): string {
  const time = stamp.at.toZonedDateTimeISO('UTC')
  const clock = time.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')
  return interchange(stamp, {
    group: 'IB',
    set: '846',
    segments: [
      ['BIA', '00', 'MB', String(stamp.control), dayText(time.toPlainDate()), clock],
      ...lines.flatMap(({ sku, part, warehouse, units }, index): Segment[] => [
        ['LIN', String(index + 1), 'SK', sku, 'MG', part],
        ['QTY', '33', String(units), 'EA'],
        ['N1', 'WH', '', '92', warehouse],
      ]),
      ['CTT', String(lines.length)],
    ],
  })
}

/** Announces a shipment of one order, with an item level per line. */
export function shipNotice856(
  stamp: Stamp,
  {
    orderId,
    shipmentId,
    tracking,
    lines,
    deliveryOn,
  }: {
    orderId: string
    shipmentId: string
    tracking: string
    lines: readonly OrderLine[]
    deliveryOn: Temporal.PlainDate
  },
): string {
  const time = stamp.at.toZonedDateTimeISO('UTC')
  const day = dayText(time.toPlainDate())
  const clock = time.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')
  return interchange(stamp, {
    group: 'SH',
    set: '856',
    segments: [
      ['BSN', '00', shipmentId, day, clock, '0001'],
      ['HL', '1', '', 'S'],
      ['TD5', 'B', '2', 'SMPL', 'M', 'Sample Freight'],
      ['REF', 'CN', tracking],
      ['DTM', '011', day],
      ['DTM', '017', dayText(deliveryOn)],
      ['HL', '2', '1', 'O'],
      ['PRF', orderId],
      ...lines.flatMap(({ lineNo, sku, quantity }, index): Segment[] => [
        ['HL', String(index + 3), '2', 'I'],
        ['LIN', String(lineNo), 'VP', sku],
        ['SN1', '', String(quantity), 'EA'],
      ]),
      ['CTT', String(lines.length + 2)],
    ],
  })
}
