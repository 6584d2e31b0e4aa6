/** The processes of a store on one machine. They are replaced one after the other while it sells. */
import { setTimeout as later } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestDatabase } from '#tests/support/database.ts'
import type { Balancer } from './balancer.ts'
import { openDatabase } from './postgres-server.ts'
import { runProgram, startProgram, type Release, type Started } from './release.ts'

/** Makes an empty database called `name` on the tests' server, and returns its address. */
export async function createEmptyDatabase(name: string): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const maintenance = new pg.Client({ connectionString: url.href })
  await maintenance.connect()
  await maintenance.query(`drop database if exists ${name} with (force)`)
  await maintenance.query(`create database ${name}`)
  await maintenance.end()
  url.pathname = `/${name}`
  return url.href
}

/** Creates the database `name` with the release's own schema and demo data. */
export async function createDatabaseOf(release: Release, name: string): Promise<TestDatabase> {
  const url = await createEmptyDatabase(name)
  await runProgram(release, 'tools/migrate.ts', { DATABASE_URL: url })
  await runProgram(release, 'db/seed/main.ts', { DATABASE_URL: url, SEED_SCALE: 'small' })
  const database = openDatabase(url)
  // The demo's stock is small.
  await database.db.updateTable('stock').set({ on_hand: 100_000 }).execute()
  return database
}

const warming = ['/', '/tire-sizes/225-65r17', '/tire-sizes/205-55r16', '/learn', '/']

/**
 * Two web processes and a worker, of one release and one environment but while they are replaced. `env` is read when a
 * process starts.
 */
export function openFleet({
  balancer,
  env,
  ports,
  togetherMs = 5_000,
}: {
  balancer: Balancer
  env: Record<string, string>
  ports: number[]
  /** How long the old and the new answer side by side. */
  togetherMs?: number
}) {
  const webs: Started[] = []
  let worker: Started | undefined
  const free = [...ports]
  const codes: (number | null)[] = []

  async function replaceOne(release: Release): Promise<void> {
    const port = free.shift() ?? 0
    const web = await startProgram(release, 'server.ts', { port, env })
    webs.push(web)
    // What a process has never done takes it long.
    for (const path of warming) await (await fetch(`http://localhost:${port}${path}`)).text()
    balancer.add(port)
    if (webs.length <= 2) return
    const old = webs.shift()
    if (!old) return
    await balancer.drain(old.port)
    codes.push(await old.stop())
    free.push(old.port)
  }

  return {
    codes,
    /** What the processes that run wrote. */
    output: () => [...webs, ...(worker ? [worker] : [])].map((process) => process.output()).join(''),
    async replaceBy(release: Release): Promise<void> {
      await replaceOne(release)
      const old = worker
      worker = await startProgram(release, 'worker.ts', { port: Number(new URL(balancer.origin).port), env })
      if (old) codes.push(await old.stop())
      // Half and half for a while.
      await later(webs.length > 1 ? togetherMs : 0)
      await replaceOne(release)
    },
    async [Symbol.asyncDispose]() {
      for (const process of [...webs, ...(worker ? [worker] : [])]) await process.stop()
    },
  }
}
