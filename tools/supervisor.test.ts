import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { findFreePort } from './ports.ts'
import { findReason, supervise, type Process } from './supervisor.ts'

const announce =
  "import { appendFileSync } from 'node:fs'\nappendFileSync(process.env.NOTES, `start ${process.pid}\\n`)\n"
const stayReady = "process.send({ type: 'ready' })\nsetInterval(() => {}, 1000)\n"
const stopPolitely = "process.once('SIGTERM', () => { appendFileSync(process.env.NOTES, 'stop\\n'); process.exit() })\n"

test('a stopped process has exited when stop resolves', async () => {
  await using stage = await createStage(announce + stopPolitely + stayReady)
  const running = supervise(stage.what, stage.say)
  await running.ready

  await running.stop()

  expect(await stage.notes()).toEqual([expect.stringMatching(/^start \d+$/), 'stop'])
  expect(stage.said).toEqual([])
})

test('a killed process is restarted, which is reported', async () => {
  await using stage = await createStage(announce + stayReady)
  const running = supervise(stage.what, stage.say)
  await running.ready
  const [first = ''] = await stage.notes()

  process.kill(Number(first.split(' ')[1]), 'SIGKILL')
  await until(() => stage.said.length === 2)
  await running.stop()

  expect(stage.said[0]).toBe(
    `stand-in ended by itself (killed by SIGKILL); it is started again in 0.25 s. See ${stage.what.log}`,
  )
  expect(stage.said[1]).toBe('stand-in is running again.')
  expect(new Set(await stage.notes()).size).toBe(2)
})

test('a crashing process is restarted after growing pauses', async () => {
  await using stage = await createStage(
    `${announce}process.send({ type: 'ready' })\nsetTimeout(() => process.exit(3), 20)`,
  )
  const running = supervise(stage.what, stage.say)
  await running.ready

  await until(() => stage.said.filter((line) => line.includes('ended by itself')).length === 3)
  await running.stop()

  const pauses = stage.said.flatMap(
    (line) => line.match(/\(exit code 3\); it is started again in ([\d.]+) s/)?.[1] ?? [],
  )
  expect(pauses).toEqual(['0.25', '0.5', '1'])
})

test('a process that was never ready isn’t restarted, and its output explains why', async () => {
  await using stage = await createStage(`${announce}throw new RangeError('PORT is out of range.')`)

  await expect(supervise(stage.what, stage.say).ready).rejects.toThrow(
    `stand-in did not start: PORT is out of range. (see ${stage.what.log})`,
  )

  expect(await stage.notes()).toHaveLength(1)
})

test('a process that does not stop in time is killed', async () => {
  await using stage = await createStage(`${announce}process.on('SIGTERM', () => {})\n${stayReady}`)
  const running = supervise({ ...stage.what, stopWithin: 200 }, stage.say)
  await running.ready

  await running.stop()

  expect(stage.said).toEqual(['stand-in did not stop within 0.2 s and was ended.'])
})

test('a process without a ready message is ready when its port answers', async () => {
  const port = await findFreePort()
  await using stage = await createStage(`import { createServer } from 'node:net'\ncreateServer().listen(${port})`)
  const running = supervise({ ...stage.what, port }, stage.say)

  await running.ready

  await running.stop()
})

test.each([
  [
    'one that watches for it itself',
    "process.once('disconnect', () => { appendFileSync(process.env.NOTES, 'stop\\n'); process.exit() })\n",
  ],
  ['one that does not', stopPolitely],
])('when the supervisor is killed, its processes end: %s', async (_name, stopping) => {
  await using stage = await createStage(announce + stopping + stayReady)
  const supervisor = new URL('./supervisor.ts', import.meta.url).href
  const source = `import { supervise } from ${JSON.stringify(supervisor)}; await supervise(${JSON.stringify(stage.what)}, () => {}).ready; process.kill(process.pid, 'SIGKILL')`

  await once(spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' }), 'exit')

  await until(async () => (await stage.notes()).includes('stop'))
})

test('a process’s last message is found in its output', () => {
  expect(
    findReason(
      'starting\nfile:///server.ts:3\n\nError: DATABASE_URL is missing\n    at load (config.ts:1)\n\nNode.js v26.10.0\n',
    ),
  ).toBe('DATABASE_URL is missing')
  expect(findReason('TypeError [ERR_INVALID]: no such port\n    at listen')).toBe('no such port')
  expect(findReason('listening\nout of memory\n')).toBe('out of memory')
  expect(findReason('')).toBe('it gave no reason')
  expect(
    findReason("Error: EACCES: not permitted, open 'x' {\n  errno: -13,\n  path: 'x'\n}\n\nNode.js v26.10.0\n"),
  ).toBe("EACCES: not permitted, open 'x'")
  expect(
    findReason(
      'TypeError: fetch failed\n    at fetch (node:internal)\n    at load (seed.ts:3) {\n  [cause]: Error: bad port\n      at make (undici) {\n    code: 1\n  }\n}\n\nNode.js v26.10.0\n',
    ),
  ).toBe('fetch failed (bad port)')
  expect(findReason('[Error: no socket] {\n  code: 1\n}\n')).toBe('no socket')
})

async function createStage(script: string) {
  const folder = await createTemporaryFolder({ 'stand-in.mjs': script, notes: '' })
  const notes = join(folder.path, 'notes')
  const said: string[] = []
  const what: Process = {
    name: 'stand-in',
    script: join(folder.path, 'stand-in.mjs'),
    env: { ...process.env, NOTES: notes },
    log: join(folder.path, 'stand-in.log'),
    stopWithin: 5_000,
  }
  return {
    ...folder,
    what,
    said,
    say: (line: string) => void said.push(line),
    /** The lines recorded by the fake processes. */
    notes: async () => (await readFile(notes, 'utf8')).split('\n').filter(Boolean),
  }
}

/** Polls until true; limited only by the test's timeout. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}
