/**
 * The four verdicts and how they combine. The other files in this folder only produce levels, and this one combines
 * them.
 */

/** In rising order; the lowest wins. */
export const levels = ['does_not_fit', 'unknown', 'fits_with_conditions', 'fits'] as const
export type Level = (typeof levels)[number]

export type RequirementSource = 'placard' | 'catalog' | 'weak' | 'none'

/**
 * Returns the lower of two levels. `fits` is neutral and `does_not_fit` absorbs, so a pass never outweighs a failure,
 * and a missing fact never hides one.
 */
export function worse(a: Level, b: Level): Level {
  return rank[a] < rank[b] ? a : b
}

/** Returns the worst of any number of levels, or `fits` for an empty list. */
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
 * Combines several possible configurations (trim or year open, axle not named): refused only if all refuse, above
 * unknown only if all are; otherwise we must ask. Order and repetition do not matter.
 */
export function acrossConfigurations(all: readonly Level[]): Level {
  const lowest = worst(all)
  if (lowest !== 'does_not_fit') return lowest
  return all.every((level) => level === 'does_not_fit') ? 'does_not_fit' : 'unknown'
}

/** Rule FR2: the best verdict that facts from this source allow. */
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
