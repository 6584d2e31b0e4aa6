/** The list of webhook deliveries that failed for good, newest first. */
import { defineList, idPlace, placeOfId, time, rowAtId } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listDeadLetters } from '#domain/channels/webhooks/webhooks.server.ts'
import { resultWords } from '#domain/channels/webhooks/webhooks.ts'

export const failedWebhooks = defineList({
  news: { replayed: 'Delivery started again.' },
  name: 'failed-webhooks',
  title: 'Failed webhooks',
  path: officePaths.officeFailedWebhooks(),
  permission: 'webhooks.read',
  caption: 'Webhook deliveries that failed nine times over four hours, or with a paused webhook',
  empty: 'No failed deliveries.',
  nouns: ['delivery', 'deliveries'],
  columns: [
    { key: 'event', label: 'Event', isFixed: true },
    { key: 'owner', label: 'For' },
    { key: 'address', label: 'Address' },
    { key: 'at', label: 'Happened', kind: 'time' },
    { key: 'result', label: 'Last try' },
    { key: 'act', label: 'Send again', isPageOnly: true, permission: 'webhooks.replay' },
  ],
  rowAt: (_reader, id) => rowAtId(id, 'highest first'),
  read: async ({ app }, { after, before }) => {
    const { letters, next } = await listDeadLetters(app, idPlace(after ?? before))
    return {
      rows: letters.map(({ id, type, orderId, at, url, ownerName, isActive, ...result }) => ({
        id: String(id),
        label: orderId === null ? type : `${type} of ${orderNumber(orderId)}`,
        path: null,
        cells: {
          event: orderId === null ? type : `${type}, ${orderNumber(orderId)}`,
          owner: ownerName,
          address: url,
          at: time(at),
          result: resultWords(result),
          act: isActive ? 'again' : null,
        },
      })),
      next: placeOfId(next),
    }
  },
})
