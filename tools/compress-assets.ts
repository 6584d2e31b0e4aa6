import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Brotli's highest quality takes three times as long for two percent. */
const brotliQuality = 10

/**
 * Writes Brotli and gzip versions of every text file under `folder`, where the server looks for them: x.js.br and
 * x.js.gz.
 */
export async function compressAssets(folder: string): Promise<void> {
  const paths = await Array.fromAsync(glob('**/*.{js,css,svg}', { cwd: folder }))
  await Promise.all(paths.map((path) => compressFile(join(folder, path))))
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
