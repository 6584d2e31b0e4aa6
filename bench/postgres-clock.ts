import { readdir, readFile } from 'node:fs/promises'

/**
 * The CPU time that a PostgreSQL server and all its processes have used, in milliseconds; null where the system does
 * not report it.
 */
export type PostgresClock = () => Promise<number | null>

/** Linux counts in hundredths of a second; milliseconds per tick. */
const tick = 10

/** `pid` is any process of the server, such as `pg_backend_pid()` returns. */
export async function createPostgresClock(pid: number): Promise<PostgresClock> {
  const postmaster = (await readStat(pid))?.parent
  if (postmaster === undefined) return () => Promise.resolve(null)
  return async () => {
    const pids = (await readdir('/proc')).map(Number).filter(Boolean)
    const stats = await Promise.all(pids.map(async (each) => ({ pid: each, stat: await readStat(each) })))
    // The postmaster contains the sum of ended sessions.
    const ticks = stats.map(({ pid: each, stat }) =>
      each === postmaster
        ? (stat?.ownTicks ?? 0) + (stat?.endedTicks ?? 0)
        : stat?.parent === postmaster
          ? stat.ownTicks
          : 0,
    )
    return ticks.reduce((total, count) => total + count, 0) * tick
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; the name in the second field may contain spaces. */
async function readStat(pid: number): Promise<{ parent: number; ownTicks: number; endedTicks: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0] = fields.slice(1)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent, ownTicks: user + system, endedTicks: endedUser + endedSystem }
}
