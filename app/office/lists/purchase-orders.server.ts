/** The list of purchase orders, newest first. */
import { purchaseOrderRecord } from '#app/office/records/catalog.server.ts'
import { defineList, idPlace, placeOfId, statesView, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listPurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber, purchaseOrderStateNames, purchaseOrderStates } from '#domain/supply/stock/stock.ts'

const first = 'released'
const states = [first, ...purchaseOrderStates.filter((state) => state !== first)] as const

export const purchaseOrders = defineList({
  name: 'purchases',
  title: 'Purchase orders',
  path: officePaths.officePurchaseOrders(),
  crumbs: [{ label: 'Stock', path: officePaths.officeStock() }],
  permission: 'suppliers.read',
  caption: 'Purchase orders, newest first',
  nouns: ['purchase order', 'purchase orders'],
  view: statesView(states, purchaseOrderStateNames),
  columns: [
    { key: 'number', label: 'Purchase order', isFixed: true },
    { key: 'state', label: 'State', isFileOnly: true },
    { key: 'supplier', label: 'Supplier', isFixed: true },
    { key: 'warehouse', label: 'Warehouse', isFileOnly: true },
    { key: 'order', label: 'Order' },
    { key: 'units', label: 'Units' },
    { key: 'created', label: 'Created', kind: 'time', isOff: true },
    { key: 'released', label: 'Sent', kind: 'time' },
    { key: 'answered', label: 'Answered', kind: 'time' },
    { key: 'reference', label: 'Supplier’s number' },
    { key: 'reason', label: 'Rejected because' },
  ],
  record: purchaseOrderRecord,
  read: async ({ app }, { filters, after, before }) => {
    const state = states.find((one) => one === filters['state']) ?? first
    const { orders, next } = await listPurchaseOrders(app, { state, before: idPlace(after ?? before) })
    return {
      rows: orders.map((order) => ({
        id: String(order.id),
        label: purchaseOrderNumber(order.id),
        path: officePaths.officePurchaseOrder(order.id),
        cells: {
          number: purchaseOrderNumber(order.id),
          state: purchaseOrderStateNames[state],
          supplier: { text: order.supplier, note: order.warehouse },
          warehouse: order.warehouse,
          order: { text: orderNumber(order.orderId), path: officePaths.officeOrder(order.orderId) },
          units: order.units.join(', '),
          created: time(order.createdAt),
          released: time(order.releasedAt),
          answered: time(order.answeredAt),
          reference: order.reference,
          reason: order.rejectReason,
        },
      })),
      next: placeOfId(next),
    }
  },
})
