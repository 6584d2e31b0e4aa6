/** Test fixtures for charged orders, and staff who cancel their lines. */
import { makePlacedOrder, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import type { AskedUnits } from '#domain/ordering/refunds/refunds.ts'
import { newId } from '#platform/ids.ts'
import { cancelLinesAsStaff, readCancelable } from './cancellations.server.ts'
import { countCancelable } from './cancellations.ts'

/** A charged order of four tires with an unlabeled parcel. */
export async function makeCharged(store: TestStore, options: Parameters<typeof makePlacedOrder>[1] = {}) {
  const placed = await makePlacedOrder(store, options)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, placed.orderId)
  return placed
}

/** The form for these lines as a page shows it now. */
export async function formOf(store: TestStore, orderId: number, lines: AskedUnits[]) {
  return {
    lines,
    orderId,
    key: newId(),
    agreedCents: null,
    seen: countCancelable(await readCancelable(store, await orderOf(store, orderId))),
  }
}

/** Cancels lines as staff do who just opened the page. */
export async function cancel(store: TestStore, orderId: number, lines: AskedUnits[]) {
  return cancelLinesAsStaff(store, dana, { ...(await formOf(store, orderId, lines)), reason: 'The customer called.' })
}
