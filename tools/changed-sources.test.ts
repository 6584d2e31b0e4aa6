import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { readChangedSources, type Since } from './changed-sources.ts'

/** A project with a chain of imports, and eight files apart from it. */
async function openProject() {
  const folder = await createTemporaryFolder()
  const state = join(folder.path, 'node_modules/state.json')
  const write = (path: string, text: string) => writeFile(join(folder.path, path), text)
  await mkdir(join(folder.path, 'app'))
  await mkdir(join(folder.path, 'domain'))
  await mkdir(join(folder.path, '.react-router/types/app/+types'), { recursive: true })
  await write('domain/money.ts', 'export type Cents = number')
  await write('domain/prices.ts', "import type { Cents } from './money.ts'")
  await write('app/page.tsx', "export { price } from '#domain/prices.ts'")
  for (let count = 0; count < 8; count++) await write(`app/other-${count}.ts`, 'export {}')
  await write('package.json', '{}')
  return {
    write,
    remove: (path: string) => rm(join(folder.path, path)),
    read: (since?: Since) => readChangedSources(folder.path, state, since),
    state,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test('a change affects the file and those that import it, directly or not', async () => {
  await using project = await openProject()
  const first = await project.read()
  expect(first.affected).toBeNull()
  await first.keep()
  expect((await project.read()).affected).toEqual([])

  await project.write('domain/money.ts', 'export type Cents = bigint')
  expect((await project.read()).affected).toEqual(['app/page.tsx', 'domain/money.ts', 'domain/prices.ts'])
  // Until a check passes, the change stays.
  expect((await project.read()).affected).toContain('domain/money.ts')

  await project.write('domain/money.ts', 'export type Cents = number')
  await project.remove('domain/prices.ts')
  expect((await project.read()).affected).toEqual(['app/page.tsx'])
})

test('a change of a layout affects its pages', async () => {
  await using project = await openProject()
  await project.write('app/layout.tsx', 'export const loader = () => 1')
  await project.write('app/inside.tsx', "import type { Route } from './+types/inside.ts'")
  await project.write('.react-router/types/app/+types/inside.ts', 'type Layout = typeof import("../layout.js")')
  await (await project.read()).keep()
  await project.write('app/layout.tsx', 'export const loader = () => null')
  expect((await project.read()).affected).toEqual(['app/inside.tsx', 'app/layout.tsx'])
})

test.for([
  ['the settings change', 'package.json', '{ "type": "module" }'],
  ['a global type changes', 'app/globals.ts', 'declare global { var shop: string }'],
  ['the routes change', 'app/routes.ts', 'export default []'],
] as const)('all files are checked if %s', async ([, path, text]) => {
  await using project = await openProject()
  await (await project.read()).keep()
  await project.write(path, text)
  expect((await project.read()).affected).toBeNull()
})

test('all files are checked if the record cannot be read', async () => {
  await using project = await openProject()
  await (await project.read()).keep()
  await writeFile(project.state, '{"app/page')
  expect((await project.read()).affected).toBeNull()
})

test('without a record, the files affected by a change and a tenth of all are enough, and aren’t recorded', async () => {
  await using project = await openProject()
  const { affected, isPart, keep } = await project.read({ changed: ['domain/prices.ts'], rotation: 2 })
  expect(isPart).toBe(true)
  // Eleven sources by name, of which the third is in the tenth 2.
  expect(affected).toEqual(['app/other-2.ts', 'app/page.tsx', 'domain/prices.ts'])
  await keep()
  expect((await project.read()).affected).toBeNull()
})

test('with a record, only its changes count', async () => {
  await using project = await openProject()
  await (await project.read()).keep()
  await project.write('app/other-1.ts', 'export const one = 1')
  const { affected, isPart } = await project.read({ changed: ['domain/prices.ts'], rotation: 2 })
  expect(isPart).toBe(false)
  expect(affected).toEqual(['app/other-1.ts'])
})

test('all files are checked if the settings changed since the commit', async () => {
  await using project = await openProject()
  expect((await project.read({ changed: ['package.json'], rotation: 2 })).affected).toBeNull()
})
