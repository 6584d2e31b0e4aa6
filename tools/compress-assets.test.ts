import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { compressAssets } from './compress-assets.ts'

test('each text file gets both compressed forms, and other files don’t', async () => {
  await using folder = await createTemporaryFolder({
    'page.js': 'export const page = 1',
    'deep/store.css': 'a { color: red }',
    'inter.woff2': 'letters',
  })
  await compressAssets(folder.path)
  expect((await readdir(folder.path, { recursive: true })).sort()).toEqual(
    [
      'deep',
      'deep/store.css',
      'deep/store.css.br',
      'deep/store.css.gz',
      'inter.woff2',
      'page.js',
      'page.js.br',
      'page.js.gz',
    ].sort(),
  )
  expect(brotliDecompressSync(await readFile(join(folder.path, 'page.js.br'))).toString()).toBe('export const page = 1')
  expect(gunzipSync(await readFile(join(folder.path, 'deep/store.css.gz'))).toString()).toBe('a { color: red }')
})
