/**
 * What rotates: `npm test` runs a tenth of the slowest tests, chosen by the commit, and `npm run test:full` runs all of
 * them. docs/testing.md says what runs when.
 */
import { env } from 'node:process'

/** The tenth that a run takes, from 0 to 9, or all tenths. */
export type Rotation = number | 'all'

export const rotations = 10

/**
 * Files that rotate as a whole: crowds, outages, and pages in a browser that are not on the way to an order. These never
 * rotate: checkout (tests/e2e/buy-installed, new-page, late-frames), the last units of stock, double bookings and broken
 * invariants (tests/faults/stock, bays, verify).
 */
export const rotatingFiles: readonly string[] = [
  ...[
    ...['api-fuzz', 'bay-days', 'bundled-programs', 'cents', 'clocks', 'cut-off', 'outages', 'presses', 'price-basis'],
    ...['promises', 'providers', 'purchase-orders', 'restarts', 'silences', 'total-crashes'],
  ].map((name) => `tests/faults/${name}.test.ts`),
  'tests/simulation/month/deadlocks.test.ts',
  ...[
    ...['account-prices', 'accounts', 'api-docs', 'appointment', 'asking', 'camera', 'comparing', 'consent', 'finding'],
    ...[
      'help',
      'inert',
      'installer-signup',
      'late-scripts',
      'listings',
      'net-terms',
      'office-journeys',
      'office-lists',
    ],
    ...['order-codes', 'other-ways', 'page-faults', 'portal-calendar', 'programs', 'reading', 'reviews', 'sending'],
    ...['seo', 'technical-problem', 'tire-page', 'tire-shops', 'wallets', 'work-orders'],
  ].map((name) => `tests/e2e/${name}.test.ts`),
]

/** The tenth that TEST_ROTATION asks for; all of them unless it asks. */
export function rotationOf({ TEST_ROTATION: asked = '' }: { TEST_ROTATION?: string | undefined }): Rotation {
  const tenth = Number(asked)
  return asked !== '' && Number.isInteger(tenth) && tenth >= 0 && tenth < rotations ? tenth : 'all'
}

/** Rotating files whose turn it is not. Each file is taken once in ten rotations. */
export function filesOutOfTurn(rotation: Rotation): string[] {
  return rotation === 'all' ? [] : rotatingFiles.filter((_, index) => index % rotations !== rotation)
}

/**
 * The cases of a table of tests whose turn it is, and those that `always` picks. Each case is taken at least once in ten
 * rotations.
 */
export function inTurn<Case>(
  cases: readonly Case[],
  { always = () => false, rotation = rotationOf(env) }: { always?: (one: Case) => boolean; rotation?: Rotation } = {},
): Case[] {
  let place = 0
  return cases.filter((one) => rotation === 'all' || always(one) || place++ % rotations === rotation)
}
