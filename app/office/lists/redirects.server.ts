/** The list of redirects by old address. */
import { defineList, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listRedirects } from '#domain/kernel/content/content.server.ts'
import { longestPath } from '#domain/kernel/content/content.ts'

export const redirects = defineList({
  name: 'redirects',
  title: 'Redirects',
  path: officePaths.officeRedirects(),
  permission: 'redirects.edit',
  caption: 'Redirects by old address',
  empty: 'No redirects yet. Add one, or import redirects from your earlier store.',
  nouns: ['redirect', 'redirects'],
  find: { name: 'start', label: 'Find by start of old address' },
  filters: [{ kind: 'text', name: 'start', label: 'Old address begins with', max: longestPath }],
  columns: [
    { key: 'from', label: 'Old address', isFixed: true },
    { key: 'to', label: 'Leads to', isFixed: true },
    { key: 'by', label: 'Added by' },
    { key: 'at', label: 'Added', kind: 'time' },
  ],
  links: [{ label: 'Add redirects', path: officePaths.officeRedirect(), isPrimary: true }],
  news: { saved: 'Redirect saved.', removed: 'Redirect removed.', imported: 'Redirects imported.' },
  read: async ({ app }, { filters, after, before }) => {
    const { redirects: found, next } = await listRedirects(app, {
      start: filters['start'] ?? '',
      after: after ?? before,
    })
    return {
      rows: found.map(({ from, to, by, at }) => ({
        id: from,
        label: from,
        path: officePaths.officeRedirect({ from }),
        cells: { from, to: { text: to, path: to }, by, at: time(at) },
      })),
      next,
    }
  },
})
