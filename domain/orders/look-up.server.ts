/** Finding an order by its number and ZIP, without letting anyone try ZIPs until one is right. */
import type { LookUpLimits } from '#domain/orders/look-up-limits.port.ts'
import { findOrderForLookup } from '#domain/orders/order-view.sql.server.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/**
 * The order of this number when `zip` is its own or the one it ships to. `from` is the network address that asks. An
 * order that does not exist and a ZIP that is wrong give the same answer, from the same statement; only wrong tries
 * count towards `too-many-attempts`.
 */
export async function lookUpOrder(
  deps: { db: Database; lookUpLimits: LookUpLimits },
  input: { orderId: number; zip: string; from: string },
): Promise<
  Outcome<{ orderId: number }, Refused<'no-match'> | Refused<'too-many-attempts', { retryAfterSeconds: number }>>
> {
  // Counted before it is answered: tries that come all at once are counted all.
  const taken = await deps.lookUpLimits.take(input)
  if (!taken.ok) return refused('too-many-attempts', taken.detail)
  const orderId = await findOrderForLookup(deps.db, input)
  if (orderId === undefined) return refused('no-match')
  await deps.lookUpLimits.giveBack(input)
  return ok({ orderId })
}
