import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { packageProgram, project, runNode } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

/** A small project that breaks every rule, as pairs of the importing file and its forbidden import. */
const breaches: [rule: string, from: string, to: string][] = [
  ['no-circles', 'platform/clock.ts', './zone.ts'],
  ['resolvable', 'platform/log.ts', './nowhere.ts'],
  ['declared-packages', 'platform/ids.ts', 'undeclared'],
  ['no-development-packages-in-the-product', 'platform/outcome.ts', 'for-development'],
  ['doors-of-a-capability-for-the-app', 'app/routes/shops/slots.tsx', '../../../domain/scheduling/booking/hours.ts'],
  ['doors-of-a-capability-for-others', 'domain/payments/cart/cart.ts', '../../scheduling/booking/hours.ts'],
  ['contexts-downward', 'domain/scheduling/booking/late.ts', '../../ordering/orders/orders.ts'],
  ['domain-knows-nothing-outside', 'domain/payments/cart/cart.server.ts', '../../../adapters/mail/smtp.ts'],
  ['platform-is-the-ground', 'platform/jobs.ts', '../domain/scheduling/booking/booking.ts'],
  ['browser-safe-doors', 'domain/ordering/orders/orders.ts', './orders.server.ts'],
  ['no-node-in-the-browser', 'domain/ordering/orders/words.ts', 'node:fs'],
  ['pictures-only-draw', 'pictures/pictures.server.ts', '../domain/ordering/orders/orders.server.ts'],
  ['pictures-for-who-shows', 'domain/ordering/orders/receipt.ts', '../../../pictures/pictures.ts'],
  ['adapters-implement-ports', 'adapters/mail/smtp.ts', '../../domain/scheduling/booking/booking.ts'],
  ['adapters-apart', 'adapters/mail/postcard.ts', '../carriers/parcel.ts'],
  ['app-gets-its-parts-from-the-application', 'app/routes/shops/shops.tsx', '../../../application.ts'],
  ['client-stands-alone', 'api/client/client.ts', '../../domain/scheduling/booking/booking.ts'],
  ['pages-call-the-client', 'app/ui/seen.ts', '../../api/caller.ts'],
  ['routes-apart', 'app/routes/account/orders.tsx', '../shops/slots.tsx'],
  ['routes-are-leaves', 'app/server/context.ts', '../routes/shops/slots.tsx'],
  ['ui-shows', 'app/ui/price.tsx', '../../domain/ordering/orders/orders.server.ts'],
  ['programs-and-pages-apart', 'api/tires.ts', '../app/ui/label.ts'],
  ['tools-stand-on-operations', 'api/caller.ts', '../mcp/tool.ts'],
  ['http-serves-both', 'http/visitor.ts', '../api/caller.ts'],
  ['doors-apart', 'ucp/carts.ts', '../api/caller.ts'],
  ['agents-over-http', 'app/ui/agent.ts', '../../ucp/answers.ts'],
  ['words-stand-alone', 'content/messages/cart.ts', '../../http/cookies.ts'],
  ['sandbox-plays-the-outside', 'sandbox/main.ts', '../domain/scheduling/booking/booking.ts'],
  ['tests-are-not-part-of-the-product', 'server.ts', './domain/scheduling/booking/booking.testing.ts'],
  ['tools-are-not-part-of-the-product', 'worker.ts', './tools/start.ts'],
]

test('finds a violation of each rule and no others', async () => {
  await using folder = await createTemporaryFolder(brokenProject())

  const { found, rules } = await findBreaches(folder.path)

  expect(found).toEqual(breaches.map(([rule, from]) => `${rule} ${from}`).sort())
  expect(rules).toEqual(breaches.map(([rule]) => rule).sort())
})

test('allowed imports are not violations', async () => {
  await using folder = await createTemporaryFolder({
    'package.json': JSON.stringify({ imports: { '#adapters/*': './adapters/*' } }),
    'application.ts':
      "import '#adapters/mail/smtp.ts'\nimport './pictures/pictures.server.ts'\nexport type Application = object",
    'app/routes/shops/slots.tsx':
      "import { book } from '../../../domain/scheduling/booking/booking.server.ts'\nimport type { Application } from '../../../application.ts'\nimport '../../../pictures/pictures.ts'\nimport './slot-list.tsx'",
    'app/routes/shops/slot-list.tsx':
      "import type { Slot } from '../../../domain/scheduling/booking/booking.server.ts'\nexport const list: Slot[] = []",
    'domain/scheduling/booking/booking.server.ts':
      "import './hours.ts'\nimport '../../supply/stock/stock.ts'\nimport 'node:crypto'\nexport type Slot = object",
    'domain/scheduling/booking/hours.ts': "import '../../../platform/clock.ts'",
    'domain/scheduling/booking/calendar.port.ts': 'export type Calendar = object',
    'domain/supply/stock/stock.ts': 'export {}',
    'platform/clock.ts': 'export {}',
    'pictures/pictures.ts': "import '../platform/clock.ts'\nimport './tread.ts'",
    'pictures/pictures.server.ts':
      "import 'node:crypto'\nimport { book } from '../domain/scheduling/booking/booking.ts'\nimport './pictures.ts'",
    'pictures/tread.ts': 'export {}',
    'domain/scheduling/booking/booking.ts': 'export {}',
    'adapters/calendars/ical.ts': "import type { Calendar } from '../../domain/scheduling/booking/calendar.port.ts'",
    'adapters/mail/smtp.ts': 'export {}',
  })

  expect((await findBreaches(folder.path)).found).toEqual([])
})

test('the folders of domain/ form no circle', async () => {
  const paths = (await listProjectFiles(project)).filter(
    (path) => /^domain\/[^/]+\/[^/]+\/.*\.tsx?$/.test(path) && !/\.(?:test|testing|example|arbitrary)\./.test(path),
  )
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(project, path), 'utf8') })),
  )
  expect(files.length).toBeGreaterThan(900)
  expect(circleOf(files)).toEqual([])
})

test('a circle of folders is found, also by types and over several folders', () => {
  const cart = {
    path: 'domain/payments/cart/cart.ts',
    text: "import type { Rule } from '#domain/payments/rules/rules.ts'",
  }
  const rules = {
    path: 'domain/payments/rules/rules.ts',
    text: "export { book } from '#domain/payments/books/books.ts'",
  }
  const books = { path: 'domain/payments/books/books.ts', text: "import '../../payments/cart/cart.ts'" }
  const other = { path: 'domain/supply/stock/stock.ts', text: "import '#domain/payments/cart/cart.ts'" }
  expect(circleOf([cart, rules, books, other])).toEqual(['payments/books', 'payments/cart', 'payments/rules'])
  expect(circleOf([cart, rules, other])).toEqual([])
})

/** Returns the folders that import each other, directly or not; folders that only import them are left out. */
function circleOf(files: readonly { path: string; text: string }[]): string[] {
  const folderOf = (path: string) => path.split('/').slice(1, 3).join('/')
  const imports = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const from = folderOf(path)
    const found = imports.getOrInsertComputed(from, () => new Set())
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?'([^']+)'/g)) {
      const target = specifier.startsWith('.') ? join(dirname(path), specifier) : specifier.replace('#', '')
      if (target.startsWith('domain/') && folderOf(target) !== from) found.add(folderOf(target))
    }
  }
  // A folder without remaining imports or importers is in no circle.
  for (;;) {
    const left = [...imports.keys()]
    const isNeeded = (folder: string) => [...imports.values()].some((targets) => targets.has(folder))
    const outside = left.filter((folder) => imports.get(folder)?.size === 0 || !isNeeded(folder))
    if (outside.length === 0) return left.toSorted()
    for (const folder of outside) {
      imports.delete(folder)
      for (const targets of imports.values()) targets.delete(folder)
    }
  }
}

function brokenProject(): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ devDependencies: { 'for-development': '1.0.0' } }),
    'application.ts': 'export {}',
    'platform/zone.ts': "import './clock.ts'",
    'tools/start.ts': 'export {}',
    'domain/scheduling/booking/booking.ts': 'export {}',
    'domain/scheduling/booking/booking.testing.ts': 'export {}',
    'mcp/tool.ts': 'export {}',
    'api/caller.ts': 'export {}',
    'ucp/answers.ts': 'export {}',
    'app/ui/label.ts': 'export {}',
    'http/cookies.ts': 'export {}',
    'domain/scheduling/booking/hours.ts': 'export {}',
    'domain/ordering/orders/orders.server.ts': 'export {}',
    'pictures/pictures.ts': 'export {}',
    'adapters/carriers/parcel.ts': 'export {}',
  }
  for (const name of ['undeclared', 'for-development']) {
    files[`node_modules/${name}/package.json`] = JSON.stringify({ name, main: 'index.js' })
    files[`node_modules/${name}/index.js`] = ''
  }
  for (const [, from, to] of breaches) files[from] = `${files[from] ?? ''}import ${JSON.stringify(to)}\n`
  return files
}

async function findBreaches(folder: string): Promise<{ found: string[]; rules: string[] }> {
  const flags = ['--config', join(project, '.dependency-cruiser.mjs'), '--output-type', 'json', '.']
  const { output } = await runNode(packageProgram('dependency-cruiser', flags), { cwd: folder })
  type Rule = { name: string }
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; rule: Rule }[]; ruleSetUsed: { forbidden: Rule[] } }
  }
  return {
    found: summary.violations.map(({ from, rule }) => `${rule.name} ${from}`).sort(),
    rules: [...new Set(summary.ruleSetUsed.forbidden.map(({ name }) => name))].sort(),
  }
}
