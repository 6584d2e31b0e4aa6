/** The sets that shops store for customers, those that end first at the top. */
import { day, defineList, idPlace, placeOfId, stateOf, statesView } from '#app/office/define-list.server.ts'
import type { ListReader } from '#app/office/define-list.server.ts'
import type { ListRow } from '#app/office/list.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { findOfficeStoredSet, listOfficeStoredSets, type StoredSetRow } from '#domain/ordering/orders/orders.server.ts'
import { storedSetStateLabels, storedSetStates } from '#domain/ordering/orders/orders.ts'
import { findOfficeShops } from '#domain/scheduling/installers/installers.server.ts'

/** The most shops that match a name. */
const mostShops = 50

export const storedSets = defineList({
  name: 'stored-sets',
  title: 'Stored sets',
  path: officePaths.officeStoredSets(),
  permission: 'orders.read',
  caption: 'Sets of tires or wheels stored at shops, first due first',
  empty: 'No stored sets yet. A seasonal changeover with storage stores one when its job is done.',
  nouns: ['stored set', 'stored sets'],
  view: statesView(storedSetStates, storedSetStateLabels),
  filters: [{ kind: 'text', name: 'shop', label: 'Shop', max: 100 }],
  columns: [
    { key: 'order', label: 'Order', isFixed: true },
    { key: 'customer', label: 'Customer', isFixed: true, revealedBy: 'customers.read' },
    { key: 'set', label: 'Set' },
    { key: 'shop', label: 'Shop' },
    { key: 'location', label: 'Location', isLabeled: true },
    { key: 'stored', label: 'Stored since', isLabeled: true },
    { key: 'due', label: 'Due', isLabeled: true },
    { key: 'returned', label: 'Picked up', isLabeled: true },
  ],
  readRow: async ({ app, ...reader }, id) => {
    const orderId = parseOrderNumber(id)
    const set = orderId === undefined ? undefined : await findOfficeStoredSet(app, orderId)
    return set && rowOf(set, reader)
  },
  read: async ({ app, ...reader }, query) => {
    const { shop } = query.filters
    const { sets, next } = await listOfficeStoredSets(
      app,
      {
        state: stateOf(storedSetStates, query),
        shopIds: shop === undefined ? null : (await findOfficeShops(app, shop, mostShops)).map(({ id }) => id),
      },
      { after: idPlace(query.after ?? query.before), limit: query.limit },
    )
    return { rows: sets.map((set) => rowOf(set, reader)), next: placeOfId(next) }
  },
})

function rowOf(set: StoredSetRow, { customers, now }: Pick<ListReader, 'customers' | 'now'>): ListRow {
  const { orderId, shop, shopCode, city, timeZone, storedOn, storedUntil, returnedAt } = set
  const isEnded = returnedAt === null && storedUntil < now.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return {
    id: orderNumber(orderId),
    label: orderNumber(orderId),
    path: officePaths.officeOrder(orderId),
    cells: {
      order: orderNumber(orderId),
      customer: customers.show(`${set.firstName} ${set.lastName}`),
      set: set.vehicle,
      shop: { text: shop, note: city, path: officePaths.officeShop(shopCode) },
      location: set.place,
      stored: day(storedOn),
      due: { ...day(storedUntil), ...(isEnded && { note: 'Storage ended', tone: 'stop' as const }) },
      returned: returnedAt && day(returnedAt.toZonedDateTimeISO(timeZone).toPlainDate()),
    },
  }
}
