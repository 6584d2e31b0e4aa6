import { execFileSync } from 'node:child_process'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { readChangedPaths } from './changed-paths.ts'

/** A repository with a commit of three files. */
async function openRepository() {
  const folder = await createTemporaryFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], { cwd: folder.path })
  const write = (path: string) => writeFile(join(folder.path, path), `${path}, ${Math.random()}`)
  const commit = () => {
    git('add', '-A')
    git('commit', '--quiet', '--message', 'Change')
  }
  git('init', '--quiet')
  for (const path of ['cart.ts', 'order.ts', 'price.ts']) await write(path)
  commit()
  return {
    git,
    write,
    commit,
    remove: (path: string) => rm(join(folder.path, path)),
    rename: (path: string, to: string) => rename(join(folder.path, path), join(folder.path, to)),
    changed: (since?: string) => readChangedPaths({ CHANGED_SINCE: since }, folder.path)?.toSorted(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test('the last commit and the working tree count', async () => {
  await using repository = await openRepository()
  await repository.write('cart.ts')
  repository.commit()
  await repository.write('order.ts')
  await repository.write('new.ts')
  expect(repository.changed()).toEqual(['cart.ts', 'new.ts', 'order.ts'])
})

test('all commits since the last push count, and those since a given commit', async () => {
  await using repository = await openRepository()
  repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  for (const path of ['cart.ts', 'order.ts']) {
    await repository.write(path)
    repository.commit()
  }
  expect(repository.changed()).toEqual(['cart.ts', 'order.ts'])
  expect(repository.changed('HEAD~1')).toEqual(['order.ts'])
  // A clone of what was pushed has only its last commit.
  repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  expect(repository.changed()).toEqual(['order.ts'])
})

test('removed and renamed files count with their earlier names', async () => {
  await using repository = await openRepository()
  await repository.remove('cart.ts')
  await repository.rename('order.ts', 'purchase.ts')
  repository.commit()
  expect(repository.changed()).toEqual(['cart.ts', 'order.ts', 'purchase.ts'])
})

test('without history, the change is unknown', async () => {
  await using repository = await openRepository()
  expect(repository.changed()).toBeUndefined()
  await using folder = await createTemporaryFolder()
  expect(readChangedPaths({}, folder.path)).toBeNull()
})
