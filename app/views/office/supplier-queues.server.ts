/** What staff order from suppliers, and what suppliers refuse or deliver late. */
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { selectBuyers } from '#domain/ordering/orders/orders.server.ts'
import {
  listPurchaseOrdersToPlace,
  listRejectedPurchaseOrders,
  listStockOrdersToFollowUp,
} from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber, stockOrderNumber } from '#domain/supply/stock/stock.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Queue } from './queues.server.ts'

export const supplierQueues: readonly Queue[] = [
  {
    slug: 'orders-to-buy',
    title: 'Orders to buy from a supplier',
    permission: 'suppliers.read',
    path: officePaths.officePurchaseOrders({ state: 'released' }),
    withinHours: 4,
    read: async (app, limit) => {
      const found = await listPurchaseOrdersToPlace(app, limit)
      const buyers = await selectBuyers(
        app.db,
        found.map(({ orderId }) => orderId),
      )
      return found.map(({ id, orderId, since }) => ({
        label: orderNumber(orderId),
        customer: buyers.get(orderId)?.customer ?? '',
        since,
        path: officePaths.officePurchaseOrder(id),
      }))
    },
  },
  {
    slug: 'supplier-rejected',
    title: 'Late or short orders',
    permission: 'suppliers.read',
    path: officePaths.officePurchaseOrders({ state: 'rejected' }),
    withinHours: 4,
    read: async (app, limit) =>
      (await listRejectedPurchaseOrders(app, limit)).map(({ id, orderId, supplier, since }) => ({
        label: `${purchaseOrderNumber(id)} of ${orderNumber(orderId)}, ${supplier}`,
        since,
        path: officePaths.officePurchaseOrder(id),
      })),
  },
  {
    slug: 'overdue-stock-orders',
    title: 'Overdue or refused stock orders',
    permission: 'suppliers.read',
    path: officePaths.officeStockOrders(),
    read: async (app, limit) =>
      (await listStockOrdersToFollowUp(app, limit)).map(({ id, supplier, expectedOn, refusedAt }) => ({
        label: `${stockOrderNumber(id)}, ${supplier}${refusedAt ? ': not sent, refused by its system' : ''}`,
        since: refusedAt ?? Temporal.PlainDate.from(expectedOn).add({ days: 1 }).toZonedDateTime(storeZone).toInstant(),
        path: officePaths.officeStockOrder(String(id)),
      })),
  },
]
