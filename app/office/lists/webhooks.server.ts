/** The list of the store's webhook endpoints, oldest first. */
import { allRows, defineList, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { endpointStateText } from '#domain/channels/webhooks/webhooks.ts'
import { listStoreWebhooks } from '#domain/channels/webhooks/webhooks.server.ts'
import { countOf } from '#platform/count-text.ts'

export const webhooks = defineList({
  name: 'webhooks',
  title: 'Webhooks',
  path: officePaths.officeWebhooks(),
  permission: 'webhooks.manage',
  caption: 'Webhooks of the store, oldest first',
  empty: 'No webhooks yet. Add one to send events of the store to your own systems.',
  nouns: ['webhook', 'webhooks'],
  columns: [
    { key: 'url', label: 'URL', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'events', label: 'Events' },
    { key: 'added', label: 'Added', kind: 'time' },
    { key: 'failing', label: 'Failing since', kind: 'time' },
  ],
  links: [
    { label: 'Failed webhooks', path: officePaths.officeFailedWebhooks(), permission: 'webhooks.read' },
    { label: 'Add a webhook', path: officePaths.officeWebhook('new'), isPrimary: true },
  ],
  news: { removed: 'Webhook removed. We no longer send events to it.' },
  read: ({ app }) =>
    allRows(listStoreWebhooks(app), (endpoint) => ({
      id: endpoint.id,
      label: endpoint.url,
      path: officePaths.officeWebhook(endpoint.id),
      cells: {
        url: endpoint.url,
        state: endpointStateText(endpoint),
        events: countOf(endpoint.types.length, 'event'),
        added: time(endpoint.createdAt),
        failing: time(endpoint.failingSince),
      },
    })),
})
