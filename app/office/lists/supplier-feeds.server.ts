/** The list of supplier feeds by name. */
import { allRows, defineList, time } from '#app/office/define-list.server.ts'
import { kindWords } from '#app/views/office/import-words.ts'
import { fetchStates, scheduleText } from '#app/views/supplier-feed-words.ts'
import { officePaths } from '#content/office-paths.ts'
import { listFeeds } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { nextTime } from '#domain/catalog/supplier-feeds/supplier-feeds.ts'
import { storeZone } from '#platform/store-zone.ts'

export const supplierFeeds = defineList({
  name: 'supplier-feeds',
  title: 'Supplier feeds',
  path: officePaths.officeSupplierFeeds(),
  permission: 'catalog.read',
  caption: 'Supplier feeds by name',
  empty: 'No supplier feeds yet. Add a feed to import a supplier’s file at set times.',
  nouns: ['feed', 'feeds'],
  columns: [
    { key: 'name', label: 'Feed', isFixed: true },
    { key: 'state', label: 'Last run' },
    { key: 'kind', label: 'Contents' },
    { key: 'schedule', label: 'Schedule' },
    { key: 'last', label: 'Last due', kind: 'time' },
    { key: 'next', label: 'Next run', kind: 'time' },
    { key: 'server', label: 'Server' },
  ],
  links: [
    { label: 'Imports', path: officePaths.officeImports(), permission: 'catalog.read' },
    {
      label: 'Add a feed',
      path: officePaths.officeSupplierFeed('new'),
      permission: 'catalog.publish',
      isPrimary: true,
    },
  ],
  news: { added: 'Feed added. It runs at its next scheduled time.' },
  read: ({ app, now }) =>
    allRows(listFeeds(app), ({ id, name, kind, last, pausedAt, url, ...schedule }) => {
      const state = last && fetchStates[last.state]
      const next = pausedAt === null ? nextTime(schedule, now, storeZone) : undefined
      return {
        id: String(id),
        label: name,
        path: officePaths.officeSupplierFeed(String(id)),
        cells: {
          name,
          state:
            pausedAt !== null
              ? { text: 'Paused', tone: 'plain' }
              : state
                ? {
                    text: last.held === null ? state.words : 'Needs review',
                    tone: last.held === null ? state.tone : 'signal',
                  }
                : { text: 'No runs yet', tone: 'plain' },
          kind: kindWords[kind],
          schedule: scheduleText(schedule),
          last: last ? time(last.dueAt) : null,
          next: next ? time(next) : null,
          server: new URL(url).host,
        },
      }
    }),
})
