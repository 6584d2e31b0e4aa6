/** How many entries wait for a reader, by the page of the office where they are worked on. */
import { officeGroups } from '#app/office/navigation.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import type { Database } from '#platform/db.ts'
import type { Application } from '#application'
import { maxCounted, officeQueues, type Entry, type Queue } from './queues.server.ts'

/** By page name; pages without pending items are omitted. */
export type OfficeCounts = Record<string, number>

/** Reads the oldest entries of a queue, up to one more than are counted. */
export type QueueReader = (queue: Queue) => Promise<Entry[]>

/** Seconds until a count is reread; it is reread immediately after an office form (`clearCounts`). */
const secondsKept = 15

type Kept = { at: Temporal.Instant; count: Promise<number> }
/** One count per queue and process, shared by readers, so that the cost does not grow with staff or pages. */
const kept = new WeakMap<Database, Map<string, Kept>>()

/**
 * Counts what these roles can work on. With `read`, which Home passes, it counts what that reads; otherwise a count may
 * be `secondsKept` old. A queue that fails counts as empty.
 */
export async function readCounts(
  app: Application,
  roles: readonly StaffRole[],
  read?: QueueReader,
): Promise<OfficeCounts> {
  const pages = officeGroups.flatMap((group) => group.pages).filter(({ permission }) => staffCan(roles, permission))
  const counts = await Promise.all(
    pages.map(async ({ name, queues = [] }) => {
      const mine = officeQueues.filter(({ slug, permission }) => queues.includes(slug) && staffCan(roles, permission))
      const each = await Promise.all(mine.map((queue) => countOf(app, queue, read)))
      return [name, each.reduce((sum, count) => sum + count, 0)] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** Has every count read again, because a form may have changed it. */
export function clearCounts({ db }: Pick<Application, 'db'>): void {
  kept.delete(db)
}

/** Reads each queue once, however often it is requested. */
export function readQueuesOnce(app: Application): QueueReader {
  const entries = new Map<string, Promise<Entry[]>>()
  return (queue) => {
    const reading = entries.get(queue.slug) ?? queue.read(app, maxCounted + 1)
    entries.set(queue.slug, reading)
    return reading
  }
}

function countOf(app: Application, queue: Queue, read?: QueueReader): Promise<number> {
  const counts = kept.get(app.db) ?? new Map<string, Kept>()
  kept.set(app.db, counts)
  const known = counts.get(queue.slug)
  const now = app.clock.now()
  if (!read && known && now.since(known.at).total('seconds') < secondsKept) return known.count
  const count = (read?.(queue) ?? queue.read(app, maxCounted + 1)).then(
    (entries) => Math.min(entries.length, maxCounted),
    (error: unknown) => {
      app.log.error({ err: error, queue: queue.slug }, 'task list not counted')
      return 0
    },
  )
  counts.set(queue.slug, { at: now, count })
  return count
}
