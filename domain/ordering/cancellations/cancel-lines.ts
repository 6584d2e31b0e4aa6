/**
 * An order's units that can be canceled by line, their associated services, and the parcels they come from. Safe in the
 * browser.
 */
import type { UnshippedPart } from '#domain/ordering/orders/orders.ts'
import { unitsOfReturn, type AskedUnits, type RefundableLine } from '#domain/ordering/refunds/refunds.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'

type PaidLine = RefundableLine & { itemId: number | null; description: string }

/** A line with up to `most` units that can be canceled now. */
export type CancelableLine = { lineNo: number; kind: string; description: string; quantity: number; most: number }

/** Services that can be canceled while the tires stay. Installation, shipping and roadside assistance go with the tires. */
const optional: readonly string[] = ['coverage', 'service-kit', 'disposal']

/**
 * Returns an order's lines with cancelable units, meaning tires and parts that are neither shipped nor refunded, and
 * services for as many of the tires.
 */
export function cancelableLines(
  lines: readonly PaidLine[],
  unshipped: readonly Pick<UnshippedPart, 'lineNo' | 'units'>[],
): CancelableLine[] {
  const tires = lines.filter(({ kind }) => kind === 'tire')
  const mostOf = (line: PaidLine) =>
    Math.min(
      line.quantity - line.refundedUnits,
      unshipped.reduce((sum, { lineNo, units }) => (lineNo === line.lineNo ? sum + units : sum), 0),
    )
  const sumOf = (itemId: number | null) =>
    tires.reduce((sum, tire) => (itemId === null || tire.itemId === itemId ? sum + mostOf(tire) : sum), 0)
  return lines.flatMap((line) => {
    const { lineNo, kind, description, quantity, refundedUnits, itemId } = line
    const most =
      kind === 'tire' || kind === 'part'
        ? mostOf(line)
        : optional.includes(kind)
          ? Math.min(quantity - refundedUnits, sumOf(itemId))
          : 0
    return most > 0 ? [{ lineNo, kind, description, quantity, most }] : []
  })
}

/** Counts an order's cancelable units. A different number than the page showed indicates a concurrent change. */
export function countCancelable(lines: readonly CancelableLine[]): number {
  return lines.reduce((sum, { most }) => sum + most, 0)
}

export type UnitsRefusal = Refused<'nothing-asked'> | Refused<'more-than-unshipped', { lineNo: number; most: number }>

/**
 * The units to give back for the asked ones, in the order of the lines: with the tires go the services bought for them,
 * with a parcel's last tire its parts, and with the order's last tire (`isLast`) everything that is left. Refuses no units, and more than can be canceled.
 */
export function unitsToCancel(
  lines: readonly PaidLine[],
  cancelable: readonly CancelableLine[],
  {
    asked,
    isLast,
    unshipped = [],
  }: { asked: readonly AskedUnits[]; isLast: boolean; unshipped?: readonly UnshippedPart[] },
): Outcome<AskedUnits[], UnitsRefusal> {
  if (asked.length === 0) return refused('nothing-asked')
  for (const { lineNo, units } of asked) {
    const most = cancelable.find((line) => line.lineNo === lineNo)?.most ?? 0
    if (units > most) return refused('more-than-unshipped', { lineNo, most })
  }
  const tires = new Map(tiresOf(lines, asked).map(({ lineNo, units }) => [lineNo, units]))
  const follow = new Map(unitsOfReturn(lines, tires).map(({ lineNo, units }) => [lineNo, units]))
  const left = new Set(partsOfEmptied(lines, unshipped, tiresOf(lines, asked)))
  const wanted = new Map(asked.map(({ lineNo, units }) => [lineNo, units]))
  return ok(
    lines.flatMap(({ lineNo, quantity, refundedUnits }) => {
      const rest = quantity - refundedUnits
      const units =
        isLast || left.has(lineNo) ? rest : Math.min(rest, Math.max(wanted.get(lineNo) ?? 0, follow.get(lineNo) ?? 0))
      return units > 0 ? [{ lineNo, units }] : []
    }),
  )
}

/** The lines of parts in parcels that have no tires without the asked ones. */
function partsOfEmptied(
  lines: readonly PaidLine[],
  unshipped: readonly UnshippedPart[],
  tires: readonly AskedUnits[],
): number[] {
  const isPart = ({ lineNo }: UnshippedPart) => lines.find((line) => line.lineNo === lineNo)?.kind === 'part'
  const taken = unshipped.length > 0 ? partsToTake(unshipped, tires) : []
  const count = (parts: readonly UnshippedPart[], id: string) =>
    parts.reduce((sum, part) => (part.shipmentId === id && !isPart(part) ? sum + part.units : sum), 0)
  return unshipped.flatMap((part) =>
    isPart(part) && count(taken, part.shipmentId) === count(unshipped, part.shipmentId) ? [part.lineNo] : [],
  )
}

/** The tires among the asked units. */
export function tiresOf(lines: readonly PaidLine[], asked: readonly AskedUnits[]): AskedUnits[] {
  return asked.filter(({ lineNo }) => lines.find((line) => line.lineNo === lineNo)?.kind === 'tire')
}

/** Takes the asked tires out of parcels, in the order the parcels are given. Throws if they hold too few. */
export function partsToTake(unshipped: readonly UnshippedPart[], tires: readonly AskedUnits[]): UnshippedPart[] {
  return tires.flatMap(({ lineNo, units }) => {
    let left = units
    const taken: UnshippedPart[] = []
    for (const part of unshipped) {
      const count = part.lineNo === lineNo ? Math.min(left, part.units) : 0
      if (count > 0) taken.push({ ...part, units: count })
      left -= count
    }
    if (left > 0) throw new RangeError(`The parcels hold ${countOf(left, 'unit')} of line ${lineNo} too few`)
    return taken
  })
}
