/** An order with a labeled package, for a store that charges immediately and a carrier that doesn't move packages. */
import { eventually } from './eventually.ts'
import { placeHomeOrder } from './order-by-api.ts'
import type { RunningStore } from './store.ts'
import type { Visitor } from './visitor.ts'

/** The settings of such a store. */
export const labeledOrders = { RELEASE_AFTER_SECONDS: '0', SANDBOX_CARRIER_PACE_SECONDS: '0' }

/** Places a home delivery order as `visitor`. Returns its ID once it has a charge and a label. */
export async function placeLabeledOrder(store: RunningStore, visitor: Visitor, email: string): Promise<number> {
  const orderId = await placeHomeOrder(store, visitor, { email })
  await eventually('the label of the parcel', () =>
    store.database.db
      .selectFrom('shipment')
      .select('id')
      .where('order_id', '=', orderId)
      .where('state', '=', 'pending-pickup')
      .executeTakeFirst(),
  )
  return orderId
}
