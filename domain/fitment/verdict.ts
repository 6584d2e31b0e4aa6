/**
 * The four answers and how they combine. Every other file of this folder only produces levels and lets this one join
 * them.
 */

/** In rising order; the lowest wins. */
export const levels = ['does_not_fit', 'unknown', 'fits_with_conditions', 'fits'] as const
export type Level = (typeof levels)[number]

export type RequirementSource = 'placard' | 'catalog' | 'weak' | 'none'

/**
 * The lower of two levels. `fits` is neutral and `does_not_fit` absorbs: no success repairs a failure, no missing fact
 * hides one.
 */
export function worse(a: Level, b: Level): Level {
  return rank[a] < rank[b] ? a : b
}

/** The lowest of any number of levels; `fits` of none. */
export function worst(all: Iterable<Level>): Level {
  let lowest: Level = 'fits'
  for (const level of all) lowest = worse(lowest, level)
  return lowest
}

/** True if `a` is strictly lower than `b`. */
export function isWorse(a: Level, b: Level): boolean {
  return rank[a] < rank[b]
}

/**
 * One answer for several possible worlds (trim or year not settled, axle not named): refused only if all refuse, above
 * unknown only if all are; else we have to ask. The order and number of equal worlds change nothing.
 */
export function acrossConfigurations(all: readonly Level[]): Level {
  const lowest = worst(all)
  if (lowest !== 'does_not_fit') return lowest
  return all.every((level) => level === 'does_not_fit') ? 'does_not_fit' : 'unknown'
}

/** Rule FR2: the best answer that facts from this source can carry. */
export function capOf(source: RequirementSource): Level {
  return caps[source]
}

const rank: Record<Level, number> = { does_not_fit: 0, unknown: 1, fits_with_conditions: 2, fits: 3 }
const caps: Record<RequirementSource, Level> = {
  placard: 'fits',
  catalog: 'fits_with_conditions',
  weak: 'unknown',
  none: 'unknown',
}
