/**
 * An order's refund amounts. A unit gets its share of the line's price, sales tax, excise tax and state tire fee. Units
 * are refunded in order, so that any number of partial refunds adds up to the amount paid, to the cent.
 */
import { unitShare } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'

/** Paid or refunded amounts, in cents. */
export type LineParts = { netCents: number; taxCents: number; fetCents: number; tireFeeCents: number }

const partNames = ['netCents', 'taxCents', 'fetCents', 'tireFeeCents'] as const

/** An order line as paid, with its earlier refunds. */
export type RefundableLine = LineParts & {
  lineNo: number
  kind: string
  quantity: number
  refundedUnits: number
  refunded: LineParts
}

export type AskedUnits = { lineNo: number; units: number }

export type RefundedLine = LineParts & AskedUnits & { kind: string }

export type UnitsRefusal =
  | Refused<'not-on-order', { lineNo: number }>
  | Refused<'more-than-bought', { lineNo: number; leftUnits: number }>

/** Returns the total number of requested units. */
export function sumUnits(asked: readonly AskedUnits[]): number {
  return asked.reduce((sum, { units }) => sum + units, 0)
}

/** What the parts of a line come to. */
export function totalOf({ netCents, taxCents, fetCents, tireFeeCents }: LineParts): number {
  return netCents + taxCents + fetCents + tireFeeCents
}

/** What the lines come to, part by part. */
export function sumOfParts(lines: readonly LineParts[]): LineParts {
  const sum = { netCents: 0, taxCents: 0, fetCents: 0, tireFeeCents: 0 }
  for (const line of lines) for (const part of partNames) sum[part] += line[part]
  return sum
}

/**
 * Returns what the asked units come to, in the order of the lines. The last unit of a line brings whatever is left of
 * it. With `keepsTireFee` the state does not refund its tire fee. Refuses a line that is not on the order, and more
 * units than are left. Throws for a line named twice, or units that are no whole number above zero.
 */
export function refundUnits(
  lines: readonly RefundableLine[],
  asked: readonly AskedUnits[],
  { keepsTireFee }: { keepsTireFee: boolean },
): Outcome<RefundedLine[], UnitsRefusal> {
  const units = new Map(asked.map((one) => [one.lineNo, one.units]))
  if (units.size < asked.length) throw new RangeError('A refund names each line once')
  const refunds: RefundedLine[] = []
  for (const { lineNo, units: count } of asked) {
    if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${countOf(count, 'unit')} cannot be refunded`)
    const line = lines.find((candidate) => candidate.lineNo === lineNo)
    if (!line) return refused('not-on-order', { lineNo })
    const leftUnits = line.quantity - line.refundedUnits
    if (count > leftUnits) return refused('more-than-bought', { lineNo, leftUnits })
    refunds.push(shareOf(line, count, keepsTireFee))
  }
  return ok(refunds.toSorted((one, other) => one.lineNo - other.lineNo))
}

function shareOf(line: RefundableLine, units: number, keepsTireFee: boolean): RefundedLine {
  // Computed from the first unit, less earlier refunds, so that a declined refund leaves no rounding difference.
  const share = (part: (typeof partNames)[number]) =>
    Math.max(0, unitShare(line[part], line.quantity, 0, line.refundedUnits + units) - line.refunded[part])
  return {
    lineNo: line.lineNo,
    kind: line.kind,
    units,
    netCents: share('netCents'),
    taxCents: share('taxCents'),
    fetCents: share('fetCents'),
    tireFeeCents: keepsTireFee ? 0 : share('tireFeeCents'),
  }
}

/** Counts the units in returns as refunded after those that staff refunded, each with its share of the line. */
export function withReturned<Line extends LineParts & { quantity: number }>(
  line: Line,
  refunded: { units: number; parts: LineParts } | undefined,
  returned: number,
): Line & { refundedUnits: number; refunded: LineParts } {
  const units = refunded?.units ?? 0
  const refundedUnits = Math.min(line.quantity, units + returned)
  const share = (part: keyof LineParts) =>
    (refunded?.parts[part] ?? 0) + unitShare(line[part], line.quantity, units, refundedUnits - units)
  return {
    ...line,
    refundedUnits,
    refunded: {
      netCents: share('netCents'),
      taxCents: share('taxCents'),
      fetCents: share('fetCents'),
      tireFeeCents: share('tireFeeCents'),
    },
  }
}

/** Services that are bought per tire and end with it. Shipping and roadside assistance are for the whole order. */
const perTire: readonly string[] = ['installation', 'service-kit', 'disposal']

type PlainLine = { lineNo: number; kind: string; itemId: number | null; quantity: number }

/**
 * Returns the number of a line's units returned with the tires. Coverage is returned with its item's tires, per-tire
 * services with any tire, and roadside assistance with the order's last tire.
 */
export function returnedOf(
  line: PlainLine,
  { lines, returned }: { lines: readonly PlainLine[]; returned: ReadonlyMap<number, number> },
): number {
  const sumOf = (tires: readonly PlainLine[]) => tires.reduce((sum, { lineNo }) => sum + (returned.get(lineNo) ?? 0), 0)
  const tires = lines.filter(({ kind }) => kind === 'tire')
  if (line.kind === 'tire') return returned.get(line.lineNo) ?? 0
  if (line.kind === 'coverage')
    return sumOf(line.itemId === null ? tires : tires.filter(({ itemId }) => itemId === line.itemId))
  if (perTire.includes(line.kind)) return sumOf(tires)
  const all = tires.reduce((sum, { quantity }) => sum + quantity, 0)
  return line.kind === 'roadside' && sumOf(tires) >= all ? line.quantity : 0
}

/** Returns the units to refund for `returned` tires by line, including their remaining services. */
export function unitsOfReturn(
  lines: readonly (RefundableLine & PlainLine)[],
  returned: ReadonlyMap<number, number>,
): AskedUnits[] {
  // The order's last tire includes the services for the whole order.
  const gone = new Map(
    lines.map(({ lineNo, kind, refundedUnits }) => [
      lineNo,
      (returned.get(lineNo) ?? 0) + (kind === 'tire' ? refundedUnits : 0),
    ]),
  )
  return lines.flatMap((line) => {
    const counted = line.kind === 'roadside' ? gone : returned
    const left = line.quantity - line.refundedUnits
    const units =
      line.kind === 'tire'
        ? (returned.get(line.lineNo) ?? 0)
        : Math.min(left, returnedOf(line, { lines, returned: counted }))
    return units > 0 ? [{ lineNo: line.lineNo, units }] : []
  })
}

/** What is kept of the refunded tires for handling them, `feeCents` a tire and never more than a tire's refund. */
export function handlingFeeOf(lines: readonly RefundedLine[], feeCents: number): number {
  return lines.reduce(
    (sum, line) => (line.kind === 'tire' ? sum + Math.min(feeCents * line.units, totalOf(line)) : sum),
    0,
  )
}

/** A refund's totals, where `amountCents` = lines − handling fee − lowered + goodwill. */
export type RefundSums = {
  linesCents: number
  handlingFeeCents: number
  loweredCents: number
  /** An amount without a line; the units stay sold. */
  goodwillCents: number
  amountCents: number
}

export type SumsRefusal =
  | Refused<'nothing-asked'>
  | Refused<'more-than-lines', { mostCents: number }>
  | Refused<'more-than-left', { leftCents: number }>

/**
 * Returns the totals for a refund of `lines`. `amountCents` is the entered amount, or null for the lines' total.
 * Without lines, it is goodwill. Refuses zero, more than the lines' total, and more than the order's `leftCents`.
 */
export function sumRefund(
  lines: readonly RefundedLine[],
  asked: { amountCents: number | null; hasHandlingFee: boolean; feeCents: number; leftCents: number },
): Outcome<RefundSums, SumsRefusal> {
  const linesCents = lines.reduce((sum, line) => sum + totalOf(line), 0)
  const handlingFeeCents = asked.hasHandlingFee ? handlingFeeOf(lines, asked.feeCents) : 0
  const mostCents = linesCents - handlingFeeCents
  const amountCents = asked.amountCents ?? mostCents
  if (amountCents <= 0) return refused('nothing-asked')
  if (lines.length > 0 && amountCents > mostCents) return refused('more-than-lines', { mostCents })
  if (amountCents > asked.leftCents) return refused('more-than-left', { leftCents: asked.leftCents })
  return lines.length === 0
    ? ok({ linesCents, handlingFeeCents, loweredCents: 0, goodwillCents: amountCents, amountCents })
    : ok({ linesCents, handlingFeeCents, loweredCents: mostCents - amountCents, goodwillCents: 0, amountCents })
}

/** How an order was paid, and what of that went back before, in cents. Either card or invoice has money left. */
export type MoneyLeft = {
  totalCents: number
  /** What store credit paid. */
  creditCents: number
  refundedCents: number
  refundedCreditCents: number
  /** Left of the charge or open invoice. */
  dueLeftCents: number
}

/** What of an order can still be refunded, in cents. */
export function leftOf({ creditCents, refundedCreditCents, dueLeftCents }: MoneyLeft): number {
  return dueLeftCents + creditCents - refundedCreditCents
}

/**
 * Splits a refund of at most `leftOf(money)` between store credit and the other way the order was paid, in the
 * proportion in which it was paid; where one way has not that much left, the other takes the rest.
 */
export function splitRefund(money: MoneyLeft, amountCents: number): { creditCents: number; dueCents: number } {
  const { totalCents, refundedCents, refundedCreditCents, dueLeftCents } = money
  const creditLeft = money.creditCents - refundedCreditCents
  if (amountCents > leftOf(money)) throw new RangeError(`${amountCents} cents are more than is left`)
  const refunded = Math.min(totalCents, refundedCents + amountCents)
  const share = totalCents === 0 ? 0 : unitShare(money.creditCents, totalCents, 0, refunded) - refundedCreditCents
  const creditCents = Math.min(creditLeft, Math.max(share, amountCents - dueLeftCents, 0), amountCents)
  return { creditCents, dueCents: amountCents - creditCents }
}
