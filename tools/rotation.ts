/**
 * What rotates: `npm test` runs a tenth of the slowest tests, chosen by the commit, and `npm run test:full` runs all of
 * them. docs/testing.md says what runs when.
 */

/** The tenth that a run takes, from 0 to 9, or all tenths. */
export type Rotation = number | 'all'

export const rotations = 10

/** The tenth that TEST_ROTATION asks for; all of them unless it asks. */
export function rotationOf({ TEST_ROTATION: asked = '' }: { TEST_ROTATION?: string | undefined }): Rotation {
  const tenth = Number(asked)
  return asked !== '' && Number.isInteger(tenth) && tenth >= 0 && tenth < rotations ? tenth : 'all'
}

/** A time zone on the other side of the date line from every shop. */
export const otherZone = 'Pacific/Auckland'

/**
 * The time zone of the unit tests, undefined for the machine's own. Rules about time must hold in any zone: odd rotations
 * use another one, and a run of all tests repeats the tests that read dates there.
 */
export function unitTestZone(rotation: Rotation): string | undefined {
  return rotation !== 'all' && rotation % 2 === 1 ? otherZone : undefined
}
