/** The task lists at the counters of warehouses. */
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listPickups } from '#domain/ordering/orders/orders.server.ts'
import type { Application } from '#application'

export const pickupQueues = [
  {
    slug: 'pickups-to-ready',
    title: 'Pickups to prepare',
    permission: 'pickups.read',
    path: officePaths.officePickups(),
    read: async (app: Application, limit: number) =>
      (await listPickups(app, { state: 'preparing', limit })).map(({ orderId, warehouse, readyBy, readyHours }) => ({
        label: `${orderNumber(orderId)}, ${warehouse}`,
        since: readyBy.subtract({ hours: readyHours }),
        due: readyBy,
        path: officePaths.officePickup(orderId),
      })),
  },
  {
    slug: 'pickups-missed',
    title: 'Unclaimed pickups',
    permission: 'pickups.read',
    path: officePaths.officePickups({ state: 'overdue' }),
    read: async (app: Application, limit: number) =>
      (await listPickups(app, { state: 'overdue', limit })).map(({ orderId, warehouse, readyAt, readyBy }) => ({
        label: `${orderNumber(orderId)}, ${warehouse}`,
        since: readyAt ?? readyBy,
        path: officePaths.officePickup(orderId),
      })),
  },
] as const
