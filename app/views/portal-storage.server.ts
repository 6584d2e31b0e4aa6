/** A stored set as its shop sees it. */
import { portalPaths } from '#content/portal-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { StoredSetRow } from '#domain/ordering/orders/orders.server.ts'
import { dateText } from '#platform/day-text.ts'
import { countOf } from '#platform/count-text.ts'

export type StoredSetView = {
  orderId: number
  order: string
  job: string
  /** "Iris V., 2021 Honda CR-V" */
  title: string
  span: string
  /** That the last day has passed; null until then. */
  ended: string | null
  place: string | null
  returnedOn: string | null
}

/** Lays out a stored set on `today` of its shop. */
export function storedSetView(
  { orderId, bookingId, firstName, lastName, vehicle, storedOn, storedUntil, place, returnedAt }: StoredSetRow,
  { shopCode, timeZone, today }: { shopCode: string; timeZone: string; today: Temporal.PlainDate },
): StoredSetView {
  const over = Temporal.PlainDate.from(storedUntil).until(today).days
  return {
    orderId,
    order: orderNumber(orderId),
    job: portalPaths.job(shopCode, bookingId),
    title: [`${firstName} ${lastName.slice(0, 1)}.`, vehicle].filter(Boolean).join(', '),
    span: `${dateText(storedOn)} to ${dateText(storedUntil)}`,
    ended: over > 0 ? `Storage ended ${countOf(over, 'day')} ago. Call the customer.` : null,
    place,
    returnedOn: returnedAt ? dateText(returnedAt.toZonedDateTimeISO(timeZone).toPlainDate().toString()) : null,
  }
}
