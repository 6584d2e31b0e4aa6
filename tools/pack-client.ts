/**
 * `npm run pack-client`: writes the client of the HTTP API as an npm package, build/sidewall-client-<version>.tgz. It
 * is JavaScript with type declarations, because Node strips types only outside node_modules, and has no dependencies.
 */
import { copyFile, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { packageProgram, project, runNode, runNpm, type Finished } from './package-program.ts'

/** Writes the package into `folder`, reproducibly, and returns its path. */
export async function packClient(folder: string): Promise<string> {
  const { version, license } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
    version: string
    license: string
  }
  await using parts = await mkdtempDisposable(join(tmpdir(), 'sidewall-client-'))
  await compile(parts.path)
  await copyFile(join(project, 'api/client/README.md'), join(parts.path, 'README.md'))
  await copyFile(join(project, 'LICENSE'), join(parts.path, 'LICENSE'))
  await writeFile(join(parts.path, 'package.json'), `${JSON.stringify(manifest(version, license), undefined, 2)}\n`)
  await mkdir(folder, { recursive: true })
  mustSucceed(await runNpm(['pack', parts.path, '--pack-destination', folder, '--offline', '--ignore-scripts']))
  return join(folder, `sidewall-client-${version}.tgz`)
}

/**
 * Compiles the client's entry file and its imports to modules with declarations. Refuses files from outside the client.
 */
async function compile(to: string): Promise<void> {
  const form = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable',
    '--types',
    '',
    '--strict',
    '--exactOptionalPropertyTypes',
  ]
  const output = [
    '--declaration',
    '--rewriteRelativeImportExtensions',
    '--noEmitOnError',
    '--rootDir',
    'api/client',
    '--outDir',
    to,
  ]
  mustSucceed(
    await runNode(packageProgram('typescript', ['--ignoreConfig', ...form, ...output, 'api/client/client.ts'], 'tsc')),
  )
  // The compiler does not rewrite import names in declarations; tools expect .js.
  for (const name of (await readdir(to)).filter((name) => name.endsWith('.d.ts'))) {
    const text = await readFile(join(to, name), 'utf8')
    await writeFile(join(to, name), text.replaceAll(/( from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}

function manifest(version: string, license: string) {
  return {
    name: '@sidewall/client',
    version,
    description: 'Client of the HTTP API of a Sidewall tire store.',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
    // AbortSignal.any
    engines: { node: '>=20.3' },
  }
}

function mustSucceed({ code, output }: Finished): void {
  if (code !== 0) throw new PlainError(`${output}\nThe client could not be packed: see above.`)
}

if (import.meta.main) {
  await runCommand(async () => {
    console.log(`Packed: ${await packClient(join(project, 'build'))}`)
  })
}
