/** The preview of a message, with sender, subject, the last message, and the assignee. */
import { factsOf, rowOf, threadOf, type Said } from '#app/views/office/message.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findThread } from '#domain/messaging/support/support.server.ts'
import type { ListReader } from '../define-list.server.ts'
import type { ListPreview } from '../list.ts'

/** In characters. */
const longestBody = 600
const states = { waiting: 'Awaiting reply', answered: 'Answered', closed: 'Closed' } as const
const ofCustomer: ReadonlySet<string> = new Set(['Name', 'Email', 'Phone'])

/** Reads a message's preview; undefined for an unknown message. Who wrote is shown to roles that see customers. */
export async function readMessagePreview({ app, customers }: ListReader, id: number): Promise<ListPreview | undefined> {
  const thread = await findThread(app, id)
  if (!thread) return undefined
  const { number, who, about, since, assignedTo, state } = rowOf(thread.request)
  const said = threadOf(thread.request, thread.replies)
  return {
    id: String(id),
    title: about,
    note: `${number} · ${customers.show(who)}`,
    path: officePaths.officeMessage(id),
    open: 'Open message',
    clock: null,
    picture: null,
    sections: [
      {
        title: 'State',
        facts: [
          ['State', states[state]],
          ['Since', since],
          ['Assigned to', assignedTo || 'No one'],
          ['Messages', String(said.length)],
        ],
      },
      ...said.slice(-1).map((last) => ({
        title: `${sides[last.kind]}, ${last.time}`,
        lines: [cut(last.body)],
        ...(last.files.length > 0 && { facts: [['Files', String(last.files.length)] as const] }),
      })),
      {
        title: 'From',
        facts: factsOf(thread.request).filter(([label]) => customers.isShown || !ofCustomer.has(label)),
      },
    ],
  }
}

const sides: Readonly<Record<Said['kind'], string>> = { in: 'They wrote', out: 'We wrote', note: 'Note' }

function cut(text: string): string {
  return text.length <= longestBody ? text : `${text.slice(0, longestBody - 1).trimEnd()}…`
}
