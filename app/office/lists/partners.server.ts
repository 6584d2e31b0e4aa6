/** Partner applications and employers share a page. */
import { allRows, defineList, time } from '#app/office/define-list.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import type { ListRow } from '#app/office/list.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  findApplication,
  listApplications,
  listEmployers,
  type Application,
} from '#domain/customers/programs/programs.server.ts'

const common = { path: officePaths.officePartners(), permission: 'partners.read' } as const

export const partners = defineList({
  ...common,
  name: 'partners',
  title: 'Partner applications',
  caption: 'Partner applications',
  empty: 'No applications.',
  nouns: ['application', 'applications'],
  columns: [
    { key: 'kind', label: 'Kind' },
    { key: 'business', label: 'Business', isFixed: true },
    { key: 'contact', label: 'Contact' },
    { key: 'email', label: 'Email' },
    { key: 'phone', label: 'Phone' },
    { key: 'people', label: 'People' },
    { key: 'channel', label: 'Channel' },
    { key: 'message', label: 'Message' },
    { key: 'received', label: 'Received', kind: 'time' },
    { key: 'state', label: 'State', isFileOnly: true },
  ],
  readRow: async ({ app }, id) => {
    const found = await findApplication(app, numberedId(id))
    return found && rowOf(found)
  },
  read: ({ app }) => allRows(listApplications(app), rowOf),
})

function rowOf({ id, received_at: at, ...asked }: Application): ListRow {
  return {
    id: String(id),
    label: asked.business,
    path: null,
    cells: {
      kind: asked.kind,
      business: asked.business,
      contact: asked.name,
      email: asked.email,
      phone: asked.phone,
      people: asked.people,
      channel: asked.channel,
      message: asked.message,
      received: time(at),
      state: asked.state,
    },
  }
}

export const employers = defineList({
  ...common,
  name: 'employers',
  title: 'Employers',
  caption: 'Employers',
  empty: 'No employers.',
  nouns: ['employer', 'employers'],
  columns: [
    { key: 'domain', label: 'Domain', isFixed: true },
    { key: 'employer', label: 'Employer' },
    { key: 'since', label: 'Since', kind: 'time' },
  ],
  rowAt: () => ({ after: null }),
  read: ({ app }) =>
    allRows(listEmployers(app), ({ domain, employer, since }) => ({
      id: domain,
      label: employer,
      path: null,
      cells: { domain, employer, since: time(since) },
    })),
})
