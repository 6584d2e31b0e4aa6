/** The list of orders that customers pick up at our warehouses, soonest due first. */
import { pickupRecord } from '#app/office/records/shipping.server.ts'
import { allRows, defineList, stateOf, statesView } from '#app/office/define-list.server.ts'
import { warehouseChoices, warehouseFilter } from '#app/office/warehouse-filter.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listPickups } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { pickupStates, pickupStateWords } from '#domain/ordering/orders/orders.ts'
import { dayText } from '#platform/day-text.ts'
import { timeText } from '#platform/time-text.ts'

/** The list on the pickups page. More appear as these are picked up. */
const mostListed = 200

const dueWords = { preparing: 'Ready by', ready: 'Held until', overdue: 'Was held until', 'handed-over': 'Picked up' }

export const pickups = defineList({
  name: 'pickups',
  title: 'Warehouse pickups',
  path: officePaths.officePickups(),
  permission: 'pickups.read',
  caption: 'Orders picked up at warehouses',
  nouns: ['pickup', 'pickups'],
  view: statesView(pickupStates, pickupStateWords),
  filters: [warehouseFilter],
  choices: warehouseChoices,
  columns: [
    { key: 'number', label: 'Order', isFixed: true },
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'tires', label: 'Tires', kind: 'count' },
    { key: 'warehouse', label: 'Warehouse' },
    { key: 'due', label: 'Due' },
  ],
  record: pickupRecord,
  read: ({ app }, query) => {
    const state = stateOf(pickupStates, query)
    return allRows(listPickups(app, { state, warehouse: query.filters['warehouse'], limit: mostListed }), (pickup) => ({
      id: orderNumber(pickup.orderId),
      label: orderNumber(pickup.orderId),
      path: officePaths.officePickup(pickup.orderId),
      cells: {
        number: orderNumber(pickup.orderId),
        // Those who hand tires over check the name, whatever else their role shows of customers.
        name: `${pickup.firstName} ${pickup.lastName}`,
        tires: pickup.tires,
        warehouse: pickup.warehouse,
        due: {
          text:
            pickup.handedOverAt !== null
              ? timeText(pickup.handedOverAt, pickup.timeZone)
              : pickup.keepUntil === null
                ? timeText(pickup.readyBy, pickup.timeZone)
                : dayText(Temporal.PlainDate.from(pickup.keepUntil)),
          note: dueWords[state],
        },
      },
    }))
  },
})
