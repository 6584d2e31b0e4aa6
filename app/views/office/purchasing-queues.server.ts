/** What purchasing systems leave to staff. */
import { officePaths } from '#content/office-paths.ts'
import { documentNames } from '#domain/channels/purchasing/purchasing.ts'
import { listDeadDocuments } from '#domain/channels/purchasing/purchasing.server.ts'
import type { Queue } from './queues.server.ts'

export const purchasingQueues: readonly Queue[] = [
  {
    slug: 'purchasing-documents',
    title: 'Undelivered purchasing documents',
    permission: 'companies.read',
    read: async (app, limit) =>
      (await listDeadDocuments(app, limit)).map(({ kind, buyerOrderId, companyId, madeAt }) => ({
        label: `${documentNames[kind]} of ${buyerOrderId}`,
        since: madeAt,
        path: `${officePaths.officePurchasing(companyId)}#documents`,
      })),
  },
]
