/** A return's printable labels, one page per tire. */
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Config } from '#platform/config.ts'
import { returnNumber } from './return-terms.ts'
import type { ReturnView } from './return-view.sql.server.ts'

export type LabelSheet = {
  store: string
  returnNumber: string
  orderNumber: string
  sample: boolean
  labels: {
    /** "Tire 1 of 4" */
    title: string
    tire: string
    carrier: string
    trackingNumber: string
    from: string[]
    to: string[]
  }[]
}

/** Returns labels for a return's active tires, or only for `tireNo`. */
export function labelSheet(
  { store, demo }: Pick<Config, 'store'> & { demo?: boolean },
  order: OrderView,
  view: ReturnView,
  tireNo?: number,
): LabelSheet {
  const live = view.tires.filter(({ state }) => state !== 'canceled')
  return {
    store: store.name,
    returnNumber: returnNumber(view.id),
    orderNumber: orderNumber(order.id),
    sample: demo ?? false,
    labels: live.flatMap((tire, index) =>
      tire.carrier === null ||
      tire.trackingNumber === null ||
      tire.warehouse === null ||
      (tireNo !== undefined && tireNo !== tire.tireNo)
        ? []
        : [
            {
              title: `Tire ${index + 1} of ${live.length}`,
              tire: tire.name,
              carrier: tire.carrier,
              trackingNumber: tire.trackingNumber,
              from: [
                order.shipTo.name,
                order.shipTo.street,
                `${order.shipTo.city}, ${order.shipTo.state} ${order.shipTo.zip}`,
              ],
              to: [
                `${store.name} Returns`,
                tire.warehouse.name,
                `${tire.warehouse.city}, ${tire.warehouse.state} ${tire.warehouse.zip}`,
              ],
            },
          ],
    ),
  }
}
