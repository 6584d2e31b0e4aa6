/** Queries for payment method offers, and first orders paid with the store card. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { PayLaterDraft, PayLaterOffer } from './payment-offers.ts'

const columns = sql`id, method, percent, funded_by as "fundedBy", starts_at as "startsAt", ends_at as "endsAt", created_by as by`

/** The offers that have not ended by `now`, then those that ended last. */
export async function selectOffers(db: Database, now: Temporal.Instant, limit: number): Promise<PayLaterOffer[]> {
  const { rows } = await sql<PayLaterOffer>`
    select ${columns} from pay_later_offer order by ends_at > ${now.toString()}::timestamptz desc, ends_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** The offer that runs at `now` for a way to pay; undefined without one. */
export async function selectRunningOffer(
  db: Database,
  method: string,
  now: Temporal.Instant,
): Promise<PayLaterOffer | undefined> {
  const { rows } = await sql<PayLaterOffer>`
    select ${columns} from pay_later_offer where method = ${method} and tstzrange(starts_at, ends_at) @> ${now.toString()}::timestamptz`.execute(
    db,
  )
  return rows[0]
}

/** Returns the offer created by a form; undefined if it doesn't exist. */
export async function selectOfferOfForm(tx: Tx, formKey: string): Promise<number | undefined> {
  const row = await tx.selectFrom('pay_later_offer').select('id').where('form_key', '=', formKey).executeTakeFirst()
  return row?.id
}

/**
 * Adds an offer and returns its id, or the existing id if the form was submitted before. Undefined if the dates overlap
 * another offer for the payment method.
 */
export async function insertOffer(
  tx: Tx,
  draft: PayLaterDraft & { by: string; at: Temporal.Instant },
): Promise<{ id: number; isNew: boolean } | undefined> {
  const made = await tx
    .insertInto('pay_later_offer')
    .values({
      form_key: draft.formKey,
      method: draft.method,
      percent: draft.percent,
      funded_by: draft.fundedBy,
      starts_at: draft.startsAt,
      ends_at: draft.endsAt,
      created_by: draft.by,
      created_at: draft.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return { id: made.id, isNew: true }
  const earlier = await selectOfferOfForm(tx, draft.formKey)
  return earlier === undefined ? undefined : { id: earlier, isNew: false }
}

/** Locks an offer, and returns it. */
export async function lockOffer(tx: Tx, id: number): Promise<PayLaterOffer | undefined> {
  return (await sql<PayLaterOffer>`select ${columns} from pay_later_offer where id = ${id} for update`.execute(tx))
    .rows[0]
}

/** Ends an offer earlier; one that has not started never runs. */
export async function updateEnd(tx: Tx, { id, startsAt }: PayLaterOffer, at: Temporal.Instant): Promise<void> {
  const endsAt = Temporal.Instant.compare(at, startsAt) < 0 ? startsAt : at
  await tx.updateTable('pay_later_offer').set({ ends_at: endsAt }).where('id', '=', id).execute()
}

/** Whether no order of the account, or of the email in the cart's contact, took the store card's discount. */
export async function selectIsFirst(
  db: Database,
  { cartId, accountId }: { cartId: string; accountId: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select exists (select from store_card_use where canceled_at is null and (account_id = ${accountId}::uuid
      or mailbox = (select mailbox_of(email) from cart_contact where cart_id = ${cartId}::uuid))) as "isUsed"`.execute(
    db,
  )
  return rows[0]?.isUsed === false
}

/** Records the order that takes the store card's discount; false if an order of its account or email has. */
export async function insertStoreCardUse(
  tx: Tx,
  { orderId, accountId, at }: { orderId: number; accountId: string | null; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    insert into store_card_use (order_id, account_id, mailbox, used_at)
    select sales_order.id, ${accountId}::uuid, mailbox_of(customer.email), ${at.toString()}::timestamptz
    from sales_order join customer on customer.id = sales_order.customer_id where sales_order.id = ${orderId}
    on conflict do nothing returning order_id`.execute(tx)
  return rows.length > 0
}

/** Releases a canceled order's discount. Idempotent, with no effect on an order without it. */
export async function cancelStoreCardUse(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('store_card_use')
    .set({ canceled_at: at })
    .where('order_id', '=', orderId)
    .where('canceled_at', 'is', null)
    .execute()
}
