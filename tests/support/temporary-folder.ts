import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Creates a folder with these files, by relative path; removed at the end of the `await using` that holds it. */
export async function createTemporaryFolder(
  files: Record<string, string> = {},
): Promise<AsyncDisposable & { path: string }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'sidewall-folder-')))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
