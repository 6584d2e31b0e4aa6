/**
 * Writes EDI documents (ASC X12 version 004010). These are purchase orders (850) and functional acknowledgments (997).
 * https://x12.org/products/transaction-sets
 */
import { JSEDINotation, X12Generator } from 'node-x12'
import type { SupplierOrder } from '#domain/supply/stock/supplier.port.ts'

/** The interchange IDs of both sides. `isTest` marks test documents. */
export type X12Parties = { sender: string; receiver: string; isTest: boolean }

/** Nine digits are a D-U-N-S number; other IDs are agreed by the parties. */
const qualifierOf = (id: string) => (/^\d{9}$/.test(id) ? '01' : 'ZZ')

/** X12 has no way to escape its delimiters. */
const plain = (text: string, length: number) =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]|[*~>]/g, '')
    .trim()
    .slice(0, length)

function envelope(
  { sender, receiver, isTest }: X12Parties,
  { at, control, group }: { at: Temporal.Instant; control: number; group: 'PO' | 'FA' },
) {
  const time = at.toZonedDateTimeISO('UTC')
  const day = time.toPlainDate().toString().replaceAll('-', '')
  const clock = time.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')
  const document = new JSEDINotation(
    [
      '00',
      '',
      '00',
      '',
      qualifierOf(sender),
      sender,
      qualifierOf(receiver),
      receiver,
      day.slice(2),
      clock,
      'U',
      '00401',
      String(control).padStart(9, '0'),
      '0',
      isTest ? 'T' : 'P',
      '>',
    ],
    { segmentTerminator: '~', elementDelimiter: '*', endOfLine: '\n', format: true },
  )
  const functional = document.addFunctionalGroup([group, sender, receiver, day, clock, String(control), 'X', '004010'])
  return { document, functional, day }
}

/** Control numbers have nine digits, made from the order's number, its attempt, and whether it is canceled. */
const stockOrders = 500_000_000
const seriesPattern = /^(S?PO)-(\d{1,15})(?:-(\d{1,2}))?$/

/** The control number for an order number such as PO-5001-2, the same on every retry. */
export function controlOf(number: string, isCanceled: boolean): number {
  const [, series = 'PO', id = '0', askedNo = '1'] = seriesPattern.exec(number) ?? []
  const base = series === 'SPO' ? stockOrders : 0
  return base + (Number(id) % 50_000_000) * 10 + ((Number(askedNo) - 1) % 5) * 2 + (isCanceled ? 1 : 0)
}

/** The order number for a control number; undefined for the cancellation of an order. */
export function numberOf(control: number): string | undefined {
  if (control % 2 === 1) return undefined
  const series = control >= stockOrders ? 'SPO' : 'PO'
  const of = control % stockOrders
  const askedNo = Math.floor((of % 10) / 2) + 1
  return `${series}-${Math.floor(of / 10)}${askedNo > 1 ? `-${askedNo}` : ''}`
}

/** Writes an 850 that places or cancels an order. `billTo` is the store's name. */
export function writeOrder(
  parties: X12Parties,
  order: Omit<SupplierOrder, 'own' | 'networkId' | 'payloadId'>,
  { billTo, isCanceled }: { billTo: string; isCanceled: boolean },
): { name: string; text: string } {
  const { number, at, shipTo, lines, isWhole, note } = order
  const control = controlOf(number, isCanceled)
  const { document, functional, day } = envelope(parties, { at, control, group: 'PO' })
  const set = functional.addTransaction(['850', '0001'])
  set.addSegment('BEG', [isCanceled ? '01' : '00', 'SA', number, '', day])
  // Ship complete.
  if (isWhole) set.addSegment('CSH', ['SC'])
  if (note !== null) {
    set.addSegment('N9', ['L1', '', 'Note'])
    set.addSegment('MSG', [plain(note, 264)])
  }
  set.addSegment('N1', ['BT', plain(billTo, 60)])
  set.addSegment('N1', ['ST', plain(shipTo.name, 60)])
  set.addSegment('N3', [plain(shipTo.street, 55)])
  set.addSegment('N4', [plain(shipTo.city, 30), shipTo.state, shipTo.zip, 'US'])
  if (/^\d{10,}$/.test(shipTo.phone))
    set.addSegment('PER', ['DC', plain(shipTo.name, 60), 'TE', shipTo.phone.slice(-10)])
  for (const { lineNo, quantity, unitCents, sku, part, name } of lines) {
    set.addSegment('PO1', [
      String(lineNo),
      String(quantity),
      'EA',
      (unitCents / 100).toFixed(2),
      'PE',
      'VP',
      plain(sku, 48),
      ...(part === null ? [] : ['MG', plain(part.mpn, 48)]),
    ])
    set.addSegment('PID', ['F', '', '', '', plain(name, 80)])
  }
  set.addSegment('CTT', [String(lines.length)])
  return { name: `850-${String(control).padStart(9, '0')}.edi`, text: new X12Generator(document).toString() }
}

/** A received transaction set, and whether it was readable. */
export type AcknowledgedSet = { kind: string; control: string; isRead: boolean }
export type AcknowledgedGroup = { kind: string; control: string; sets: readonly AcknowledgedSet[] }

/** Writes a 997 for each group of a received interchange. */
export function writeAcknowledgment(
  parties: X12Parties,
  received: { control: number; groups: readonly AcknowledgedGroup[] },
  at: Temporal.Instant,
): { name: string; text: string } {
  const control = 900_000_000 + (received.control % 100_000_000)
  const { document, functional } = envelope(parties, { at, control, group: 'FA' })
  for (const [index, { kind, control: ofGroup, sets }] of received.groups.entries()) {
    const set = functional.addTransaction(['997', String(index + 1).padStart(4, '0')])
    set.addSegment('AK1', [kind, ofGroup])
    for (const { kind: ofSet, control: number, isRead } of sets) {
      set.addSegment('AK2', [ofSet, number])
      set.addSegment('AK5', isRead ? ['A'] : ['R', '5'])
    }
    const count = String(sets.length)
    const accepted = sets.filter(({ isRead }) => isRead).length
    const state = accepted === sets.length ? 'A' : accepted === 0 ? 'R' : 'P'
    set.addSegment('AK9', [state, count, count, String(accepted)])
  }
  return { name: `997-${control}.edi`, text: new X12Generator(document).toString() }
}
