/** The rule that chooses the warehouse for units, in carts and for rejected units. Safe in the browser. */

/** `costCents` is the landed cost of all units in cents, with freight; null if unknown. */
type Offered = { arrivesOn: Temporal.PlainDate | null; costCents: number | null }

/** The promised day (YYYY-MM-DD), and the price of the units in cents; null if unknown. */
export type SourceTerms = { promisedOn: string; paidCents: number | null }

/** Why a warehouse isn't chosen automatically. */
export type SourceObstacle = 'late' | 'loss'

/** Returns why a warehouse isn't chosen automatically. An unknown cost isn't a loss. */
export function obstacleOf(
  { arrivesOn, costCents }: Offered,
  { promisedOn, paidCents }: SourceTerms,
): SourceObstacle | null {
  if (arrivesOn === null || arrivesOn.toString() > promisedOn) return 'late'
  return costCents !== null && paidCents !== null && costCents > paidCents ? 'loss' : null
}

/**
 * Returns the warehouses without an obstacle by their landed cost, then by arrival. Warehouses with an unknown cost are
 * last.
 */
export function chooseSources<Option extends Offered & { obstacle: SourceObstacle | null }>(
  options: readonly Option[],
): Option[] {
  const cost = ({ costCents }: Option) => costCents ?? Number.MAX_SAFE_INTEGER
  const day = ({ arrivesOn }: Option) => arrivesOn?.toString() ?? ''
  return options
    .filter(({ obstacle }) => obstacle === null)
    .toSorted((a, b) => cost(a) - cost(b) || (day(a) < day(b) ? -1 : day(a) > day(b) ? 1 : 0))
}
