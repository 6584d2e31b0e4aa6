/** The tests that rotate, for Vitest and for the tables of tests. */
import { env } from 'node:process'
import { rotationOf, rotations, type Rotation } from './rotation.ts'

const named = (folder: string, ending: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${folder}/${name}${ending}`)

/**
 * Files that rotate as a whole. These never rotate: prices, carts, checkout, payments, orders, refunds, appointments,
 * sign-in and permissions, the last units of stock, double bookings and broken invariants.
 */
export const rotatingFiles: readonly string[] = [
  // Crowds, outages and restarts.
  ...named(
    'tests/faults',
    '.test.ts',
    `
    api-fuzz bay-days bundled-programs cents clocks cut-off hostile outages presses price-basis promises providers
    purchase-orders restarts silences total-crashes`,
  ),
  'tests/simulation/month/deadlocks.test.ts',
  // Pages in a browser that are not on the way to an order.
  ...named(
    'tests/e2e',
    '.test.ts',
    `
    account-prices accounts api-docs appointment asking camera comparing consent finding help inert
    installer-signup late-scripts listings net-terms office-journeys office-lists order-codes other-ways
    page-faults portal-calendar programs reading reviews sending seo technical-problem tire-page tire-shops
    wallets work-orders`,
  ),
  // Pages, files and answers of the store that are not on the way to an order.
  ...named(
    'tests/http',
    '.test.ts',
    `
    account-apps agents api-client brand-restriction branded-store camera comparing company-api coverage-claims
    crawl database-roles deals delays disputes feeds files fleet-packets fleet-quotes fraud help
    net-terms-with-resolve observability office-bulk office-catalog office-content office-coupons
    office-decisions office-fleet-quotes office-imports office-list-files office-messages office-orders
    office-promotions office-reports office-sales-tax office-search office-settings office-stock open-charges
    order-codes order-texts other-times overload own-account-api page-walk portal-calendar portal-pay
    portal-shop portal-van price-guarantee processes programs reading recalls refused-jobs reviews
    sales-tax-label sales-tool same-order saved-cards savings seo several-secrets shared-cache shop-applications
    shop-feed shown-shipping stop-mails timetable tire-log tire-shops trace visitor-prices warehouse-pickups
    work-orders`,
  ),
  // Commands of an operator, each run as a process.
  ...named(
    'tools',
    '.db.test.ts',
    'accounts companies guarantees import move-files programs reviews sealed-columns staff',
  ),
]

/**
 * Rotating files whose turn it is not. Each file is taken once in ten rotations, and whenever it is one of `changed`.
 */
export function filesOutOfTurn(rotation: Rotation, changed: readonly string[] = []): string[] {
  return rotation === 'all'
    ? []
    : rotatingFiles.filter((file, index) => index % rotations !== rotation && !changed.includes(file))
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

/** As many of a crowd as a run takes: all of it in a run of all tests, a third otherwise. */
export function crowdSize(all: number, rotation: Rotation = rotationOf(env)): number {
  return rotation === 'all' ? all : Math.ceil(all / 3)
}
