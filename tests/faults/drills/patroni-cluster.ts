/** A cluster of three PostgreSQL members kept by Patroni, with etcd and HAProxy, by the files in deploy/patroni. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createDatabase } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { project } from '../../../tools/package-program.ts'
import { accepts, runPart, startPart, type Part, type Parts } from './debian-parts.ts'
import { programs, startServer } from './debian-postgres.ts'
import { isWritable } from './postgres-server.ts'

const names = ['a', 'b', 'c'] as const
export type MemberName = (typeof names)[number]
type Member = { name: MemberName; port: number; restPort: number }

export type Cluster = AsyncDisposable & {
  /** The database `sidewall` on the current primary. */
  url: string
  members: readonly Member[]
  /** The database on this member. */
  urlOf(name: MemberName): string
  /** Returns the primary according to the running members. */
  primary(): Promise<MemberName | undefined>
  /** Kills the member and all its processes. */
  kill(name: MemberName): Promise<void>
  /** Starts it again over what it left. */
  revive(name: MemberName): void
  /** Settles once there are a primary and `replicas` that stream from it, one of them synchronously. */
  settled(replicas: number): Promise<void>
  /** Switches over to another member, as is done for maintenance. */
  switchOver(from: MemberName): Promise<void>
  output(): string
}

const role = 'sidewall:drill'

/** Starts everything; settles once two replicas stream. */
export async function startCluster(parts: Parts): Promise<Cluster> {
  const [etcdPort = 0, peerPort = 0, primaryPort = 0, replicasPort = 0, ...ports] = await freePorts(10)
  const members = names.map((name, no) => ({ name, port: ports[2 * no] ?? 0, restPort: ports[2 * no + 1] ?? 0 }))
  for (const file of ['patroni.yaml', 'haproxy.cfg'])
    await copyFile(join(project, 'deploy/patroni', file), join(parts.folder, file))
  const running = new Map<string, Part>()
  const start = (name: string, command: Parameters<typeof startPart>[1]) => {
    const part = startPart(parts, command)
    running.set(name, part)
    return part
  }
  await accepts(start('etcd', etcdCommand(parts, etcdPort, peerPort)), etcdPort)
  const environment = (member: Member) => environmentOf(parts, member, etcdPort)
  const revive = (name: MemberName) => {
    const member = members.find((one) => one.name === name)
    if (member) start(name, { program: 'patroni', args: [`${parts.inside}/patroni.yaml`], env: environment(member) })
  }
  for (const { name } of members) revive(name)
  const proxy = start('haproxy', {
    program: 'haproxy',
    args: ['-db', '-f', `${parts.inside}/haproxy.cfg`],
    env: proxyEnvironment(members, primaryPort, replicasPort),
  })
  await accepts(proxy, primaryPort)

  const output = () => [...running].map(([name, part]) => `— ${name}\n${part.output().slice(-4_000)}`).join('\n')
  const urlAt = (port: number) => `postgres://${role}@127.0.0.1:${port}/sidewall`
  const rolesOf = async () =>
    Promise.all(members.map(async (member) => ({ name: member.name, ...(await askMember(member)) })))
  const primary = async () => (await rolesOf()).find(({ role: is }) => is === 'primary')?.name
  const cluster: Cluster = {
    url: urlAt(primaryPort),
    members,
    urlOf: (name) => urlAt(members.find((member) => member.name === name)?.port ?? 0),
    primary,
    kill: (name) => running.get(name)?.kill() ?? Promise.resolve(),
    revive,
    async settled(replicas) {
      await eventually(
        'cluster',
        async () => {
          const ended = members.find(({ name }) => running.get(name)?.isRunning() === false)
          if (ended) throw new Error(`Member ${ended.name} ended.`)
          const all = await rolesOf()
          const streaming = all.filter(({ role: is, state }) => is !== 'primary' && state === 'streaming')
          const isSynchronous = all.some(({ isSync }) => isSync)
          return all.some(({ role: is }) => is === 'primary') && streaming.length >= replicas && isSynchronous
        },
        120,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${output()}`)
      })
    },
    async switchOver(from) {
      const member = members.find(({ name }) => name === from)
      if (!member) return
      await runPart(parts, {
        program: 'patronictl',
        args: ['-c', `${parts.inside}/patroni.yaml`, 'switchover', '--leader', from, '--force'],
        env: environment(member),
      })
    },
    output,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].map((part) => part.kill()))
    },
  }
  await cluster.settled(2)
  await makeDatabase(`postgres://postgres:drill-super@127.0.0.1:${primaryPort}/postgres`)
  return cluster
}

/** A replica outside of the cluster, because Patroni controls the replay of its members. */
export type FreeReplica = AsyncDisposable & { url: string; kill(): Promise<void>; revive(): Promise<void> }

/** Copies the primary, and follows it. */
export async function startReplica(parts: Parts, cluster: Cluster): Promise<FreeReplica> {
  const leader = await cluster.primary()
  const primary = cluster.members.find(({ name }) => name === leader)
  if (!primary) throw new Error('There is no primary.')
  const [port = 0] = await freePorts(1)
  const data = `${parts.inside}/data-free`
  await runPart(parts, {
    program: `${programs}/pg_basebackup`,
    args: ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'replicator', '-D', data, '-R', '-c', 'fast'],
    env: { PGPASSWORD: 'drill-replica' },
  })
  const more = { hba_file: `${data}/pg_hba.conf`, ident_file: `${data}/pg_ident.conf` }
  const start = () => startServer(parts, { data, port, socket: parts.inside, more })
  let part = await start()
  return {
    url: `postgres://${role}@127.0.0.1:${port}/sidewall`,
    kill: () => part.kill(),
    async revive() {
      part = await start()
    },
    [Symbol.asyncDispose]: () => part.kill(),
  }
}

/** Reads a member's own status. */
async function askMember({ restPort }: Member): Promise<{ role?: string; state?: string; isSync?: boolean }> {
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/patroni`, { signal: AbortSignal.timeout(2_000) })
    const said = (await answer.json()) as { role: string; replication_state?: string; sync_standby?: boolean }
    return {
      role: said.role,
      ...(said.replication_state && { state: said.replication_state }),
      isSync: said.sync_standby === true,
    }
  } catch {
    return {}
  }
}

async function makeDatabase(maintenance: string): Promise<void> {
  await eventually('primary behind the proxy', () => isWritable(maintenance))
  await using db = createDatabase(maintenance, { size: 1 })
  await sql`create role sidewall login password 'drill'`.execute(db)
  await sql`create database sidewall owner sidewall`.execute(db)
  await sql`grant pg_monitor to sidewall`.execute(db)
}

function etcdCommand({ inside }: Parts, port: number, peerPort: number) {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  return {
    program: 'etcd',
    args: [
      '--name=one',
      `--data-dir=${inside}/etcd`,
      '--log-level=error',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=one=${peer}`,
    ],
  }
}

function environmentOf({ inside }: Parts, { name, port, restPort }: Member, etcdPort: number): Record<string, string> {
  return {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: `${inside}/data-${name}`,
    PATRONI_POSTGRESQL_BIN_DIR: programs,
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: 'drill-super',
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: 'drill-replica',
    PATRONI_REWIND_USERNAME: 'rewind',
    PATRONI_REWIND_PASSWORD: 'drill-rewind',
    PATRONI_POSTGRESQL_PGPASS: `${inside}/pgpass-${name}`,
    PATRONI_LOG_LEVEL: 'WARNING',
  }
}

function proxyEnvironment(members: readonly Member[], primaryPort: number, replicasPort: number) {
  return Object.fromEntries([
    ['PRIMARY_BIND', `127.0.0.1:${primaryPort}`],
    ['REPLICAS_BIND', `127.0.0.1:${replicasPort}`],
    ...members.flatMap(({ name, port, restPort }) => [
      [`DATABASE_${name.toUpperCase()}`, `127.0.0.1:${port}`],
      [`PATRONI_${name.toUpperCase()}_HOST`, '127.0.0.1'],
      [`PATRONI_${name.toUpperCase()}_PORT`, String(restPort)],
    ]),
  ]) as Record<string, string>
}
