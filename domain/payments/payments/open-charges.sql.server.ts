/** Queries for charges that ended without a capture, and for their replacements. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** Records that an order's or membership term's charge ended without a capture. */
export async function noteLapsed(db: Database | Tx, id: string, at: Temporal.Instant): Promise<void> {
  await db
    .updateTable('payment')
    .set({ lapsed_at: at })
    .where('id', '=', id)
    .where('state', '=', 'voided')
    .where('captured_cents', '=', 0)
    .where('lapsed_at', 'is', null)
    .execute()
}

/** Whether another charge paid for this charge's purpose. `charge` is its alias in the query. */
export function isPaidByAnother(charge: 'payment' | 'p'): RawBuilder<boolean> {
  return sql`exists (select from payment other where other.order_id = ${sql.ref(`${charge}.order_id`)}
    and other.order_change_id is not distinct from ${sql.ref(`${charge}.order_change_id`)} and other.state in ('authorized', 'captured'))`
}

/**
 * Clears the lapsed mark of charges with an order that was paid another way, canceled or returned. Returns how many.
 */
export async function clearLapsed(db: Database): Promise<number> {
  const result = await sql`
    update payment set lapsed_at = null
    where lapsed_at is not null and (
      exists (select from sales_order o where o.id = payment.order_id and o.state in ('canceled', 'returned'))
      or ${isPaidByAnother('payment')})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Builds an order's claim on its cart's authorized charge. `isAgain` means that it replaces an ended charge. */
export function claimOf(
  claim: { paymentId: string; cartId: string; orderId: number; amountCents: number; at: Temporal.Instant },
  { isAgain }: { isAgain: boolean },
): RawBuilder<unknown> {
  const also = isAgain ? sql`, submitted_at = null` : sql``
  return sql`
    update payment set order_id = ${claim.orderId}::bigint, updated_at = ${claim.at.toString()}::timestamptz${also}
    where id = ${claim.paymentId}::uuid and cart_id = ${claim.cartId}::uuid and state = 'authorized' and order_id is null
      and amount_cents = ${claim.amountCents}::int`
}

/**
 * Claims an authorized charge from an order's cart for that order, after its first charge ended. Returns false if it
 * does not exist, is not authorized, has another amount, or is claimed.
 */
export async function claimAgain(
  tx: Tx,
  claim: { paymentId: string; cartId: string; orderId: number; amountCents: number; at: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`${claimOf(claim, { isAgain: true })}`.execute(tx)
  return numAffectedRows === 1n
}
