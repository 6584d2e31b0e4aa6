import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { project } from '../package-program.ts'
import { listProjectFiles } from '../project-files.ts'
import { mutate } from './mutants.ts'

/** The faults in a function of this body, as "was -> becomes". */
const faultsIn = (body: string) =>
  mutate('f.ts', `export function f(a, b, list) {\n${body}\n}`).mutants.map(
    ({ was, becomes }) => `${was} -> ${becomes}`,
  )

test('every fault is a plausible mistake', () => {
  expect(faultsIn('return a < b').slice(1)).toEqual(['a < b -> (a) <= (b)', 'a < b -> (a) >= (b)'])
  expect(faultsIn('return a && !b').slice(1)).toEqual(['a && !b -> (a) || (!b)', '!b -> !!(b)'])
  expect(faultsIn('if (a) { b += 1 }').slice(1)).toEqual([
    'a -> true',
    'a -> false',
    '{ b += 1 } -> {}',
    'b += 1 -> (b -= (1))',
  ])
  expect(faultsIn('return list.filter((one) => one)').slice(1)).toEqual([
    'list.filter((one) => one) -> list',
    'one -> undefined',
  ])
  expect(faultsIn("return list.where('id', '=', a).every((one) => one > 1)").slice(1)).toEqual([
    "list.where('id', '=', a).every((one) => one > 1) -> list.where('id', '=', a).some((one) => one > 1)",
    "list.where('id', '=', a) -> list",
    'one > 1 -> (one) >= (1)',
    'one > 1 -> (one) <= (1)',
  ])
  expect(faultsIn('for (let i = 0; i < a; i++) {}').slice(1)).toEqual([
    'i < a -> (i) <= (a)',
    'i < a -> (i) >= (a)',
    'i++ -> i--',
  ])
})

test('code that no switch reaches, strings and types are left alone', () => {
  expect(mutate('f.ts', "const limit = 3 + 4\ntype A = 'a' | 'b'\nexport const table = [1, 2]").mutants).toEqual([])
  expect(faultsIn("return 'a' + b").slice(1)).toEqual([])
  expect(faultsIn('const set = new Set(); set.add(a)').slice(1)).toEqual([])
  expect(faultsIn('return a.add({ days: b })').slice(1)).toEqual(['a.add({ days: b }) -> a.subtract({ days: b })'])
})

test('the copy behaves like the file until a fault is switched on, then has that fault', async () => {
  const source = `
    function firstLong(words: readonly string[], least: number): string | undefined {
      const found: string[] = []
      for (const word of words.filter((each) => each !== '')) {
        if (word?.trim().length >= least) found.push(word)
      }
      return found[0] ?? (words.length > 5 ? 'many' : undefined)
    }`
  const { mutants, code } = mutate('f.ts', source)
  const { code: plain } = await transformWithOxc(code, 'f.ts')
  const run = (active: number) =>
    runInNewContext(
      `globalThis.__mutant = (id) => id === ${active}\n${plain}\n;[['', 'on', 'wheel'], ['on', 'a'], []].map((words) => firstLong(words, 2))`,
    ) as unknown[]
  expect(run(0)).toEqual(['on', 'on', undefined])
  const seen = mutants.map(({ id }) => JSON.stringify(run(id)))
  expect(mutants).toHaveLength(9)
  // Only some of the faults show in this output.
  expect(seen.filter((answers) => answers !== JSON.stringify(run(0))).length).toBeGreaterThan(5)
})

test('a changed statement does not continue the line above it', async () => {
  const source = `
    function countDown(steps: number): number {
      const start = steps
      steps -= 1
      const list = [3]
      list.filter((one) => one > 1).forEach((one) => (steps += one))
      if (start > 9) steps += 1
      else steps -= 1
      return steps
    }`
  const { code } = await transformWithOxc(mutate('f.ts', source).code, 'f.ts')
  expect(runInNewContext(`globalThis.__mutant = () => false\n${code}\n;[countDown(5), countDown(10)]`)).toEqual([6, 13])
})

test('the copy has only the chosen faults, under the same numbers', () => {
  const source = 'export const f = (a: number) => a > 1 && a < 9'
  const whole = mutate('f.ts', source, { firstId: 10 })
  expect(whole.mutants.map(({ id }) => id)).toEqual([10, 11, 12, 13, 14])
  const { mutants, code } = mutate('f.ts', source, { firstId: 10, isChosen: (id) => id === 12 })
  expect(mutants).toEqual(whole.mutants)
  expect(code.match(/__mutant\?\.\((\d+)\)/g)).toEqual(['__mutant?.(12)'])
})

test('the copies of all mutated files can be parsed', async () => {
  const files = (await listProjectFiles(project)).filter((path) =>
    /^domain\/[\w-]+\/(?:pricing|fitment|booking|checkout|payments|companies)\/[^.]+(?:\.server|\.sql\.server)?\.ts$/.test(
      path,
    ),
  )
  expect(files.length).toBeGreaterThan(70)
  for (const path of files) {
    const { code } = mutate(path, await readFile(join(project, path), 'utf8'))
    expect(await transformWithOxc(code, path).then(() => 'read', String), path).toBe('read')
  }
})
