import { formatCents } from '#platform/money.ts'
import type { ExplainRow, PriceBreakdown } from './price-breakdown.ts'

/** A changed row of the summary. */
export type PriceMove = {
  readonly key: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly label: string
  /** `null` where the row was added or removed. */
  readonly beforeCents: number | null
  readonly afterCents: number | null
  /** Ready to display: "Installation at Halsted Tire: was $88.00, now $96.00". */
  readonly text: string
}

/**
 * Returns what changed between a quoted price and today's, row by row as the shopper saw it, the total last. Empty
 * exactly when both charge the same amounts for the same units; a change of wording only (a renamed shop) does not
 * count.
 */
export function compareBreakdowns(before: PriceBreakdown, after: PriceBreakdown): PriceMove[] {
  const then = new Map(before.explain.map((row) => [row.key, row]))
  const now = new Set(after.explain.map((row) => row.key))
  return [
    ...before.explain.filter((row) => !now.has(row.key)).map((row) => move('removed', row, row, null)),
    ...after.explain.flatMap((row) => {
      const was = then.get(row.key)
      if (!was) return [move('added', row, null, row)]
      return moneyOf(was) === moneyOf(row) ? [] : [move('changed', row, was, row)]
    }),
  ]
}

/**
 * Returns a short fingerprint of a breakdown's amounts. Two are equal exactly when `compareBreakdowns` finds no
 * difference.
 */
export function breakdownFingerprint(breakdown: PriceBreakdown): string {
  const rows = breakdown.explain.map((row) => `${row.key} ${moneyOf(row)}`).toSorted()
  return fnv1a64(rows.join('\n')).toString(36)
}

function move(
  change: PriceMove['change'],
  { key, label }: ExplainRow,
  before: ExplainRow | null,
  after: ExplainRow | null,
): PriceMove {
  return {
    key,
    change,
    label,
    beforeCents: before?.cents ?? null,
    afterCents: after?.cents ?? null,
    text: moveText(before, after),
  }
}

function moveText(before: ExplainRow | null, after: ExplainRow | null): string {
  if (before && after) {
    return before.label === after.label
      ? `${after.label}: was ${wordsOf(before, after)}, now ${wordsOf(after, before)}`
      : `${before.label}, ${before.amount}: now ${after.label}, ${after.amount}`
  }
  return after ? `New: ${after.label}, ${after.amount}` : `Gone: ${before?.label}, ${before?.amount}`
}

/** The amount, or the units where the amounts are equal. */
function wordsOf(row: ExplainRow, other: ExplainRow): string {
  return row.cents === other.cents
    ? row.units.map(({ quantity, unitCents }) => `${quantity} at ${formatCents(unitCents)}`).join(', ')
    : row.amount
}

function moneyOf(row: ExplainRow): string {
  return JSON.stringify([row.cents, row.units.map(({ quantity, unitCents }) => [quantity, unitCents])])
}

/**
 * 64-bit FNV-1a is enough to distinguish prices of one cart. Forging one is useless, because the server always
 * reprices.
 */
function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}
