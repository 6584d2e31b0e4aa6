import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { readPassedChecks } from './passed-checks.ts'

test('a check that passed is remembered until a file changes', async () => {
  await using root = await createTemporaryFolder()
  await using cache = await createTemporaryFolder()
  const read = () => readPassedChecks(root.path, cache.path)
  await writeFile(join(root.path, 'a.ts'), 'export const a = 1\n')

  await (await read()).add('types')
  expect((await read()).has('types')).toBe(true)
  expect((await read()).has('lint')).toBe(false)

  await writeFile(join(root.path, 'a.ts'), 'export const a = 2\n')
  expect((await read()).has('types')).toBe(false)
  await writeFile(join(root.path, 'a.ts'), 'export const a = 1\n')
  await writeFile(join(root.path, 'b.ts'), '')
  expect((await read()).has('types')).toBe(false)
})

test('without a place for the cache every check runs', async () => {
  await using root = await createTemporaryFolder()
  const file = join(root.path, 'a.ts')
  await writeFile(file, '')
  const passed = await readPassedChecks(root.path, join(file, 'below-a-file'))
  await passed.add('types')
  expect((await readPassedChecks(root.path, join(file, 'below-a-file'))).has('types')).toBe(false)
})
