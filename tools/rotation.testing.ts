/** The tests that rotate, for Vitest and for the tables of tests. */
import { dirname, join } from 'node:path/posix'
import { env } from 'node:process'
import seconds from './rotation-seconds.json' with { type: 'json' }
import { rotationOf, rotations, type Rotation } from './rotation.ts'

const named = (folder: string, ending: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => join(folder, `${name}${ending}`))

/**
 * Files that rotate as a whole. These never rotate: prices, carts, checkout, payments, orders, refunds, appointments,
 * sign-in and permissions, the last units of stock, double bookings, and broken invariants.
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
    installer-signup late-scripts listings net-terms office-journeys office-lists open-a-store order-codes
    other-ways page-faults portal-calendar programs reading reviews sending seo technical-problem tire-page
    tire-shops wallets work-orders`,
  ),
  // Pages, files and answers of the store that are not on the way to an order.
  ...named(
    'tests/http',
    '.test.ts',
    `
    account-apps account-prices admin-api agents api-client brand-restriction branded-store camera company-api
    comparing coverage-claims crawl customer-acts cxml database-roles deals delays disputes feeds files financing
    fleet-packets fleet-quotes fraud help net-terms-with-resolve observability office-bulk office-catalog
    office-content office-coupons office-decisions office-fleet-quotes office-imports office-list-files
    office-messages office-orders office-promotions office-reports office-sales-tax office-search office-settings
    office-setup office-shops office-stock office-tires open-charges order-codes order-texts other-times overload
    own-account-api page-walk parcels pay-later portal-acts portal-calendar portal-pay portal-shop portal-van
    price-guarantee processes programs reading recalls refused-jobs reviews sales-tax-label sales-tool same-order
    same-site saved-cards savings seo several-secrets shared-cache shop-applications shop-feed shown-shipping
    stop-mails store-webhooks timetable tire-log tire-shops trace visitor-prices wallets warehouse-pickups webhooks widget
    work-orders`,
  ),
  // Commands of an operator, each run as a process.
  ...named(
    'tools',
    '.db.test.ts',
    'accounts companies guarantees import move-files programs reviews sealed-columns staff',
  ),
  // Tests of tools, each as slow as a hundred rule tests.
  ...named('tools', '.test.ts', 'fonts/make-fonts hostile-patterns npm-versions pack-client postgres start-refusals'),
  // Use cases in the database that are not on the way to an order, its money or its appointment.
  ...named(
    'domain',
    '.db.test.ts',
    `
    operations/personal-data/account-data customers/accounts/apps customers/accounts/garage customers/accounts/tire-log installer-portal/appointments/earlier-times
    installer-portal/appointments/rate scheduling/booking/van-travel installer-portal/branded-stores/branded-stores catalog/catalog-import/hand-edits
    catalog/catalog-import/office-imports catalog/catalog-import/publish catalog/catalog-import/resume catalog/catalog-import/roll-back
    catalog/catalog-import/stock catalog/catalog/brand-range catalog/catalog/buyer-catalog catalog/catalog/deals catalog/catalog/search-quality
    kernel/content/content aftercare/coverage-claims/coverage-claims customers/customers/contacts aftercare/disputes/disputes aftercare/disputes/paypal-disputes
    catalog/feeds/feeds kernel/files/files channels/fleet-quotes/fleet-quotes ordering/fraud/fraud operations/health/health scheduling/installers/certifications
    scheduling/installers/installers messaging/messages/email-copies pricing/military/military catalog/offers/first-times ordering/orders/delays
    ordering/orders/supplier-orders ordering/parcels/parcels catalog/payment-offers/payment-offers supply/pickup-places/pickup-places installer-portal/portal/capacity
    installer-portal/portal/people installer-portal/portal/portal installer-portal/portal/prices installer-portal/portal/shop-feed aftercare/price-guarantee/price-guarantee
    pricing/price-tiers/import-price-list pricing/price-tiers/office-price-lists pricing/price-tiers/price-lists pricing/price-tiers/price-tiers
    customers/programs/partner-joins customers/programs/referrals customers/programs/renewals customers/programs/widgets channels/purchasing/purchasing ordering/quotes/quotes
    ordering/quotes/sales-tool operations/reports/reports operations/reports/visits aftercare/reviews/reviews payments/saved-cards/saved-cards operations/setup/setup
    installer-portal/shop-applications/shop-applications installer-portal/shops/profiles messaging/support/support messaging/support/threads operations/team-emails/team-emails
    messaging/texts/texts ordering/warehouse-pickups/warehouse-pickups channels/webhooks/partner-webhooks channels/webhooks/store-webhooks channels/webhooks/webhooks
    installer-portal/work-orders/fleet-packets installer-portal/work-orders/recalls installer-portal/work-orders/refusals installer-portal/work-orders/work-orders`,
  ),
  ...named(
    '.',
    '.db.test.ts',
    `
    adapters/limits/card-limits adapters/limits/look-up-limits adapters/limits/order-code-limits
    adapters/limits/review-limits adapters/limits/shared-calls app/server/stored-file app/views/office-search
    cxml/door cxml/exchange db/reference/reference-data db/seed/demo-pasts db/seed/demo-supplies db/seed/seed db/seed/store-rules
    mcp/admission mcp/mcp tests/simulation/report-month tests/simulation/shop-month ucp/catalog ucp/hostile
    ucp/linking ucp/negotiation ucp/sandbox-complete`,
  ),
]

/** How long a file without a measured time is expected to take, in seconds. */
const usualSeconds = 7

const measured: Readonly<Record<string, number>> = seconds

/**
 * Assigns each rotating file to a tenth. Assigns the longest files first, each to the shortest tenth so far, so that
 * all commits take about the same time. Times are in `rotation-seconds.json`.
 */
function assignTenths(files: readonly string[]): ReadonlyMap<string, number> {
  const secondsOf = (file: string) => measured[file] ?? usualSeconds
  const taken = Array.from({ length: rotations }, () => 0)
  const tenths = new Map<string, number>()
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const tenth = taken.indexOf(Math.min(...taken))
    taken[tenth] = (taken[tenth] ?? 0) + secondsOf(file)
    tenths.set(file, tenth)
  }
  return tenths
}

const tenthOf = assignTenths(rotatingFiles)

/** How long the rotating files of each tenth take one after another, in seconds. */
export function secondsByTenth(): number[] {
  return Array.from({ length: rotations }, (_, tenth) =>
    rotatingFiles
      .filter((file) => tenthOf.get(file) === tenth)
      .reduce((sum, file) => sum + (measured[file] ?? usualSeconds), 0),
  )
}

/** Returns the rotating files to skip. Each file runs once in ten rotations, and whenever it is one of `changed`. */
export function filesOutOfTurn(rotation: Rotation, changed: readonly string[] = []): string[] {
  return rotation === 'all'
    ? []
    : rotatingFiles.filter((file) => tenthOf.get(file) !== rotation && !changed.includes(file))
}

/** What rotating files test outside their folder. */
const sources: Readonly<Record<string, readonly string[]>> = {
  'tools/npm-versions.test.ts': ['tools/launch.mjs', 'package-lock.json'],
  'tools/postgres.test.ts': ['tools/postgres.ts'],
  'tools/start-refusals.test.ts': ['tools/start.ts', 'tools/run-store.ts'],
}

/**
 * Returns the rotating files affected by a change: changed files, files that name a changed source, and files next to
 * changed domain code. `changed` are paths from the project's folder.
 */
export function affectedFiles(changed: readonly string[]): string[] {
  const folders = new Set(changed.map((path) => dirname(path)))
  return rotatingFiles.filter(
    (file) =>
      changed.includes(file) ||
      sources[file]?.some((path) => changed.includes(path)) ||
      (/^(?:domain|cxml|db|mcp|ucp)\//.test(file) && folders.has(dirname(file))),
  )
}

/**
 * Returns this rotation's cases of a test table, and those selected by `always`. Each case runs at least once in ten
 * rotations.
 */
export function inTurn<Case>(
  cases: readonly Case[],
  { always = () => false, rotation = rotationOf(env) }: { always?: (one: Case) => boolean; rotation?: Rotation } = {},
): Case[] {
  let place = 0
  return cases.filter((one) => rotation === 'all' || always(one) || place++ % rotations === rotation)
}

/** Returns the size of a randomized group: all of it in a full run, otherwise a third. */
export function crowdSize(all: number, rotation: Rotation = rotationOf(env)): number {
  return rotation === 'all' ? all : Math.ceil(all / 3)
}
