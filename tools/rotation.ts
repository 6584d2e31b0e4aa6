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
