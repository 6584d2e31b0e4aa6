/** An order whose parcel has a label and stays where it is, for a store that charges at once and whose carrier waits. */
import { eventually } from './eventually.ts'
import { placeHomeOrder } from './order-by-api.ts'
import type { RunningStore } from './store.ts'
import type { Visitor } from './visitor.ts'

/** The settings of such a store. */
export const labeledOrders = { RELEASE_AFTER_SECONDS: '0', SANDBOX_CARRIER_PACE_SECONDS: '0' }

/** Places an order for home delivery as `visitor`, and waits until it is charged and its label made. Returns its id. */
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
