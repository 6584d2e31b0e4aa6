/** Test fixtures for a paid order with a parcel to pack in our own warehouse. */
import { makePlacedOrder, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderOf, pass } from '#domain/ordering/orders/staff-acts.testing.ts'

/** Places an order, passes its window and charges it, without buying a label. */
export async function makeParcel(
  store: TestStore,
  options: Parameters<typeof makePlacedOrder>[1] = { fulfillment: 'home' },
): Promise<{ orderId: number; id: string; itemId: number }> {
  const { orderId } = await makePlacedOrder(store, { itemId: await findOwnTire(store), ...options })
  pass(store, { minutes: 31 })
  await releaseOrder(store, orderId)
  const order = await orderOf(store, orderId)
  const [parcel] = order.shipments
  const itemId = order.lines.find(({ kind }) => kind === 'tire')?.itemId
  if (!parcel || !itemId) throw new Error('The order of a test has no parcel.')
  return { orderId, id: parcel.id, itemId }
}

/** Returns a tire not stocked by suppliers, so that our warehouse ships it at any time of day. */
async function findOwnTire({ db }: TestStore): Promise<number> {
  const { item_id } = await db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select('item_id')
    .where('on_hand', '>=', 12)
    .where('item.active', '=', true)
    .where('warehouse_id', 'in', (eb) => eb.selectFrom('warehouse').select('id').where('supplier_id', 'is', null))
    .where('item_id', 'not in', (eb) =>
      eb
        .selectFrom('stock as held')
        .innerJoin('warehouse', 'warehouse.id', 'held.warehouse_id')
        .select('held.item_id')
        .where('held.on_hand', '>', 0)
        .where('warehouse.supplier_id', 'is not', null),
    )
    .orderBy('item_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return item_id
}
