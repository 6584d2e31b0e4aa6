/** Units by DOT week. Safe in the browser. */

/** One DOT week's units, identified by the week's Monday. Null if the week wasn’t recorded. */
export type Lot = { week: string | null; units: number }

/**
 * Returns the lots that remain of received lots, oldest first, when `onHand` units remain in total. The oldest units
 * leave first, and units without a recorded week count as the oldest, so the newest recorded units remain. The lots
 * always add up to `onHand`.
 */
export function remainingLots(received: readonly Lot[], onHand: number): Lot[] {
  const remaining: Lot[] = []
  let left = onHand
  for (const { week, units } of byAge(received).toReversed()) {
    const kept = week === null ? 0 : Math.min(units, left)
    if (kept > 0) remaining.unshift({ week, units: kept })
    left -= kept
  }
  return left > 0 ? [{ week: null, units: left }, ...remaining] : remaining
}

/** Splits lots of at least `units` units into the oldest `units`, which leave, and the rest. */
export function takeOldest(lots: readonly Lot[], units: number): { taken: Lot[]; rest: Lot[] } {
  const [taken, rest]: [Lot[], Lot[]] = [[], []]
  let left = units
  for (const lot of byAge(lots)) {
    const part = Math.min(lot.units, left)
    if (part > 0) taken.push({ week: lot.week, units: part })
    if (lot.units > part) rest.push({ week: lot.week, units: lot.units - part })
    left -= part
  }
  return { taken, rest }
}

/** Merges lots of the same week, oldest first. */
export function mergeLots(lots: readonly Lot[]): Lot[] {
  const units = new Map<string | null, number>()
  for (const lot of lots) units.set(lot.week, (units.get(lot.week) ?? 0) + lot.units)
  return byAge([...units].map(([week, sum]) => ({ week, units: sum })))
}

function byAge(lots: readonly Lot[]): Lot[] {
  return lots.toSorted((one, other) => (one.week ?? '').localeCompare(other.week ?? ''))
}

/** Returns the age of a DOT week on `today` in whole years and months. */
export function ageOf(week: string, today: Temporal.PlainDate): { years: number; months: number } {
  const { years, months } = Temporal.PlainDate.from(week).until(today, { largestUnit: 'year' })
  return { years, months }
}
