/**
 * Detects dead worker processes. graphile-worker gives a killed worker's job to another one only after four hours; a
 * shopper shouldn't wait that long for an email. Each process holds a lock on its workers' names on one dedicated
 * connection. PostgreSQL releases it with the connection, and a job is freed if its worker's name can be locked. If a
 * process loses only that connection, its job can run twice, which every job must allow.
 */
import type pg from 'pg'
import type { Log } from '#platform/log.ts'

export type WorkerLife = {
  /** Locks this worker's name from now on. */
  add(workerId: string): void
  stop(): Promise<void>
}

const beatMilliseconds = 5_000

/** Registers this process, and frees the jobs of dead ones, now and every few seconds. */
export function beginWorkerLife(pool: pg.Pool, log: Log): WorkerLife {
  const names = new Set<string>()
  const locked = new Set<string>()
  let connection: pg.PoolClient | undefined
  let beating = Promise.resolve()

  async function beat(): Promise<void> {
    try {
      connection ??= await pool.connect()
      await connection.query('select')
      for (const name of names) {
        if (locked.has(name)) continue
        await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [lockName(name)])
        locked.add(name)
      }
      await freeJobsOfTheDead(pool)
    } catch (error) {
      log.warn({ err: error }, 'the worker lost its connection')
      release()
    }
  }

  /** Closes the connection because a pooled connection would retain the locks. */
  function release(): void {
    connection?.release(true)
    connection = undefined
    locked.clear()
  }

  function beatNext(): void {
    beating = beating.then(beat)
  }

  const timer = setInterval(beatNext, beatMilliseconds)
  return {
    add(workerId) {
      names.add(workerId)
      beatNext()
    },
    async stop() {
      clearInterval(timer)
      await beating
      release()
    },
  }
}

/** A worker takes its first job a moment before its name is locked, so recently taken jobs are skipped. */
async function freeJobsOfTheDead(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with taken as (select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '5 seconds')
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from taken
    where pg_try_advisory_xact_lock(hashtextextended('${lockName('')}' || locked_by, 0)) having count(*) > 0`)
}

function lockName(workerId: string): string {
  return `sidewall worker ${workerId}`
}
