/**
 * The life of a worker process, as the database sees it. graphile-worker gives the job of a worker that was killed to
 * another one after four hours; a shopper should not wait that long for a mail. So a process holds a lock on the name
 * of each of its workers, on one connection that it keeps: PostgreSQL lets go of it with the connection, and a job
 * whose worker's name anybody can lock is free again. A process that lost only that connection may see its job done
 * twice, which every job stands.
 */
import type pg from 'pg'
import type { Log } from '#platform/log.ts'

export type WorkerLife = {
  /** Holds the lock on this worker's name from now on. */
  add(workerId: string): void
  stop(): Promise<void>
}

const beatMilliseconds = 5_000

/** Begins the life of this process, and frees the jobs of those that ended, now and every few seconds. */
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

  /** The connection is closed: given back alive, it would keep the locks. */
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

/** A worker takes its first job a moment before its name is locked: what was taken just now is left alone. */
async function freeJobsOfTheDead(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with taken as (select distinct locked_by from graphile_worker.jobs where locked_at < now() - interval '5 seconds')
    select graphile_worker.force_unlock_workers(array_agg(locked_by)) from taken
    where pg_try_advisory_xact_lock(hashtextextended('${lockName('')}' || locked_by, 0)) having count(*) > 0`)
}

function lockName(workerId: string): string {
  return `sidewall worker ${workerId}`
}
