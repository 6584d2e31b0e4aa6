/** Tests where returned tires are sent. */
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { closeWarehouse, findWarehouse, listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { milesBetween } from '#domain/supply/delivery/delivery.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { labelSheet } from './return-labels.ts'
import { readReturn } from './returns.server.ts'
import { makeDeliveredOrder, makeReturn, openReturnsStore, type ReturnsStore } from './returns.testing.ts'

const [port = 0] = await freePorts(1)

async function addressesOf(store: ReturnsStore, orderId: number, returnId: number): Promise<string[][]> {
  const [order, view] = [await readOrder(store.db, orderId), await readReturn(store.db, returnId)]
  if (!order || !view) throw new Error('The order or return is missing.')
  return labelSheet(store.config, order, view).labels.map(({ to }) => to)
}

test('tires of a closing warehouse go back to the nearest open warehouse', async () => {
  await using store = await openReturnsStore(port)
  const { orderId } = await makeDeliveredOrder(store)
  const shippedFrom = (await readOrder(store.db, orderId))?.shipments[0]?.warehouse
  const [first] = await addressesOf(
    store,
    orderId,
    await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 1 }] }),
  )
  expect(first?.[1]).toBe(shippedFrom?.name)

  const from = await findWarehouse(store, shippedFrom?.id ?? 0)
  if (!from) throw new Error('The warehouse is missing.')
  const manager = await signInStaff(store, 'manager')
  must(await closeWarehouse(store, manager, { id: from.id, version: from.version, on: null }))
  const places = await store.db.selectFrom('warehouse').select(['id', 'latitude', 'longitude']).execute()
  const pointOf = (id: number) => places.find((place) => place.id === id) ?? { latitude: 0, longitude: 0 }
  const [nearest] = (await listWarehouses(store))
    .filter(({ id, supplierId }) => id !== from.id && supplierId === null)
    .toSorted((a, b) => milesBetween(pointOf(from.id), pointOf(a.id)) - milesBetween(pointOf(from.id), pointOf(b.id)))
  expect(nearest).toBeDefined()
  const later = await makeReturn(store, orderId, { lines: [{ lineNo: 1, quantity: 1 }] })
  expect(await addressesOf(store, orderId, later)).toEqual([
    [`${store.config.store.name} Returns`, nearest?.name, `${nearest?.city}, ${nearest?.state} ${nearest?.zip}`],
  ])
})
