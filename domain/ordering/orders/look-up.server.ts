/** Finding an order by number and ZIP or email, without allowing anyone to guess them. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { findOrderForLookup, type LookUpProof } from './order-view.sql.server.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/**
 * Returns the order with this number if `zip` is the shopper's or the one it ships to, or `email` the shopper's. `from`
 * is the requester's network address. An unknown order and a wrong ZIP give the same answer from the same statement; only wrong attempts
 * count toward `too-many-attempts`.
 */
export async function lookUpOrder(
  deps: { db: Database; rateLimits: RateLimits },
  input: { orderId: number; from: string } & LookUpProof,
): Promise<
  Outcome<{ orderId: number }, Refused<'no-match'> | Refused<'too-many-attempts', { retryAfterSeconds: number }>>
> {
  // Counted before answering, so that simultaneous attempts all count.
  const keys = { order: input.orderId, network: input.from }
  const taken = await deps.rateLimits.take('order-lookup', keys)
  if (!taken.ok) return refused('too-many-attempts', taken.detail)
  const orderId = await findOrderForLookup(deps.db, input)
  if (orderId === undefined) return refused('no-match')
  await deps.rateLimits.giveBack('order-lookup', keys)
  return ok({ orderId })
}
