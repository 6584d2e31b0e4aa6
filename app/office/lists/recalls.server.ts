/** The list of recalls, newest first. */
import { recallRecord } from '#app/office/records/shops.server.ts'
import { defineList, idPlace, placeOfId, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listRecalls } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { recallStateWords } from '#domain/installer-portal/work-orders/work-orders.ts'

export const recalls = defineList({
  news: { discarded: 'Draft discarded.' },
  name: 'recalls',
  title: 'Recalls',
  path: officePaths.officeRecalls(),
  permission: 'recalls.read',
  caption: 'Recalls, newest first',
  nouns: ['recall', 'recalls'],
  columns: [
    { key: 'campaign', label: 'NHTSA', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'tires', label: 'Tires', isFixed: true },
    { key: 'told', label: 'Notified tires', kind: 'count' },
    { key: 'opened', label: 'Opened', kind: 'time' },
  ],
  record: recallRecord,
  read: async ({ app }, { after, before }) => {
    const page = await listRecalls(app, { before: idPlace(after ?? before) })
    return {
      rows: page.recalls.map(({ campaign, maker, line, sizes, state, told, openedAt }) => ({
        id: campaign,
        label: campaign,
        path: officePaths.officeRecall(campaign),
        cells: {
          campaign,
          state: { text: recallStateWords[state], tone: state === 'open' ? 'stop' : 'plain' },
          tires: [maker, line, sizes.join(', ')].filter(Boolean).join(' '),
          told,
          opened: time(openedAt),
        },
      })),
      next: placeOfId(page.next),
    }
  },
})
