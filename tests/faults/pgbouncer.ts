/**
 * A real PgBouncer in transaction mode in front of a database, with fewer sessions than the store has connections, so
 * that every session is shared.
 */
import { spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { chooseAccount } from '../../tools/postgres-account.ts'
import { tryListening } from '../../tools/ports.ts'

export type PgBouncer = AsyncDisposable & {
  /** The database, through it. */
  url: string
}

/** Starts the `program` in front of the database at `url`, for its role. */
export async function startPgBouncer(program: string, url: string): Promise<PgBouncer> {
  const server = new URL(url)
  const [port = 0] = await freePorts(1)
  const folder = await createTemporaryFolder({
    'users.txt': `"${server.username}" "${server.password}"\n`,
    'pgbouncer.ini': `
      [databases]
      ${server.pathname.slice(1)} = host=${server.hostname} port=${server.port}
      [pgbouncer]
      pool_mode = transaction
      default_pool_size = 4
      max_client_conn = 200
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = plain`.replaceAll(/^ +/gm, ''),
  })
  await chmod(folder.path, 0o755)
  const settings = join(folder.path, 'pgbouncer.ini')
  await writeFile(settings, `\nauth_file = ${join(folder.path, 'users.txt')}\n`, { flag: 'a' })
  // It refuses to run as root, like PostgreSQL.
  const child = spawn(program, [settings], { ...(await chooseAccount()), stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const exited = new Promise<void>((done, fail) => void child.once('error', fail).once('exit', () => done()))
  await eventually('PgBouncer', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${complaints}`)
    return (await tryListening({ port, host: '127.0.0.1' })) === 'EADDRINUSE'
  })
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await folder[Symbol.asyncDispose]()
    },
  }
}
