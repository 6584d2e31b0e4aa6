import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { packageProgram, project, runNode } from './package-program.ts'

const namedClock = 'sidewall-times(named-clock)'
const hiddenInputs = 'sidewall(hidden-inputs)'

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
  ['eslint(no-console)', "console.log('booked')"],
  ['typescript(no-explicit-any)', 'export const order: any = {}'],
  ['typescript(ban-ts-comment)', '// @ts-ignore\nexport const order: string = 1'],
  ['typescript(no-floating-promises)', 'async function book() {}\nexport function press() {\n  book()\n}'],
  ['import(no-default-export)', 'export default function book() {}'],
]

test.each(refused)('%s rejects in the domain: %s', async (rule, source) => {
  expect(await lint({ 'domain/booking.ts': source })).toContain(rule)
})

test('the platform may read the current time and the environment; a fixed date is allowed anywhere', async () => {
  const found = await lint({
    'platform/clock.ts': 'export const now = [Date.now(), new Date(), Math.random(), process.env.KEY]',
    'domain/booking.ts': "export const opening = new Date(0)\nexport const year = Date.parse('2026-11-20')",
  })

  expect(found.filter((code) => code === hiddenInputs)).toEqual([])
})

test('the list of what is too long or too branched only becomes shorter', async () => {
  const text = await readFile(join(project, '.oxlintrc.json'), 'utf8')
  const [, listed = ''] = /Exceptions of size\.[^[]*\[([^\]]*)\]/.exec(text) ?? []
  const files = [...listed.matchAll(/"([^"]+)"/g)].map(([, file = '']) => file)

  expect(files.length).toBeLessThanOrEqual(1)
  for (const file of files) expect(await readFile(join(project, file), 'utf8'), file).toMatch(/over 400 lines: \S/)
})

/** The codes of the rules that the files break, under the project's own configuration. */
async function lint(files: Record<string, string>): Promise<string[]> {
  await using folder = await createTemporaryFolder({
    ...files,
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, lib: ['ESNext', 'DOM'] }, include: ['**/*'] }),
  })
  for (const file of ['.oxlintrc.json', 'tools/lint-hidden-inputs.mjs', 'tools/lint-times.mjs'])
    await cp(join(project, file), join(folder.path, file))
  const { output } = await runNode(packageProgram('oxlint', ['--format', 'json', '--ignore-pattern', 'tools']), {
    cwd: folder.path,
  })
  return (JSON.parse(output) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code)
}
