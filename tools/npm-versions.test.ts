/**
 * The launcher with the npm versions of the supported Node releases. Each npm installs only the lock file's platform
 * packages, once for each state of the launcher and the lock file. npm-clones.test.ts tries whole clones.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { cacheFolder } from './cache-folder.ts'
import { installNpm, npmVersions } from './npm-versions.testing.ts'
import { project } from './package-program.ts'

const run = promisify(execFile)
const launcher = join(project, 'tools', 'launch.mjs')
const lockFile = join(project, 'package-lock.json')

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string>; bin?: unknown }> }

test('each npm installs the packages that bring Node, and the launcher continues under it', async () => {
  const state = createHash('sha256')
    .update(await readFile(launcher))
    .update(await readFile(lockFile))
    .update(String(npmVersions))
  const proof = join(cacheFolder(), `launcher-${state.digest('hex')}`)
  if (existsSync(proof)) return
  await using tools = await createTemporaryFolder()
  const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as Lock
  const optional = packages['']?.optionalDependencies ?? {}
  const root = { name: 'clone', version: '1.0.0', type: 'module', optionalDependencies: optional }
  const lock = {
    name: 'clone',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': root,
      ...Object.fromEntries(
        Object.keys(optional).map((name) => [`node_modules/${name}`, packages[`node_modules/${name}`]]),
      ),
    },
  }
  for (const version of npmVersions) {
    const npm = await installNpm(tools.path, version)
    await using clone = await createTemporaryFolder({
      'package.json': JSON.stringify(root),
      'package-lock.json': JSON.stringify(lock),
      'tools/hello.ts':
        "console.log('hello from Node', Number.parseInt(process.versions.node) >= 26, process.execPath)",
    })
    await copyFile(launcher, join(clone.path, 'tools/launch.mjs'))

    const { stdout } = await run(process.execPath, ['tools/launch.mjs', 'hello'], {
      cwd: clone.path,
      env: { ...env, npm_execpath: npm },
    })

    expect({ version, output: stdout.split('\n').slice(-2) }).toEqual({
      version,
      output: [expect.stringContaining(`hello from Node true ${clone.path}`), ''],
    })
  }
  await mkdir(cacheFolder(), { recursive: true })
  await writeFile(proof, '')
})
