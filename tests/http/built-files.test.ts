/** Scripts and styles of another release are given out by every process, as pages of it are open still. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBuiltFile, keepBuiltFiles } from '#platform/built-files.ts'
import { keepBuild } from '../../tools/migrate-store.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'

let store: RunningStore
beforeAll(async () => void (store = await startStore()))
afterAll(() => store[Symbol.asyncDispose]())

/** The files of a release that is not this one, in a folder. */
async function writeBuild(folder: string, files: Record<string, string>): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
    if (name.endsWith('.js')) await writeFile(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  return folder
}

test('a process gives out the files of every release, as its own', async () => {
  await using folder = await createTemporaryFolder()
  const { db } = store.database
  await keepBuild({ directUrl: store.database.url })
  const own = (await readdir('build/client/assets')).filter((name) => !/\.(?:br|gz)$/.test(name))
  for (const name of [own[0], own.at(-1)]) expect(await findBuiltFile(db, name ?? '')).toBeDefined()

  const script = 'export const earlier = 1\n'
  const files = { 'earlier-AbCd_12-.js': script, 'letters-AbCd1234.woff2': 'letters' }
  const build = await writeBuild(join(folder.path, 'before'), files)
  expect((await fetch(`${store.origin}/assets/unasked-AbCd_12-.js`)).status).toBe(404)
  await keepBuiltFiles(db, build, Temporal.Now.instant())
  for (const encoding of ['br', 'identity']) {
    const answer = await fetch(`${store.origin}/assets/earlier-AbCd_12-.js`, {
      headers: { 'accept-encoding': encoding },
    })
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: script })
    expect(answer.headers.get('content-type')).toContain('text/javascript')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'br' ? 'br' : null)
  }
  const letters = await fetch(`${store.origin}/assets/letters-AbCd1234.woff2`)
  expect(letters.headers.get('content-type')).toBe('font/woff2')
  expect(await letters.text()).toBe('letters')
})

test('built files unused by releases for 90 days are deleted, and others aren’t', async () => {
  await using folder = await createTemporaryFolder()
  const { db } = store.database
  const now = Temporal.Now.instant()
  const before = await writeBuild(join(folder.path, 'a'), { 'shared-AbCd1234.js': '1', 'gone-AbCd1234.js': '2' })
  const next = await writeBuild(join(folder.path, 'b'), { 'shared-AbCd1234.js': '1' })
  const later = (days: number) => now.add({ hours: 24 * days })
  await keepBuiltFiles(db, before, now)
  // However long a release serves, its files are there for 90 days after the next.
  await keepBuiltFiles(db, next, later(200))
  await keepBuiltFiles(db, next, later(289))
  expect(await findBuiltFile(db, 'gone-AbCd1234.js')).toBeDefined()
  // Going back has them again.
  await keepBuiltFiles(db, before, later(290))
  await keepBuiltFiles(db, next, later(291))
  await keepBuiltFiles(db, next, later(380))
  expect(await findBuiltFile(db, 'gone-AbCd1234.js')).toBeDefined()
  await keepBuiltFiles(db, next, later(382))
  expect(await findBuiltFile(db, 'gone-AbCd1234.js')).toBeUndefined()
  expect(await findBuiltFile(db, 'shared-AbCd1234.js')).toBeDefined()
})
