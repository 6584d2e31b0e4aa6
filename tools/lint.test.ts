import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { packageProgram, project, runNode } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

const namedClock = 'sidewall-times(named-clock)'
const hiddenInputs = 'sidewall(hidden-inputs)'
const counted = 'sidewall-counts(counted)'
const oneValue = 'sidewall-tuples(one-value)'

const refused: [rule: string, source: string][] = [
  [hiddenInputs, 'export const now = Date.now()'],
  [hiddenInputs, 'export const now = new Date()'],
  [hiddenInputs, 'export const now = Date()'],
  [hiddenInputs, 'export const now = Temporal.Now.instant()'],
  [hiddenInputs, 'export const chance = Math.random()'],
  [hiddenInputs, "export const chance = Math['random']()"],
  [hiddenInputs, 'export const key = process.env.KEY'],
  [hiddenInputs, 'const { env } = process\nexport const key = env.KEY'],
  [
    namedClock,
    "export const text = (at: Temporal.Instant) => at.toLocaleString('en-US', { hour: 'numeric', minute: '2-digit' })",
  ],
  [namedClock, "export const text = (at: Temporal.Instant) => at.toLocaleString('en-US', { timeStyle: 'short' })"],
  [namedClock, "export const text = (at: Date) => at.toLocaleTimeString('en-US')"],
  [namedClock, "export const format = new Intl.DateTimeFormat('en-US', { hour: 'numeric' })"],
  [namedClock, 'export const text = (hour: number) => `${hour % 12 || 12} o’clock`'],
  [counted, 'export const text = (days: number) => `Open for ${days} days.`'],
  [counted, 'export const text = (times: readonly string[]) => `${times.length} free times`'],
  [counted, "export const text = (count: number) => (count === 1 ? '1 tire' : 'tires')"],
  [counted, "export const text = (count: number) => (count !== 1 ? 'tires' : 'tire')"],
  [counted, "export const text = (count: number) => `${count} tire${count > 1 ? 's' : ''}`"],
  [counted, 'export const text = (count: number, one: string, many: string) => (count === 1 ? one : many)'],
  ['eslint(no-console)', "console.log('booked')"],
  ['typescript(no-explicit-any)', 'export const order: any = {}'],
  ['typescript(ban-ts-comment)', '// @ts-ignore\nexport const order: string = 1'],
  ['typescript(no-floating-promises)', 'async function book() {}\nexport function press() {\n  book()\n}'],
  ['import(no-default-export)', 'export default function book() {}'],
]

/** Lints the sources above together and returns the findings for each. */
const foundInEach = memoize(async () => {
  const found = await lint(Object.fromEntries(refused.map(([, source], index) => [nameOf(index), source])))
  return Map.groupBy(found, ({ file }) => file)
})
const nameOf = (index: number) => `domain/booking-${index}.ts`

test.each(refused.map(([rule, source], index) => ({ rule, source, index })))(
  '$rule rejects in the domain: $source',
  async ({ rule, index }) => {
    const found = (await foundInEach()).get(nameOf(index)) ?? []
    expect(found.map(({ code }) => code)).toContain(rule)
  },
)

test('the platform may read the current time and the environment; a fixed date is allowed anywhere', async () => {
  const found = await codesOf({
    'platform/clock.ts': 'export const now = [Date.now(), new Date(), Math.random(), process.env.KEY]',
    'domain/scheduling/booking.ts': "export const opening = new Date(0)\nexport const year = Date.parse('2026-11-20')",
  })

  expect(found.filter((code) => code === hiddenInputs)).toEqual([])
})

test('a number before its noun in a page is found, also at the end of a line; a name before a noun is allowed', async () => {
  const found = await codesOf({
    'app/cart.tsx': 'export const Cart = ({ count }: { count: number }) => <p>{count} tires</p>',
    'app/order.tsx': "export const Order = ({ days }: { days: number }) => <p>Within {days}{' '}\n business days</p>",
    'app/brand.tsx': 'export const Brand = ({ brand }: { brand: { name: string } }) => <p>{brand.name} tires</p>',
    'domain/scheduling/booking.ts':
      'export const text = (name: string, hours: number) => [`${name} tires`, `${hours} h`]',
  })

  expect(found.filter((code) => code === counted)).toHaveLength(2)
})

test('a test that compares several values in one list is found; a list, an object with names and one value are allowed', async () => {
  const compared = [
    'expect([answer.status, text]).toEqual([200, "ok"])',
    'expect([path, answer.status], path).toStrictEqual([path, 404])',
    'expect([answer.status, answer]).toMatchObject([403, { status: 403 }])',
    'expect([path, answer.status]).not.toEqual([path, 404])',
  ]
  const allowed = [
    'expect(answer.status, path).toBe(200)',
    'expect({ status: answer.status, text }).toEqual({ status: 200, text: "ok" })',
    'expect([...path, text]).toEqual(["/", "ok"])',
    'expect(path.split("/")).toEqual(["", ""])',
    'expect([path]).toEqual(["/"])',
    'expect([path, text]).toContain("/")',
    'expect([path, text]).toEqual(words)',
  ]
  const source = (statements: readonly string[]) =>
    `import { expect } from 'vitest'
    const [path, text, words, answer] = ['/', 'ok', ['/', 'ok'], { status: 200 }]
    ${statements.join('\n')}
    `

  const found = await lint({ 'domain/a.test.ts': source(compared), 'domain/b.test.ts': source(allowed) })
  expect(found.filter(({ code }) => code === oneValue).map(({ file }) => file)).toEqual(
    compared.map(() => 'domain/a.test.ts'),
  )
})

test('the list of long or complex code only gets shorter', async () => {
  const text = await readFile(join(project, '.oxlintrc.json'), 'utf8')
  const [, listed = ''] = /Exceptions of size\.[^[]*\[([^\]]*)\]/.exec(text) ?? []
  const files = [...listed.matchAll(/"([^"]+)"/g)].map(([, file = '']) => file)

  expect(files.length).toBeLessThanOrEqual(1)
  for (const file of files) expect(await readFile(join(project, file), 'utf8'), file).toMatch(/over 400 lines: \S/)
})

test('a file of more than 400 lines explains why at its top', async () => {
  const silent: string[] = []
  for (const file of await listProjectFiles(project)) {
    if (!/\.(?:tsx?|mjs|js|css)$/.test(file) || generated.test(file)) continue
    const lines = (await readFile(join(project, file), 'utf8')).split('\n')
    const top = lines
      .slice(0, 12)
      .join(' ')
      .replaceAll(/\s+\*?\s*/g, ' ')
    if (lines.length - 1 > 400 && !/over 400 lines: \S/i.test(top)) silent.push(file)
  }

  expect(silent).toEqual([])
})

const generated = /^(?:db\/types\.ts|api\/client\/operations\.ts|pictures\/glyphs\/)/

async function codesOf(files: Record<string, string>): Promise<string[]> {
  return (await lint(files)).map(({ code }) => code)
}

/** The codes of the rules that the files break, under the project's own configuration, each with its file. */
async function lint(files: Record<string, string>): Promise<{ code: string; file: string }[]> {
  await using folder = await createTemporaryFolder({
    ...files,
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, lib: ['ESNext', 'DOM'] }, include: ['**/*'] }),
  })
  for (const file of [
    '.oxlintrc.json',
    ...['counts', 'hidden-inputs', 'times', 'tuples'].map((name) => `tools/lint-${name}.mjs`),
  ])
    await cp(join(project, file), join(folder.path, file))
  const { output } = await runNode(packageProgram('oxlint', ['--format', 'json', '--ignore-pattern', 'tools']), {
    cwd: folder.path,
  })
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] }
  return diagnostics.map(({ code, filename }) => ({ code, file: filename }))
}

/** Makes what `make` makes once, when it is first needed. */
function memoize<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}
