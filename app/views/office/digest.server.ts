/**
 * The daily email of open tasks. Contains the task lists with open work that its reader chose and may see, with counts.
 */
import { officePaths } from '#content/office-paths.ts'
import type { MessageContent } from '#domain/messaging/messages/messages.server.ts'
import { readDigestReader } from '#domain/operations/queue-digests/queue-digests.server.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { readQueuesOnce } from './counts.server.ts'
import { readHomeQueues } from './home.server.ts'
import { maxCounted, officeQueues } from './queues.server.ts'

/** The task lists that these roles see, for the choice. */
export function digestQueues(roles: readonly StaffRole[]): { slug: string; title: string }[] {
  return officeQueues
    .filter(({ permission }) => staffCan(roles, permission))
    .map(({ slug, title }) => ({ slug, title }))
}

/**
 * Returns the content of a digest as of now; null if its reader turned it off, lost their roles or has no open task.
 */
export async function queueDigestMessage(app: Application, { key }: { key: string }): Promise<MessageContent | null> {
  const reader = await readDigestReader(app, key)
  if (!reader) return null
  const queues = await readHomeQueues(reader.roles, { now: app.clock.now(), read: readQueuesOnce(app) })
  const waiting = queues.waiting.filter(({ slug }) => !reader.except.includes(slug))
  if (waiting.length === 0) return null
  const total = waiting.reduce((sum, { count }) => sum + count, 0)
  const { origin } = app.config.web
  const more = waiting.some(({ count }) => count >= maxCounted)
  return {
    values: {
      tasks: more ? `Over ${countOf(total, 'open task')}` : countOf(total, 'open task'),
      lists: countOf(waiting.length, 'list'),
      rows: waiting.map(({ title, count, oldest, due }) => ({
        left: `${title}: ${count >= maxCounted ? `${maxCounted}+` : count}`,
        right: `Oldest: ${oldest} · ${due}`,
      })),
      homeUrl: origin + officePaths.office(),
      accountUrl: origin + officePaths.officeAccount(),
    },
    attachments: [],
  }
}
