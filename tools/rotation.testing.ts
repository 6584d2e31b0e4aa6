/** The tests that rotate, for Vitest and for the tables of tests. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { env } from 'node:process'
import { project } from './package-program.ts'
import { rotationOf, rotations, type Rotation } from './rotation.ts'

const named = (folder: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => join(folder, `${name}.test.ts`))

/**
 * Tests of prices, checkout, payments, bookings, refunds, sign-in, and permissions, which every run takes. They are
 * files, or folders of database tests.
 */
export const coreTests: readonly string[] = [
  // The last units of stock, broken invariants, and a tenth of each table of crashes.
  ...named('tests/faults', 'crashes overtakes restarts stock verify'),
  ...named('tests/simulation', 'reconciled-orders.db'),
  // An order with installation, and a tenth of the pages.
  ...named('tests/e2e', 'buy-installed every-page'),
  // Carts, prices, payments, and orders over HTTP, and who may see and change them.
  ...named(
    'tests/http',
    `
    agent-checkout api built-files cards cart cart-changes cart-keys confirm-order forbids office-acts order-look-up
    others-ids payment-pages popular-vehicles product shown-price`,
  ),
  ...named(
    'domain/ordering/orders',
    'account-orders.db cancel.db change-appointment.db confirm.db fulfill.db look-up.db order-life.db place.db',
  ),
  ...named('domain/customers/accounts', 'sign-in.db'),
  // It also tests booking, with a shop's capacity.
  ...named('domain/installer-portal/portal', 'capacity.db'),
  ...named('domain/supply/stock', 'stock.db availability.db'),
  ...named('adapters/limits', 'rate-limits.db'),
  ...named('api', 'buying.db checkouts.db once.db repeated-calls.db'),
  // It reads all sources.
  ...named('tools', 'conflict-targets.db'),
  'db/schema.db.test.ts',
  'domain/catalog/catalog/catalog.db.test.ts',
  'domain/catalog/vehicles/',
  'domain/channels/approvals/',
  'domain/customers/companies/',
  'domain/kernel/concessions/',
  'domain/kernel/settings/',
  'domain/kernel/staff/',
  'domain/ordering/checkout/',
  ...named('domain/ordering/refunds', 'refunds.db'),
  'domain/payments/',
  'domain/pricing/pricing/',
  'domain/pricing/sales-tax/',
  'domain/scheduling/booking/',
  ...named('platform', 'at-once.db jobs.db'),
]

/** Tests of tools that take as long as a hundred tests of rules. The other tests of tools always run. */
const slowTools = [
  ...named(
    'tools',
    'client-types fonts/make-fonts hostile-patterns npm-versions pack-client postgres start start-refusals',
  ),
]

/** Providers with rotating tests. Payment and sign-in tests always run. */
const rotatingProviders = 'agents,carriers,documents,files,mail,merchant,places,purchasing,suppliers,texts,vehicles'

const isCore = (file: string) => coreTests.some((core) => (core.endsWith('/') ? file.startsWith(core) : file === core))

const withDatabase = 'adapters,api,app,content,cxml,db,domain,http,mcp,pictures,platform,tests,tools,ucp'

/** Files that rotate as a whole. A file that isn't among the core tests needs no entry. */
export const rotatingFiles: readonly string[] = [
  ...slowTools,
  ...globSync(
    [
      `{${withDatabase}}/**/*.db.test.ts`,
      `adapters/{${rotatingProviders}}/*.test.ts`,
      'tests/{e2e,faults,http}/*.test.ts',
      'tests/simulation/month/*.test.ts',
    ],
    { cwd: project },
  ).filter((file) => !isCore(file)),
].toSorted()

/** The tenth of each file. Files next to each other take turns, so that all tenths have some of each kind. */
const tenthOf = new Map(rotatingFiles.map((file, index) => [file, index % rotations]))

/** Returns the rotating files to skip. Each file runs once in ten rotations, and whenever it is one of `changed`. */
export function filesOutOfTurn(rotation: Rotation, changed: readonly string[] = []): string[] {
  return rotation === 'all'
    ? []
    : rotatingFiles.filter((file) => tenthOf.get(file) !== rotation && !changed.includes(file))
}

/** What rotating files test outside their folder. */
const sources: Readonly<Record<string, readonly string[]>> = {
  'tools/client-types.test.ts': ['tools/client-types.ts', 'api/operation.ts'],
  'tools/npm-versions.test.ts': ['tools/launch.mjs', 'package-lock.json'],
  'tools/postgres.test.ts': ['tools/postgres.ts'],
  'tools/start-refusals.test.ts': ['tools/start.ts', 'tools/run-store.ts'],
  'tools/start.test.ts': ['tools/start.ts', 'tools/run-store.ts', 'tools/supervisor.ts', 'tools/kept-postgres.ts'],
}
/** Pages requested by more tests are part of most journeys, and the core tests cover them. */
const maxOfPage = 8

/**
 * Returns the rotating files affected by a change. These are changed files, files that name a changed source, files
 * next to changed code, and HTTP tests that request a changed page. `changed` are paths from the project's folder.
 */
export function affectedFiles(changed: readonly string[]): string[] {
  const folders = new Set(changed.map((path) => dirname(path)))
  const requesting = new Set(addressesOf(changed).flatMap(filesThatRequest))
  return rotatingFiles.filter(
    (file) =>
      changed.includes(file) ||
      requesting.has(file) ||
      sources[file]?.some((path) => changed.includes(path)) ||
      (/^(?:adapters|domain|cxml|db|mcp|ucp)\//.test(file) && folders.has(dirname(file))),
  )
}

/** Returns the addresses of changed pages, up to their first parameter. */
function addressesOf(changed: readonly string[]): string[] {
  const modules = changed.filter((path) => path.startsWith('app/routes/'))
  if (modules.length === 0) return []
  const siteMap = ['app/routes.ts', 'app/office-routes.ts'].map((file) => readFileSync(join(project, file), 'utf8'))
  return [...siteMap.join('').matchAll(/route\('([^']+)', '([^']+)'/g)].flatMap(([, address = '', module = '']) =>
    modules.includes(`app/${module}`) ? [`/${address.split('/:')[0]}`] : [],
  )
}

function filesThatRequest(address: string): string[] {
  const files = rotatingFiles.filter(
    (file) => file.startsWith('tests/http/') && readFileSync(join(project, file), 'utf8').includes(address),
  )
  return files.length > maxOfPage ? [] : files
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

/** Returns the size of a randomized group, which is all of it in a full run and a sixth otherwise. */
export function crowdSize(all: number, rotation: Rotation = rotationOf(env)): number {
  return rotation === 'all' ? all : Math.ceil(all / 6)
}
