import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { invariants } from '#db/invariants/invariants.ts'
import { project } from './package-program.ts'
import { affectedFiles, coreTests, crowdSize, filesOutOfTurn, inTurn, rotatingFiles } from './rotation.testing.ts'
import { rotationOf, rotations } from './rotation.ts'

const tenths = Array.from({ length: rotations }, (_, rotation) => rotation)

test('ten rotations run every rotating file once', () => {
  const runs = tenths.flatMap((rotation) => {
    const left = new Set(filesOutOfTurn(rotation))
    return rotatingFiles.filter((file) => !left.has(file))
  })
  expect(runs.toSorted()).toEqual(rotatingFiles.toSorted())
  expect(filesOutOfTurn('all')).toEqual([])
})

test('each rotation runs as many files of each kind, give or take one', () => {
  for (const kind of ['adapters/', 'tests/e2e/', 'tests/faults/', 'tests/http/', 'domain/']) {
    const counts = tenths.map((rotation) => {
      const left = new Set(filesOutOfTurn(rotation))
      return rotatingFiles.filter((file) => file.startsWith(kind) && !left.has(file)).length
    })
    expect(Math.max(...counts) - Math.min(...counts), kind).toBeLessThanOrEqual(1)
    expect(Math.min(...counts), kind).toBeGreaterThan(0)
  }
})

test('a file that changed runs whether it is its turn or not', () => {
  const [file = '', ...others] = filesOutOfTurn(3)
  expect(filesOutOfTurn(3, [file])).toEqual(others)
})

test('a change to code of the business affects the tests next to it', () => {
  expect(affectedFiles(['domain/kernel/content/content.server.ts'])).toEqual([
    'domain/kernel/content/content.db.test.ts',
    'domain/kernel/content/redirects.db.test.ts',
  ])
  expect(affectedFiles(['package-lock.json'])).toEqual(['tools/npm-versions.test.ts'])
  expect(affectedFiles(['tools/staff.ts', 'README.md'])).toEqual([])
})

test('a change in an area also affects tests elsewhere, after those next to it', () => {
  const affected = affectedFiles(['domain/scheduling/booking/calendar.ts'])
  expect(affected[0]).toMatch(/^domain\/scheduling\/booking\//)
  expect(affected).toContain('domain/installer-portal/portal/capacity.db.test.ts')
  expect(affected.at(-1)).not.toMatch(/^domain\/scheduling\/booking\//)
})

test('a change in a sandbox affects the tests of its provider', () => {
  const affected = affectedFiles(['sandbox/paypal/orders.ts'])
  expect(affected).toContain('sandbox/paypal/paypal.test.ts')
  expect(affected).toContain('adapters/payments/paypal-records.contract.test.ts')
})

test('a changed module affects the tests that import it, up to a limit', () => {
  expect(affectedFiles(['tests/support/items.ts'])).toContain('tests/http/brand-restriction.test.ts')
  expect(
    affectedFiles(['tests/support/items.ts', 'domain/ordering/checkout/quote.server.ts', ...rotatingFiles]),
  ).toHaveLength(45)
})

test('a changed page affects the HTTP tests that request it, unless most do', () => {
  expect(affectedFiles(['app/routes/checkout/pay-again.tsx'])).toEqual(['tests/http/open-charges.test.ts'])
  expect(affectedFiles(['app/routes/storefront/home.tsx', 'app/routes/office/orders/order.tsx'])).toEqual([])
})

test('ten rotations run every case, and each runs those that are always picked', () => {
  const cases = Array.from({ length: 37 }, (_, index) => index)
  const always = (one: number) => one === 20
  const runs = tenths.map((rotation) => inTurn(cases, { always, rotation }))
  expect(new Set(runs.flat())).toEqual(new Set(cases))
  for (const run of runs) expect(run).toContain(20)
  expect(runs.flat()).toHaveLength(cases.length + rotations - 1)
  expect(inTurn(cases, { rotation: 'all' })).toEqual(cases)
})

test('every core test exists, and none rotates', () => {
  expect(coreTests.filter((path) => !existsSync(join(project, path)))).toEqual([])
  for (const path of coreTests) expect(rotatingFiles.filter((file) => file.startsWith(path))).toEqual([])
})

test.for([
  ['0', 0],
  ['9', 9],
  ['10', 'all'],
  ['-1', 'all'],
  ['1.5', 'all'],
  ['', 'all'],
  ['x', 'all'],
  [undefined, 'all'],
] as const)('TEST_ROTATION=%s is rotation %s', ([asked, rotation]) => {
  expect(rotationOf({ TEST_ROTATION: asked })).toBe(rotation)
})

test('a crowd is whole in a run of all tests, and a sixth of it otherwise', () => {
  expect(crowdSize(200, 'all')).toBe(200)
  expect(crowdSize(200, 0)).toBe(34)
})

/** Break what must always be true, and expect the store to notice: each invariant, and books that differ by a cent. */
const plantedBreaks = ['tests/faults/verify.test.ts', 'tests/simulation/reconciled-orders.db.test.ts']

test.for(plantedBreaks)('%s runs whole with every rotation', async (file) => {
  for (const rotation of tenths) expect(filesOutOfTurn(rotation)).not.toContain(file)
  expect(await readFile(join(project, file), 'utf8')).not.toMatch(/test\.(?:for|each)\((?:inTurn|crowdSize)/)
})

test('every invariant is broken by a test that runs with every rotation', async () => {
  const texts = await Promise.all(plantedBreaks.map((file) => readFile(join(project, file), 'utf8')))
  const broken = (name: string) => texts.some((text) => text.includes(`\n  '${name}': {`))
  expect(invariants.map(({ name }) => name).filter((name) => !broken(name))).toEqual([])
})
