import { formatCents } from '#platform/money.ts'
import type { ExplainRow, PriceBreakdown } from './price-breakdown.ts'

/** One row of the summary that is not what it was. */
export type PriceMove = {
  readonly key: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly label: string
  /** `null` where the row was not there, or is no longer. */
  readonly beforeCents: number | null
  readonly afterCents: number | null
  /** Ready to show: "Installation at Halsted Tire: was $88.00, now $96.00". */
  readonly text: string
}

/**
 * What moved between a quoted price and today's, row by row as the shopper saw it, the total last. Empty exactly when the two ask the same
 * money for the same units; a mere change of words (a renamed shop) is no move.
 */
export function compareBreakdowns(before: PriceBreakdown, after: PriceBreakdown): PriceMove[] {
  const then = new Map(before.explain.map((row) => [row.key, row]))
  const now = new Map(after.explain.map((row) => [row.key, row]))
  const gone = before.explain.filter((row) => !now.has(row.key))
  const rows = [...gone, ...after.explain.filter((row) => row.kind !== 'total'), ...after.explain.filter((row) => row.kind === 'total')]
  return rows.flatMap((row) => {
    const move = moveOf(then.get(row.key), now.get(row.key))
    return move ? [move] : []
  })
}

/** A short name for what a breakdown asks: two are equal exactly when `compareBreakdowns` finds nothing. */
export function breakdownFingerprint(breakdown: PriceBreakdown): string {
  const rows = breakdown.explain.map((row) => `${row.key} ${moneyOf(row)}`).toSorted()
  return fnv1a64(rows.join('\n')).toString(36)
}

function moveOf(before: ExplainRow | undefined, after: ExplainRow | undefined): PriceMove | null {
  if (before && after) {
    if (moneyOf(before) === moneyOf(after)) return null
    const text =
      before.label === after.label ? `${after.label}: was ${wordsOf(before, after)}, now ${wordsOf(after, before)}` : relabelled(before, after)
    return { key: after.key, change: 'changed', label: after.label, beforeCents: before.cents, afterCents: after.cents, text }
  }
  if (after)
    return {
      key: after.key,
      change: 'added',
      label: after.label,
      beforeCents: null,
      afterCents: after.cents,
      text: `New: ${after.label}, ${after.amount}`,
    }
  if (before) {
    return {
      key: before.key,
      change: 'removed',
      label: before.label,
      beforeCents: before.cents,
      afterCents: null,
      text: `Gone: ${before.label}, ${before.amount}`,
    }
  }
  return null
}

function relabelled(before: ExplainRow, after: ExplainRow): string {
  return `${before.label}, ${before.amount}: now ${after.label}, ${after.amount}`
}

/** The amount, or the units where the amount alone does not tell the two apart. */
function wordsOf(row: ExplainRow, other: ExplainRow): string {
  return row.cents === other.cents ? row.units.map(({ quantity, unitCents }) => `${quantity} at ${formatCents(unitCents)}`).join(', ') : row.amount
}

function moneyOf(row: ExplainRow): string {
  return JSON.stringify([row.cents, row.units.map(({ quantity, unitCents }) => [quantity, unitCents])])
}

/** FNV-1a, 64 bits: enough to tell two prices of one cart apart; nobody gains by forging one, because the server always prices again. */
function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}
