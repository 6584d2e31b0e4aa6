/** The tests that rotate, for Vitest and for the tables of tests. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { env } from 'node:process'
import { areas } from './areas.testing.ts'
import { project } from './package-program.ts'
import { rotationOf, rotations, type Rotation } from './rotation.ts'

const named = (folder: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => join(folder, `${name}.test.ts`))

/**
 * Test files that every run takes. A change also runs the tests it affects, so only tests that cover code in many folders
 * are listed.
 */
export const coreTests: readonly string[] = [
  // The last units of stock, broken invariants, and a tenth of each table of crashes.
  ...named('tests/faults', 'crashes overtakes restarts stock verify'),
  ...named('tests/simulation', 'reconciled-orders.db'),
  // An order with installation, and a tenth of the pages.
  ...named('tests/e2e', 'buy-installed every-page'),
  // Carts, payments, and orders over HTTP, and a tenth of the attempts to see and change other people's records.
  ...named(
    'tests/http',
    `
    agent-checkout api built-files cards cart cart-changes cart-keys confirm-order forbids office-acts order-look-up
    others-ids payment-pages product`,
  ),
  ...named('api', 'buying.db checkouts.db'),
  ...named('domain/customers/accounts', 'sign-in.db'),
  ...named('domain/ordering/checkout', 'place-order.db'),
  ...named('domain/ordering/orders', 'place.db'),
  ...named('domain/payments/payments', 'payment-routes.db'),
  ...named('domain/scheduling/booking', 'races.db'),
  ...named('domain/supply/stock', 'stock.db availability.db'),
  // It reads all sources.
  ...named('tools', 'conflict-targets.db'),
  'db/schema.db.test.ts',
]

/** Tests of tools that take as long as a hundred tests of rules. The other tests of tools always run. */
const slowTools = [
  ...named(
    'tools',
    `bundle-programs client-types fonts/make-fonts launch npm-versions pack-client postgres start start-refusals
    supervisor`,
  ),
]

/** Tests of rules that take seconds because of pictures, large files, or all sources. The others always run. */
const slowRules = [
  ...named('app', 'content/exact-messages server/page-sections'),
  ...named('content', 'paths'),
  ...named('cxml', 'cxml'),
  ...named('db/seed', 'market orders'),
  ...named('domain/catalog', 'catalog/model-listing sidewall-reading/unwrap vehicles/size-facts'),
  ...named('domain/catalog/catalog-import', 'aces-rows pies-rows read-rows'),
  ...named('pictures', 'pictures.server'),
]

const withDatabase = 'adapters,api,app,content,cxml,db,domain,http,mcp,pictures,platform,tests,tools,ucp'

/** Files that rotate as a whole. A file that isn't among the core tests needs no entry. */
export const rotatingFiles: readonly string[] = [
  ...slowTools,
  ...slowRules,
  ...globSync(
    [
      `{${withDatabase}}/**/*.db.test.ts`,
      '{adapters,sandbox}/**/*.test.ts',
      'tests/{e2e,faults,http}/*.test.ts',
      'tests/simulation/month/*.test.ts',
    ],
    { cwd: project },
  ).filter((file) => !coreTests.includes(file)),
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
  'tools/bundle-programs.test.ts': ['tools/bundle-programs.ts', 'tools/build.ts'],
  'tools/client-types.test.ts': ['tools/client-types.ts', 'api/operation.ts'],
  'tools/launch.test.ts': ['tools/launch.mjs', 'tools/command.ts'],
  'tools/npm-versions.test.ts': ['tools/launch.mjs', 'package-lock.json'],
  'tools/postgres.test.ts': ['tools/postgres.ts'],
  'tools/start-refusals.test.ts': ['tools/start.ts', 'tools/run-store.ts'],
  'tools/supervisor.test.ts': ['tools/supervisor.ts', 'tools/supervised-child.ts'],
  'tools/start.test.ts': ['tools/start.ts', 'tools/run-store.ts', 'tools/supervisor.ts', 'tools/kept-postgres.ts'],
}
/** More files would take longer than their detection is worth: a full run follows. */
const maxAffected = 45
/** Pages requested by more tests are part of most journeys, and the core tests cover them. */
const maxOfPage = 8

/**
 * Returns the rotating files affected by a change, most of all first and at most `maxAffected`. These are, in order,
 * changed files; files that name a changed source, lie next to changed code, or request a changed page; tests of a
 * changed area elsewhere; and tests that import a changed module. `changed` are paths from the project's folder.
 */
export function affectedFiles(changed: readonly string[]): string[] {
  const folders = new Set(changed.map((path) => dirname(path)))
  const requesting = new Set(addressesOf(changed).flatMap(filesThatRequest))
  const elsewhere = new Set(globSync([...folders].flatMap(testsOfArea), { cwd: project }))
  const isNext = (file: string) =>
    requesting.has(file) ||
    sources[file]?.some((path) => changed.includes(path)) ||
    (isBesideCode(file) && folders.has(dirname(file)))
  const imports = importsOneOf(changed)
  const closeness = (file: string) =>
    changed.includes(file) ? 0 : isNext(file) ? 1 : elsewhere.has(file) ? 2 : imports(file) ? 3 : Infinity
  return rotatingFiles
    .map((file) => ({ file, at: closeness(file) }))
    .filter(({ at }) => at < Infinity)
    .toSorted((one, other) => one.at - other.at)
    .slice(0, maxAffected)
    .map(({ file }) => file)
}

/** Whether a test lies in the folder of the code that it tests. */
function isBesideCode(file: string): boolean {
  return !/^(?:tests|tools|platform|api|http)\//.test(file)
}

/** Returns the patterns of the tests of a folder in domain/ that is an area or in one. */
function testsOfArea(folder: string): readonly string[] {
  if (folder.startsWith('sandbox/')) return testsOfSandbox(folder)
  const [top, , area = ''] = folder.split('/')
  const elsewhere = top === 'domain' ? areas[area] : undefined
  return elsewhere === undefined ? [] : [`domain/*/${area}/**/*.test.ts`, ...elsewhere]
}

/** Returns the patterns of the tests of a provider, which run against its sandbox. */
function testsOfSandbox(folder: string): readonly string[] {
  const [, provider = ''] = folder.split('/')
  return [`sandbox/${provider}/**/*.test.ts`, `adapters/${provider}/*.test.ts`, `adapters/*/${provider}*.test.ts`]
}

/** Whether a test imports one of the changed modules directly. */
function importsOneOf(changed: readonly string[]): (file: string) => boolean {
  const specifiers = changed.filter((path) => /\.tsx?$/.test(path)).map((path) => `'#${path}'`)
  return (file) => {
    if (specifiers.length === 0) return false
    const text = readFileSync(join(project, file), 'utf8')
    return specifiers.some((specifier) => text.includes(specifier))
  }
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
