/** The messages and leads, unanswered ones first. */
import { messageRecord } from '#app/office/records/requests.server.ts'
import { readMessagePreview } from '#app/office/previews/message.server.ts'
import { messageActs } from '#app/office/bulk/messages.server.ts'
import { defineList, idPlace, time } from '#app/office/define-list.server.ts'
import { cursorText, readCursor, rowOf } from '#app/views/office/message.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listRequests } from '#domain/messaging/support/support.server.ts'
import { supportZone } from '#domain/messaging/support/support.ts'

const states = {
  waiting: { text: 'Waiting', tone: 'signal' },
  answered: { text: 'Answered', tone: 'go' },
  closed: { text: 'Closed', tone: 'plain' },
} as const

const shown = ['open', 'closed'] as const
const kinds = ['contact', 'lead'] as const

export const messages = defineList({
  name: 'messages',
  title: 'Messages',
  path: officePaths.officeMessages(),
  permission: 'requests.read',
  caption: 'Messages and leads',
  nouns: ['message', 'messages'],
  view: {
    name: 'show',
    label: 'State',
    tabs: [
      ['', 'Waiting for an answer'],
      ['open', 'Open'],
      ['closed', 'Closed'],
    ],
  },
  filters: [
    {
      kind: 'choice',
      name: 'kind',
      label: 'Kind',
      options: [
        ['contact', 'Messages'],
        ['lead', 'Leads'],
      ],
    },
    { kind: 'choice', name: 'mine', label: 'Assigned to', options: [['yes', 'Me']] },
  ],
  columns: [
    { key: 'number', label: 'Number', isFixed: true },
    { key: 'kind', label: 'Kind', isFileOnly: true },
    { key: 'who', label: 'From', isFixed: true, revealedBy: 'customers.read' },
    { key: 'email', label: 'Email', isFileOnly: true, revealedBy: 'customers.read' },
    { key: 'about', label: 'About' },
    { key: 'assignedTo', label: 'Assigned to' },
    { key: 'state', label: 'State' },
    { key: 'sent', label: 'Sent', kind: 'time', isOff: true },
    { key: 'since', label: 'Waiting since', kind: 'time' },
  ],
  links: [
    { label: 'Bounced', path: officePaths.officeBounces() },
    { label: 'Templates', path: officePaths.officeTemplates() },
  ],
  bulk: messageActs,
  preview: async (reader, id) => {
    const row = idPlace(id)
    return row === null ? undefined : readMessagePreview(reader, row)
  },
  record: messageRecord,
  read: async ({ app, session, customers }, { filters, after, before }) => {
    const { show, kind, mine } = filters
    const list = {
      show: shown.find((one) => one === show) ?? ('waiting' as const),
      kind: kinds.find((one) => one === kind) ?? null,
      assignedTo: mine === 'yes' ? session.email.toLowerCase() : null,
    }
    const { requests, next } = await listRequests(app, list, readCursor(after ?? before))
    return {
      rows: requests.map((request) => {
        const { number, who, about, assignedTo, state } = rowOf(request)
        return {
          id: String(request.id),
          label: number,
          path: officePaths.officeMessage(request.id),
          cells: {
            number,
            kind: request.kind,
            who: customers.show(who),
            email: customers.show(request.email),
            about,
            assignedTo,
            state: states[state],
            sent: time(request.createdAt, supportZone),
            since: time(request.waitingSince ?? request.createdAt, supportZone),
          },
        }
      }),
      next: next && cursorText(next),
    }
  },
})
