/** The statements for coupons in carts and orders. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

type Left = { isLeft: boolean; isLeftForShopper: boolean }

/**
 * Whether a coupon can be used once more, and by the shopper of a cart: by the email of its contact or account, as far as
 * it is known.
 */
export async function selectLeft(db: Database, couponId: number, cartId: string): Promise<Left> {
  const { rows } = await sql<Left>`
    select tally.uses < tally.uses_most as "isLeft", (
      select count(*) < coupon.person_most from coupon_use join customer on customer.id = coupon_use.customer_id
      where coupon_use.coupon_id = coupon.id and coupon_use.canceled_at is null and mailbox_of(customer.email) in (
        select mailbox_of(contact.email) from cart_contact contact where contact.cart_id = ${cartId}::uuid
        union select mailbox_of(account.email) from cart join account on account.id = cart.account_id where cart.id = ${cartId}::uuid)) as "isLeftForShopper"
    from coupon join coupon_tally tally on tally.coupon_id = coupon.id where coupon.id = ${couponId}`.execute(db)
  return rows[0] ?? { isLeft: false, isLeftForShopper: true }
}

/** Counts one more use, and locks the count until the transaction ends; false if the coupon is used up. */
export async function takeUse(tx: Tx, couponId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('coupon_tally')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('coupon_id', '=', couponId)
    .whereRef('uses', '<', 'uses_most')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Records an order's use as its shopper's next; false if they have used it up. The caller holds the count's lock, so
 * the second of two orders from one mailbox sees the first.
 */
export async function insertUse(
  tx: Tx,
  { couponId, orderId, at }: { couponId: number; orderId: number; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    with shopper as (
      select customer.id, mailbox_of(customer.email) as mailbox from sales_order join customer on customer.id = sales_order.customer_id where sales_order.id = ${orderId}),
    taken as (
      select nth from coupon_use join customer on customer.id = coupon_use.customer_id join shopper on shopper.mailbox = mailbox_of(customer.email)
      where coupon_id = ${couponId} and canceled_at is null)
    insert into coupon_use (order_id, coupon_id, person_most, customer_id, nth, used_at)
    select ${orderId}, coupon.id, coupon.person_most, shopper.id, nth, ${at.toString()}::timestamptz
    from coupon, shopper, lateral (
      select nth from generate_series(1, coupon.person_most) nth where nth not in (select nth from taken) order by nth limit 1) free
    where coupon.id = ${couponId} returning order_id`.execute(tx)
  return rows.length > 0
}

/** Releases an order's use. Idempotent, with no effect on an order without a use. */
export async function cancelUse(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  await sql`
    with canceled as (
      update coupon_use set canceled_at = ${at.toString()}::timestamptz where order_id = ${orderId} and canceled_at is null returning coupon_id)
    update coupon_tally set uses = uses - 1 from canceled where coupon_tally.coupon_id = canceled.coupon_id`.execute(tx)
}
