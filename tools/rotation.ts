/**
 * Rotates tests. `npm test` runs a tenth of the slowest tests, selected by the commit, and `npm run test:full` runs
 * all. See docs/testing.md.
 */

/** The tenth that a run takes, from 0 to 9, or all tenths. */
export type Rotation = number | 'all'

export const rotations = 10

/** Returns the tenth in TEST_ROTATION, or all if unset. */
export function rotationOf({ TEST_ROTATION: asked = '' }: { TEST_ROTATION?: string | undefined }): Rotation {
  const tenth = Number(asked)
  return asked !== '' && Number.isInteger(tenth) && tenth >= 0 && tenth < rotations ? tenth : 'all'
}

/** A time zone on the other side of the date line from every shop. */
export const otherZone = 'Pacific/Auckland'

/**
 * Returns the unit tests' time zone. Returns undefined for the machine's own. Time rules must hold in any zone. Odd
 * rotations use another zone, and a full run repeats the tests with dates in it.
 */
export function unitTestZone(rotation: Rotation): string | undefined {
  return rotation !== 'all' && rotation % 2 === 1 ? otherZone : undefined
}
