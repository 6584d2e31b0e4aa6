/** The lender's record of movements in the store's balance, ordered by time. */
import { newId } from '../ids.ts'
import type { Lender } from './applications.ts'

/** A movement as the protocol shows it; amounts are positive to the store. */
export type LenderMovement = {
  id: string
  type: 'delivery' | 'refund' | 'funding'
  application_id: string
  refund_id: string | null
  amount: number
  fee: number
  at: string
}

/** Writes down that money moved. */
export function recordMovement(
  lender: Pick<Lender, 'movements' | 'now'>,
  moved: Pick<LenderMovement, 'type' | 'application_id' | 'amount'> & { refund_id?: string },
): void {
  const movement: LenderMovement = { refund_id: null, ...moved, id: newId('fmv_'), fee: 0, at: lender.now().toString() }
  lender.movements.put(movement.id, movement)
}

const perPage = 100

/**
 * Returns a page of movements from `from` (inclusive) until `until` (exclusive), oldest first. Returns undefined for
 * invalid times.
 */
export function listMovements(
  lender: Pick<Lender, 'movements'>,
  { from, until, after }: { from: string; until: string; after: string | undefined },
): { movements: LenderMovement[]; next: string | null } | undefined {
  const [start, end] = [timeOf(from), timeOf(until)]
  if (start === undefined || end === undefined) return undefined
  const found = lender.movements
    .list({ limit: 1_000_000, after })
    .toReversed()
    .filter(({ at }) => {
      const moved = timeOf(at) ?? 0
      return moved >= start && moved < end
    })
  const movements = found.slice(0, perPage)
  return { movements, next: found.length > perPage ? (movements.at(-1)?.id ?? null) : null }
}

function timeOf(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    return undefined
  }
}
