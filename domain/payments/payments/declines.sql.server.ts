/** The statements of declined cards, for the rules against card testing. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** Records a declined card with its cart and network. */
export async function insertDecline(
  db: Database,
  { paymentId, cardFingerprint, at }: { paymentId: string; cardFingerprint: string | null; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into card_decline (payment_id, cart_id, account_id, email, network_key, card_fingerprint, at)
    select payment.id, payment.cart_id, cart.account_id, cart_contact.email, payment.network_key, ${cardFingerprint}, ${at.toString()}::timestamptz
    from payment left join cart on cart.id = payment.cart_id left join cart_contact on cart_contact.cart_id = payment.cart_id
    where payment.id = ${paymentId}::uuid`.execute(db)
}

/** Deletes declined cards of before an instant. Returns how many. */
export async function forgetOldDeclines(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('card_decline').where('at', '<', before).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
