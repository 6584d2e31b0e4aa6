import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { readTextFile } from './text-file.ts'

test('reads a file with a byte order mark and CRLF line ends like one without', async () => {
  await using folder = await createTemporaryFolder({ 'windows.md': '\uFEFF---\r\ntitle: Tires\r\n---\r\nText\r\n' })

  expect(await readTextFile(join(folder.path, 'windows.md'))).toBe('---\ntitle: Tires\n---\nText\n')
})
