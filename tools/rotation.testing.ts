/** The tests that rotate, for Vitest and for the tables of tests. */
import { env } from 'node:process'
import { rotationOf, rotations, type Rotation } from './rotation.ts'

/**
 * Files that rotate as a whole: crowds, outages, and pages in a browser that are not on the way to an order. These never
 * rotate: checkout (tests/e2e/buy-installed, new-page, late-frames), the last units of stock, double bookings and broken
 * invariants (tests/faults/stock, bays, verify).
 */
export const rotatingFiles: readonly string[] = [
  'tests/faults/api-fuzz.test.ts',
  'tests/faults/bay-days.test.ts',
  'tests/faults/bundled-programs.test.ts',
  'tests/faults/cents.test.ts',
  'tests/faults/clocks.test.ts',
  'tests/faults/cut-off.test.ts',
  'tests/faults/outages.test.ts',
  'tests/faults/presses.test.ts',
  'tests/faults/price-basis.test.ts',
  'tests/faults/promises.test.ts',
  'tests/faults/providers.test.ts',
  'tests/faults/purchase-orders.test.ts',
  'tests/faults/restarts.test.ts',
  'tests/faults/silences.test.ts',
  'tests/faults/total-crashes.test.ts',
  'tests/simulation/month/deadlocks.test.ts',
  'tests/e2e/account-prices.test.ts',
  'tests/e2e/accounts.test.ts',
  'tests/e2e/api-docs.test.ts',
  'tests/e2e/appointment.test.ts',
  'tests/e2e/asking.test.ts',
  'tests/e2e/camera.test.ts',
  'tests/e2e/comparing.test.ts',
  'tests/e2e/consent.test.ts',
  'tests/e2e/finding.test.ts',
  'tests/e2e/help.test.ts',
  'tests/e2e/inert.test.ts',
  'tests/e2e/installer-signup.test.ts',
  'tests/e2e/late-scripts.test.ts',
  'tests/e2e/listings.test.ts',
  'tests/e2e/net-terms.test.ts',
  'tests/e2e/office-journeys.test.ts',
  'tests/e2e/office-lists.test.ts',
  'tests/e2e/order-codes.test.ts',
  'tests/e2e/other-ways.test.ts',
  'tests/e2e/page-faults.test.ts',
  'tests/e2e/portal-calendar.test.ts',
  'tests/e2e/programs.test.ts',
  'tests/e2e/reading.test.ts',
  'tests/e2e/reviews.test.ts',
  'tests/e2e/sending.test.ts',
  'tests/e2e/seo.test.ts',
  'tests/e2e/technical-problem.test.ts',
  'tests/e2e/tire-page.test.ts',
  'tests/e2e/tire-shops.test.ts',
  'tests/e2e/wallets.test.ts',
  'tests/e2e/work-orders.test.ts',
]

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
