/** A machine with PostgreSQL and pgBackRest, by the files in deploy/pgbackrest. */
import { appendFile, copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { project } from '../../../tools/package-program.ts'
import { runPart, type Part, type Parts } from './debian-parts.ts'
import { programs, startServer } from './debian-postgres.ts'
import { isWritable } from './postgres-server.ts'

export type Machine = AsyncDisposable & {
  /** The address of the database `sidewall`, and of one that is always there. */
  url: string
  maintenanceUrl: string
  /** Creates a cluster that archives its log. Its owner is `sidewall`, without a password. */
  createCluster(): Promise<void>
  /** Settles once the server takes statements that write, which after a restore is when recovery has ended. */
  start(): Promise<void>
  /** Kills all its processes and deletes all its files. */
  lose(): Promise<void>
  /** Runs a command of pgBackRest over the store's stanza. */
  backrest(...args: readonly string[]): Promise<string>
  /** Throws the backups' problems. */
  checkBackups(...args: readonly string[]): Promise<void>
}

/** Puts the files in deploy/pgbackrest where machines find them. */
export async function provideSettings({ folder }: Parts): Promise<void> {
  for (const file of ['pgbackrest.conf', 'archive.conf', 'check-backups.sh'])
    await copyFile(join(project, 'deploy/pgbackrest', file), join(folder, file))
}

/** Sets up a machine in its own folder. `repository` is the environment with the backup repository. */
export async function prepareMachine(
  parts: Parts,
  name: string,
  repository: Readonly<Record<string, string>>,
): Promise<Machine> {
  const [port = 0] = await freePorts(1)
  const own = `${parts.inside}/${name}`
  const places = { data: `${own}/data`, socket: `${own}/socket`, log: `${own}/log`, spool: `${own}/spool` }
  const env = {
    ...repository,
    PGBACKREST_CONFIG: `${parts.inside}/pgbackrest.conf`,
    PGBACKREST_PG1_PATH: places.data,
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: places.socket,
    PGBACKREST_PG1_USER: 'sidewall',
    PGBACKREST_LOG_PATH: places.log,
    PGBACKREST_LOCK_PATH: `${own}/lock`,
    PGBACKREST_SPOOL_PATH: places.spool,
  }
  const runHere = (program: string, args: readonly string[]) => runPart(parts, { program, args, env })
  await runHere('mkdir', ['-p', '-m', '700', own, ...Object.values(places)])
  const address = `postgres://sidewall@127.0.0.1:${port}`
  let server: Part | undefined
  return {
    url: `${address}/sidewall`,
    maintenanceUrl: `${address}/postgres`,
    async createCluster() {
      const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      await runHere(`${programs}/initdb`, ['-D', places.data, ...locale, '--username=sidewall', '--auth=trust'])
      await appendFile(join(parts.folder, name, 'data/postgresql.conf'), `include '${parts.inside}/archive.conf'\n`)
    },
    async start() {
      const started = await startServer(parts, { data: places.data, port, socket: places.socket, env })
      server = started
      await eventually(`PostgreSQL of ${name}`, async () => {
        if (!started.isRunning()) throw new Error(`PostgreSQL of ${name} ended:\n${started.output()}`)
        return isWritable(`${address}/postgres`)
      })
    },
    async lose() {
      await server?.kill()
      await rm(join(parts.folder, name), { recursive: true, force: true, maxRetries: 10 })
    },
    backrest: (...args) => runHere('pgbackrest', ['--stanza=sidewall', ...args]),
    async checkBackups(...args) {
      await runHere(`${parts.inside}/check-backups.sh`, args)
    },
    [Symbol.asyncDispose]: () => server?.kill() ?? Promise.resolve(),
  }
}
