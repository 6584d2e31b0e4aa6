/** Statements on links that hand a cart over. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type CartLinkRow = {
  cartId: string
  expiresAt: Temporal.Instant
  openedAt: Temporal.Instant | null
}

/** Counts the cart's links that can still be opened, and deletes those that ran out unopened. */
export async function countOpenLinks(tx: Tx, cartId: string, now: Temporal.Instant): Promise<number> {
  await tx
    .deleteFrom('cart_link')
    .where('cart_id', '=', cartId)
    .where('opened_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute()
  const { count } = await tx
    .selectFrom('cart_link')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('cart_id', '=', cartId)
    .where('opened_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertLink(
  tx: Tx,
  link: { hash: string; cartId: string; at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('cart_link')
    .values({ token_hash: link.hash, cart_id: link.cartId, made_at: link.at, expires_at: link.expiresAt })
    .execute()
}

export async function selectLink(db: Database, hash: string): Promise<CartLinkRow | undefined> {
  return db
    .selectFrom('cart_link')
    .select(['cart_id as cartId', 'expires_at as expiresAt', 'opened_at as openedAt'])
    .where('token_hash', '=', hash)
    .executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export async function lockLink(tx: Tx, hash: string): Promise<CartLinkRow | undefined> {
  return tx
    .selectFrom('cart_link')
    .select(['cart_id as cartId', 'expires_at as expiresAt', 'opened_at as openedAt'])
    .where('token_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
}

export async function markOpened(tx: Tx, hash: string, into: string, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('cart_link')
    .set({ opened_at: at, opened_cart_id: into })
    .where('token_hash', '=', hash)
    .execute()
}

/** Writes a link that was opened when it was made. */
export async function insertOpened(
  tx: Tx,
  link: { hash: string; from: string; into: string; at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('cart_link')
    .values({
      token_hash: link.hash,
      cart_id: link.from,
      made_at: link.at,
      expires_at: link.expiresAt,
      opened_at: link.at,
      opened_cart_id: link.into,
    })
    .execute()
}

/** Returns the cart that an open cart was copied from. */
export async function selectPrepared(db: Database, cartId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('cart_link')
    .innerJoin('cart', 'cart.id', 'cart_link.opened_cart_id')
    .select('cart_link.cart_id as cartId')
    .where('cart_link.opened_cart_id', '=', cartId)
    .where('cart.state', '=', 'open')
    .executeTakeFirst()
  return row?.cartId
}

/** Creates an unowned copy of a cart, priced for its future owner. */
export async function copyCart(
  tx: Tx,
  { from, into, at }: { from: string; into: string; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into cart (id, zip, vehicle, fulfillment, shop_id, carrier_location_id, pickup_warehouse_id, dealer_shop_id, widget_id, roadside, coverage_asked, coupon_id, referral_code, referral_opened_at, created_at, updated_at)
    select ${into}::uuid, zip, vehicle, fulfillment, shop_id, carrier_location_id, pickup_warehouse_id, dealer_shop_id, widget_id, roadside, coverage_asked, coupon_id, referral_code, referral_opened_at, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz
    from cart where id = ${from}::uuid`.execute(tx)
  await sql`
    insert into cart_line (cart_id, item_id, axle, quantity, coverage, seen_unit_cents, added_at)
    select ${into}::uuid, item_id, axle, quantity, coverage, seen_unit_cents, added_at from cart_line where cart_id = ${from}::uuid`.execute(
    tx,
  )
  await sql`
    insert into cart_part (cart_id, part_id, quantity, added_at)
    select ${into}::uuid, part_id, quantity, added_at from cart_part where cart_id = ${from}::uuid`.execute(tx)
  await sql`
    insert into cart_service (cart_id, service, units, added_at)
    select ${into}::uuid, service, units, added_at from cart_service where cart_id = ${from}::uuid`.execute(tx)
}
