/**
 * Runs the store like `npm start`, with a separate data folder, supervisor, PostgreSQL, sandbox, worker, and web
 * process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '#tests/support/free-ports.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'

/** A store environment with an unused data folder and ports. */
export async function createPlace() {
  const folder = await createTemporaryFolder()
  await chmod(folder.path, 0o755)
  const dataDir = join(folder.path, 'data')
  // Web, sandbox and the sandbox's mail and SFTP servers.
  const [port = 0] = await freePorts(4)
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    SEED_SCALE: 'small',
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    DATABASE_URL: '',
  }
  return {
    env,
    async [Symbol.asyncDispose]() {
      const home = await realpath(join(dataDir, 'postgres-home')).catch(() => undefined)
      if (home !== undefined) await rm(home, { recursive: true, force: true })
      await folder[Symbol.asyncDispose]()
    },
  }
}

export type WholeStore = ReturnType<typeof launchWholeStore>

/** Starts it without waiting. */
export function launchWholeStore(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['tools/start.ts'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { pid: child.pid ?? 0, output: () => output, exited: once(child, 'close'), stop: () => child.kill('SIGTERM') }
}

/** Starts it and resolves when it's ready. */
export async function startWholeStore(env: NodeJS.ProcessEnv): Promise<WholeStore> {
  const store = launchWholeStore(env)
  const ended = store.exited.then(() => true)
  while (!store.output().includes('Ctrl-C stops everything')) {
    if (await Promise.race([ended, sleep(50)])) throw new Error(`The store did not start:\n${store.output()}`)
  }
  return store
}

/** The address of its PostgreSQL, now and after every restart. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const [port, password] = await Promise.all(
    ['postgres-port', 'postgres-password'].map((name) => readFile(join(dataDir, name), 'utf8')),
  )
  return `postgresql://sidewall:${password}@127.0.0.1:${port}/sidewall`
}

/** The child processes of this one. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const stats = await Promise.all(
    pids.map(async (pid) => ({ pid, stat: await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') })),
  )
  return stats
    .filter(({ stat }) => Number(stat.replace(/.*\)/, '').trim().split(' ')[1]) === parent)
    .map(({ pid }) => pid)
}

/** All descendant processes of this one. */
export async function descendantsOf(parent: number): Promise<number[]> {
  const children = await childrenOf(parent)
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()]
}
