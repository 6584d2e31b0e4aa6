/** A store with a stock order to receive, for tests. */
import { must, openTestStore, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import {
  createStockOrder,
  findStockOrder,
  findTireStock,
  listSuppliers,
  receiveStockOrder,
  markStockOrderSent,
} from './stock.server.ts'
import { newStockOrderForm, receiptForm } from './stock.ts'

/** Opens a store with a sent order of 20 of a tire for a warehouse that has at least 8. */
export async function openWithSentOrder(port: number) {
  const store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { tire, warehouses = [], places = [] } = (await findTireStock(store, itemId)) ?? {}
  const [supplier] = await listSuppliers(store)
  const warehouse = places.find(({ supplier: of, free }) => of === null && free >= 8)?.warehouseId ?? 0
  const draft = {
    key: newId(),
    supplier: String(supplier?.id),
    warehouse: String(warehouse),
    add: `${tire?.sku} 20 80`,
  }
  const { id } = must(await createStockOrder(store, desk, newStockOrderForm.parse(draft)))
  must(await markStockOrderSent(store, desk, { id, version: 1 }))
  const today = store.clock.now().toZonedDateTimeISO('America/New_York').toPlainDate()
  const receive = (fields: Record<string, string>, { key = newId(), of = id } = {}) => {
    const named = Object.entries(fields).map(([name, value]) => [
      name === 'overReason' || name === 'freight' ? name : `${name}-${itemId}`,
      value,
    ])
    const form = receiptForm(today).parse({ key, ...(Object.fromEntries(named) as Record<string, string>) })
    return receiveStockOrder(store, { id: of, ...form, by: desk })
  }
  const place = async (warehouseId = warehouse) =>
    (await findTireStock(store, itemId))?.places.find((each) => each.warehouseId === warehouseId)
  const state = async () => (await findStockOrder(store, id))?.order.state
  const before = await place()
  return {
    ...store,
    itemId,
    id,
    today,
    warehouse,
    warehouses,
    receive,
    place,
    state,
    onHand: (before?.free ?? 0) + (before?.allocated ?? 0),
    free: before?.free ?? 0,
  }
}
