/**
 * What the steps around a cart write into it: the choices of the checkout, the link its shopper came by, and its end as
 * an order.
 */
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Fulfillment } from '#domain/cart/cart.ts'
import type { Database } from '#platform/db.ts'

/** Sets how the tires reach the shopper, on an open cart. False when there is none. */
export async function setFulfillment(
  db: Database,
  cartId: string,
  choice: { fulfillment: Fulfillment; shopId: number | null; carrierLocationId: number | null },
  at: Temporal.Instant,
): Promise<boolean> {
  const changed = await db
    .updateTable('cart')
    .set((eb) => ({
      fulfillment: choice.fulfillment,
      shop_id: choice.shopId,
      carrier_location_id: choice.carrierLocationId,
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Records the shopper's answer about coverage (per article) and roadside; it also counts as having been asked. */
export async function setServices(
  db: Database,
  cartId: string,
  choice: { coveredItems: readonly number[]; roadside: boolean },
  at: Temporal.Instant,
): Promise<boolean> {
  const result = await sql<{ id: string }>`
    with open_cart as (
      update cart set roadside = ${choice.roadside}, coverage_asked = true, version = version + 1, updated_at = ${at.toString()}::timestamptz
      where id = ${cartId}::uuid and state = 'open' returning id),
    covered as (
      update cart_line set coverage = cart_line.item_id = any(${choice.coveredItems}::int[]) from open_cart where cart_line.cart_id = open_cart.id)
    select id from open_cart`.execute(db)
  return result.rows.length > 0
}

/**
 * Notes in an open cart by which link its shopper came, where the cart has none that was opened later. `isThere`: that
 * the link still exists, asked in the same statement.
 */
export async function setReferral(
  db: Database,
  cartId: string,
  { code, openedAt }: { code: string; openedAt: Temporal.Instant },
  isThere: Expression<SqlBool>,
): Promise<void> {
  await db
    .updateTable('cart')
    .set({ referral_code: code, referral_opened_at: openedAt })
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .where(({ or, eb }) => or([eb('referral_opened_at', 'is', null), eb('referral_opened_at', '<', openedAt)]))
    .where(isThere)
    .execute()
}

/**
 * The update that closes a cart as ordered, to end the statement that pays for its order; the caller adds with `and`
 * what must be so.
 */
export function closeCart(cartId: string, at: Temporal.Instant): RawBuilder<unknown> {
  return sql`update cart set state = 'ordered', updated_at = ${at.toString()}::timestamptz where id = ${cartId}::uuid`
}
