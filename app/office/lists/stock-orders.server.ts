/** The list of stock orders, newest first. */
import { defineList, idPlace, money, placeOfId, time } from '#app/office/define-list.server.ts'
import { warehouseChoices, warehouseFilter } from '#app/office/warehouse-filter.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listStockOrders } from '#domain/supply/stock/stock.server.ts'
import { stockOrderNumber, stockOrderStateNames, stockOrderStates } from '#domain/supply/stock/stock.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'

export const stockOrders = defineList({
  name: 'stock-orders',
  title: 'Stock orders',
  path: officePaths.officeStockOrders(),
  crumbs: [{ label: 'Stock', path: officePaths.officeStock() }],
  permission: 'suppliers.read',
  caption: 'Stock orders, newest first',
  nouns: ['stock order', 'stock orders'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [['', 'All'], ...stockOrderStates.map((state) => [state, stockOrderStateNames[state]] as const)],
  },
  filters: [warehouseFilter],
  choices: warehouseChoices,
  columns: [
    { key: 'number', label: 'Stock order', isFixed: true },
    { key: 'supplier', label: 'Supplier', isFixed: true },
    { key: 'warehouse', label: 'Warehouse' },
    { key: 'state', label: 'State' },
    { key: 'units', label: 'Units', kind: 'count' },
    { key: 'total', label: 'Cost', kind: 'money' },
    { key: 'freight', label: 'Freight', kind: 'money', isOff: true },
    { key: 'expected', label: 'Expected' },
    { key: 'sent', label: 'Sent', kind: 'time' },
    { key: 'created', label: 'Created', kind: 'time', isOff: true },
    { key: 'by', label: 'Created by', isOff: true },
  ],
  links: [
    {
      label: 'New stock order',
      path: officePaths.officeStockOrder('new'),
      permission: 'stock.order',
      isPrimary: true,
    },
  ],
  read: async ({ app, now }, { filters, after, before, limit }) => {
    const state = stockOrderStates.find((one) => one === filters['state']) ?? null
    const query = { state, warehouse: filters['warehouse'], before: idPlace(after ?? before) }
    const { orders, next } = await listStockOrders(app, query, limit)
    const today = storeDay(now).toString()
    return {
      rows: orders.map((order) => {
        const isOpen = !['draft', 'received', 'canceled'].includes(order.state)
        return {
          id: String(order.id),
          label: stockOrderNumber(order.id),
          path: officePaths.officeStockOrder(String(order.id)),
          cells: {
            number: stockOrderNumber(order.id),
            supplier: order.supplier,
            warehouse: order.warehouse,
            state: {
              text: stockOrderStateNames[order.state],
              ...(isOpen && order.expectedOn < today && { tone: 'stop' as const, note: 'Overdue' }),
            },
            units: order.units,
            total: money(order.totalCents),
            freight: money(order.freightCents),
            expected: { text: dateText(order.expectedOn), file: order.expectedOn, value: order.expectedOn },
            sent: time(order.sentAt),
            created: time(order.createdAt),
            by: order.createdBy,
          },
        }
      }),
      next: placeOfId(next),
    }
  },
})
