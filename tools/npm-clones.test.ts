/**
 * `npm start` and `npm test` in whole clones with each supported npm on each supported Node: part of `npm run
 * test:long`, as each clone installs all packages and starts the store.
 */
import { execFile, spawn } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createPlace } from '#tests/support/whole-store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { installNode, installNpm, npmVersions } from './npm-versions.testing.ts'
import { project } from './package-program.ts'

const run = promisify(execFile)
const nodeVersions = ['20', '22', '24', '26']

test.each(nodeVersions.flatMap((node) => npmVersions.map((npm) => ({ node, npm }))))(
  'a fresh clone starts, and runs a test file, with npm $npm on Node $node',
  { timeout: 1_800_000 },
  async ({ node: nodeVersion, npm: npmVersion }) => {
    await using tools = await createTemporaryFolder()
    const node = await installNode(tools.path, nodeVersion)
    const npm = await installNpm(tools.path, npmVersion)
    await using clone = await createTemporaryFolder()
    await run('git', ['clone', '--quiet', project, clone.path])
    for (const file of ['tools/launch.mjs', 'package.json', 'package-lock.json'])
      await cp(join(project, file), join(clone.path, file))
    await using place = await createPlace()
    const shared = { ...place.env, npm_execpath: undefined, PATH: `${join(node, '..')}:/usr/bin:/bin` }

    const store = spawn(node, [npm, 'start'], { cwd: clone.path, env: { ...shared, SEED_SCALE: 'empty' } })
    let output = ''
    for (const stream of [store.stdout, store.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = new Promise<void>((done) => void store.once('close', () => done()))
    await expect.poll(() => output + (store.exitCode ?? ''), { timeout: 900_000 }).toContain('Ctrl-C stops everything')
    expect((await fetch(`http://localhost:${place.env.PORT}/`)).status).toBe(200)
    store.kill('SIGTERM')
    await ended

    const tested = await run(node, [npm, 'test', '--', 'platform/money.test'], { cwd: clone.path, env: shared })
    expect(tested.stdout).toMatch(/\n\d+ passed, 0 failed, 0 skipped\n$/)
  },
)
