import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { lockFolder } from './folder-lock.ts'

test('a folder has one holder, which describes itself; another folder is free', async () => {
  await using folder = await createTemporaryFolder()
  await using other = await createTemporaryFolder()
  const first = await lockFolder(folder.path, () => 'http://localhost:4000')

  expect(await lockFolder(folder.path, () => 'http://localhost:5000')).toEqual({
    held: false,
    holder: 'http://localhost:4000',
  })
  const elsewhere = await lockFolder(other.path, () => 'http://localhost:5000')
  expect(first.held).toBe(true)
  expect(elsewhere.held).toBe(true)
})

test('of many concurrent attempts, one gets the lock', async () => {
  await using folder = await createTemporaryFolder()

  const locks = await Promise.all(
    Array.from({ length: 20 }, (_, index) => lockFolder(folder.path, () => String(index))),
  )

  expect(locks.filter((lock) => lock.held)).toHaveLength(1)
})

test('the lock is released with the process that holds it, however it ends', async () => {
  await using folder = await createTemporaryFolder()
  const source = `await (await import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)})).lockFolder(${JSON.stringify(folder.path)}, () => 'gone'); process.kill(process.pid, 'SIGKILL')`
  await once(spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' }), 'exit')

  expect((await lockFolder(folder.path, () => 'here')).held).toBe(true)
})
