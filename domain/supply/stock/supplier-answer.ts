/** What a supplier's confirmation means for a purchase order. Pure, and safe in the browser. */
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { LineAnswer, SupplierConfirmation } from './supplier.port.ts'

/**
 * `waiting` means that some units are unanswered. `killed` means that the order can't be filled completely, so it is
 * canceled.
 */
export type ReadAnswer = {
  outcome: 'waiting' | 'filled' | 'killed'
  lines: LineAnswer[]
  /** Whether some units would have been shipped, so that the supplier must be notified of the cancellation. */
  isPartial: boolean
  /** Why it was killed, such as "Backordered: 2 of 4 KES-TOUR. Out until December." */
  reason: string | null
}

type OrderedLine = { lineNo: number; sku: string; quantity: number }

/**
 * Reads a confirmation against the lines that were ordered. Refuses `mismatch` for lines that were not, and for more
 * units than ordered.
 */
export function readAnswer(
  ordered: readonly OrderedLine[],
  { lines: answered, rest, words }: Pick<SupplierConfirmation, 'lines' | 'rest' | 'words'>,
): Outcome<ReadAnswer, Refused<'mismatch'>> {
  const byLine = Map.groupBy(answered, ({ lineNo }) => lineNo)
  if ([...byLine.keys()].some((lineNo) => !ordered.some((line) => line.lineNo === lineNo))) return refused('mismatch')
  const lines: LineAnswer[] = []
  for (const { lineNo, quantity } of ordered) {
    const line = sumOf(lineNo, byLine.get(lineNo) ?? [])
    const open = quantity - unitsOf(line)
    if (open < 0) return refused('mismatch')
    if (rest !== null && !byLine.has(lineNo)) line[rest] += open
    lines.push(line)
  }
  const isComplete = ordered.every(({ quantity }, index) => unitsOf(lines[index]) === quantity)
  const isFilled = isComplete && lines.every(({ rejected, backordered }) => rejected + backordered === 0)
  const outcome = isFilled ? 'filled' : isComplete ? 'killed' : 'waiting'
  return ok({
    outcome,
    lines,
    isPartial: outcome === 'killed' && lines.some(({ filled, backordered }) => filled + backordered > 0),
    reason: outcome === 'killed' ? missingText(ordered, lines, words) : null,
  })
}

function sumOf(lineNo: number, parts: readonly LineAnswer[]): LineAnswer {
  const sum = (of: 'filled' | 'rejected' | 'backordered') => parts.reduce((total, part) => total + part[of], 0)
  return { lineNo, filled: sum('filled'), rejected: sum('rejected'), backordered: sum('backordered') }
}

function unitsOf(line: LineAnswer | undefined): number {
  return line ? line.filled + line.rejected + line.backordered : 0
}

/** Describes units that a supplier doesn't fill now, such as "Rejected: 2 of 4 KES-TOUR."; empty without such units. */
export function missingText(
  ordered: readonly OrderedLine[],
  lines: readonly LineAnswer[],
  words: string | null,
): string {
  const missing = ordered.flatMap(({ sku, quantity }, index) => {
    const { rejected = 0, backordered = 0 } = lines[index] ?? {}
    return [
      ...(rejected > 0 ? [`Rejected: ${rejected} of ${quantity} ${sku}.`] : []),
      ...(backordered > 0 ? [`Backordered: ${backordered} of ${quantity} ${sku}.`] : []),
    ]
  })
  return [...missing, ...(words ? [words] : [])].join(' ').slice(0, 400)
}

/** Identifies a transmission of an order. PO is for a shopper's order, SPO for stock. */
export type AskedOrder = { series: 'PO' | 'SPO'; id: number; askedNo: number }

/** Returns the id of the message that sends an order to a supplier; each resend has a new id. */
export function orderPayloadId({ series, id, askedNo }: AskedOrder): string {
  return `${series}-${id}-${askedNo}@sidewall`
}

/** Which order, asked how often, a payload id is of; undefined for any other text. */
export function readOrderPayloadId(payloadId: string): AskedOrder | undefined {
  const [, series, id, askedNo] = /^(S?PO)-(\d{1,15})-(\d{1,2})@/.exec(payloadId) ?? []
  return series === undefined
    ? undefined
    : { series: series === 'SPO' ? 'SPO' : 'PO', id: Number(id), askedNo: Number(askedNo) }
}

/** Returns which order a number such as PO-5001-2 is for, and how often it was sent; undefined for any other text. */
export function readOrderNumber(number: string): AskedOrder | undefined {
  const [, series, id, askedNo = '1'] = /^(S?PO)-(\d{1,15})(?:-(\d{1,2}))?$/.exec(number) ?? []
  return series === undefined
    ? undefined
    : { series: series === 'SPO' ? 'SPO' : 'PO', id: Number(id), askedNo: Number(askedNo) }
}

/** "PO-5001"; asked again, "PO-5001-2": a supplier takes a number once. */
export function supplierOrderNumber({ series, id, askedNo }: AskedOrder): string {
  return askedNo > 1 ? `${series}-${id}-${askedNo}` : `${series}-${id}`
}
