/** Public forms about an order, which verify access before they reveal anything about it. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { lookUpOrder } from './look-up.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type ProofRefusal =
  | Refused<'order-unknown', { by: 'zip' | 'email' | 'nothing' }>
  | Refused<'too-many-attempts', { retryAfterSeconds: number }>

/**
 * Returns an order once the sender has proven ownership, either with the browser or account that placed it (`isOwn`),
 * or with its email or ZIP, counted like any look-up.
 */
export async function proveOrder(
  deps: { db: Database; rateLimits: RateLimits },
  orderId: number,
  sender: { email: string | null; zip: string | null; isOwn: boolean; networkKey: string },
): Promise<Outcome<OrderView, ProofRefusal>> {
  const { email, zip, isOwn, networkKey: from } = sender
  const by = email !== null ? 'email' : zip !== null ? 'zip' : 'nothing'
  if (!isOwn) {
    const proof = email !== null ? { email } : zip !== null ? { zip } : null
    if (proof === null) return refused('order-unknown', { by })
    const found = await lookUpOrder(deps, { orderId, from, ...proof })
    if (!found.ok) return found.reason === 'no-match' ? refused('order-unknown', { by }) : found
  }
  const order = await readOrder(deps.db, orderId)
  return order ? ok(order) : refused('order-unknown', { by })
}

/** Returns the day an order's last parcel was delivered, in the order's time zone; null if one is undelivered. */
export function lastDeliveryOn({ shipments, timeZone }: OrderView): Temporal.PlainDate | null {
  const days = shipments.map(({ deliveredAt }) => deliveredAt?.toZonedDateTimeISO(timeZone).toPlainDate())
  return (
    days.reduce<Temporal.PlainDate | null | undefined>(
      (last, day) =>
        last === null || day === undefined
          ? null
          : last === undefined || Temporal.PlainDate.compare(day, last) > 0
            ? day
            : last,
      undefined,
    ) ?? null
  )
}
