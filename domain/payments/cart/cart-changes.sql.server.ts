/** Cart changes made by other modules (checkout choices, the referral link, and closing the cart as ordered). */
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { partWithSku } from '#domain/supply/parts/parts.server.ts'
import type { Fulfillment } from './cart.ts'
import { opensFor } from './cart.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Sets an open cart's fulfillment. Returns false if the cart doesn't exist. */
export async function setFulfillment(
  db: Database,
  cartId: string,
  choice: {
    fulfillment: Fulfillment
    shopId: number | null
    carrierLocationId: number | null
    pickupWarehouseId: number | null
  },
  at: Temporal.Instant,
): Promise<boolean> {
  const changed = await db
    .updateTable('cart')
    .set((eb) => ({
      fulfillment: choice.fulfillment,
      shop_id: choice.shopId,
      carrier_location_id: choice.carrierLocationId,
      pickup_warehouse_id: choice.pickupWarehouseId,
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * Sets the service that a cart books at a shop, and creates the cart if needed. The caller checks that the shop offers
 * it. Returns false if the cart has tires, is ordered, or belongs to another account.
 */
export async function putService(
  db: Database,
  cart: { id: string; accountId: string | null; zip: string; shopId: number; service: string; units: number },
  at: Temporal.Instant,
): Promise<boolean> {
  const now = sql`${at.toString()}::timestamptz`
  const put = await sql`
    with kept as (
      insert into cart (id, account_id, zip, fulfillment, shop_id, coverage_asked, created_at, updated_at)
      values (${cart.id}::uuid, ${cart.accountId}::uuid, (select zip from zip where zip = ${cart.zip}), 'shop', ${cart.shopId}::int, true, ${now}, ${now})
      on conflict (id) do update set version = cart.version + 1, updated_at = excluded.updated_at, zip = coalesce(cart.zip, excluded.zip),
        fulfillment = 'shop', shop_id = excluded.shop_id, vehicle = null, carrier_location_id = null, pickup_warehouse_id = null, coverage_asked = true
      where ${opensFor(cart.accountId)} and not exists (select from cart_line where cart_id = cart.id)
      returning id)
    insert into cart_service (cart_id, service, units, added_at) select id, ${cart.service}, ${cart.units}::int, ${now} from kept
    on conflict (cart_id) do update set service = excluded.service, units = excluded.units, added_at = excluded.added_at`.execute(
    db,
  )
  return (put.numAffectedRows ?? 0n) > 0n
}

/**
 * Sets how many of a part an open cart with tires has; 0 removes it. Returns false if the part isn't for sale in that
 * quantity, or the cart has no tires, is ordered, or belongs to another account.
 */
export async function putPart(
  db: Database,
  cart: { id: string; accountId: string | null },
  { sku, quantity }: { sku: string; quantity: number },
  at: Temporal.Instant,
): Promise<boolean> {
  const now = sql`${at.toString()}::timestamptz`
  const { rows } = await sql`
    with wanted as (${partWithSku(sku, quantity)}),
    opened as (
      update cart set version = cart.version + 1, updated_at = ${now}
      where id = ${cart.id}::uuid and ${opensFor(cart.accountId)} and exists (select from cart_line where cart_id = cart.id) and exists (select from wanted)
      returning cart.id),
    removed as (
      delete from cart_part using opened, wanted where cart_part.cart_id = opened.id and cart_part.part_id = wanted.id and ${quantity}::int = 0),
    put as (
      insert into cart_part (cart_id, part_id, quantity, added_at)
      select opened.id, wanted.id, ${quantity}::int, ${now} from opened, wanted where ${quantity}::int > 0
      on conflict (cart_id, part_id) do update set quantity = excluded.quantity)
    select id from opened`.execute(db)
  return rows.length > 0
}

/** Selects the IDs of a cart's parts in a query. */
export function partIdsOfCart(cartId: string): RawBuilder<unknown> {
  return sql`select part_id from cart_part where cart_id = ${cartId}::uuid`
}

/** Removes an open cart's service, for the account or the guest that the cart opens for. */
export async function removeService(
  db: Database,
  { id, accountId }: { id: string; accountId: string | null },
): Promise<void> {
  await sql`delete from cart_service using cart where cart_service.cart_id = cart.id and cart.id = ${id}::uuid and ${opensFor(accountId)}`.execute(
    db,
  )
}

/** Records the shopper's choice of coverage (per item) and roadside, and that they were offered. */
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
 * Records a shopper's referral link in an open cart unless the cart has one opened later. `isThere`: that the link
 * still exists, checked in the same statement.
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
 * Moves an open cart the account can access into a branded store, with its shop chosen, or back into our own. No effect
 * if it is already there, and on a cart with a service, which is at a shop.
 */
export async function setDealer(
  db: Database,
  cart: { id: string; accountId: string | null },
  dealerShopId: number | null,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update cart set dealer_shop_id = ${dealerShopId}::int, version = version + 1, updated_at = ${at.toString()}::timestamptz,
      fulfillment = case when ${dealerShopId}::int is null then fulfillment else 'shop' end,
      shop_id = coalesce(${dealerShopId}::int, shop_id), carrier_location_id = case when ${dealerShopId}::int is null then carrier_location_id end,
      pickup_warehouse_id = case when ${dealerShopId}::int is null then pickup_warehouse_id end
    where id = ${cart.id}::uuid and state = 'open' and (account_id is null or account_id = ${cart.accountId}::uuid)
      and dealer_shop_id is distinct from ${dealerShopId}::int and not exists (select from cart_service where cart_id = cart.id)`.execute(
    db,
  )
}

/** Stores the last partner widget of an open cart, and its shop if no shop is chosen yet. */
export async function setWidget(
  db: Database,
  cartId: string,
  { widgetId, source, shopId }: { widgetId: string; source: string | null; shopId: number | null },
): Promise<void> {
  await sql`
    update cart set widget_id = ${widgetId}, widget_source = ${source},
      shop_id = case when fulfillment is null and ${shopId}::int is not null then ${shopId}::int else shop_id end,
      fulfillment = case when fulfillment is null and ${shopId}::int is not null then 'shop' else fulfillment end
    where id = ${cartId}::uuid and state = 'open'`.execute(db)
}

/** Sets an open cart's coupon; null removes it. Returns false if the cart doesn't exist. */
export async function setCoupon(
  db: Database,
  cartId: string,
  couponId: number | null,
  at: Temporal.Instant,
): Promise<boolean> {
  const changed = await db
    .updateTable('cart')
    .set((eb) => ({ coupon_id: couponId, version: eb('version', '+', 1), updated_at: at }))
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * The update that closes a cart as ordered, for the end of the statement that pays for its order; the caller appends
 * conditions with `and`.
 */
export function closeCart(cartId: string, at: Temporal.Instant): RawBuilder<unknown> {
  return sql`update cart set state = 'ordered', updated_at = ${at.toString()}::timestamptz where id = ${cartId}::uuid`
}

/** Freezes an open cart for an approval; false if it has changed or is no longer open. */
export async function keepWaiting(
  tx: Tx,
  { id, version, accountId }: { id: string; version: number; accountId: string },
): Promise<boolean> {
  const kept = await tx
    .updateTable('cart')
    .set({ state: 'waiting' })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return kept.numUpdatedRows > 0n
}

/** Opens a waiting cart again. */
export async function reopenCart(tx: Tx, cartId: string): Promise<void> {
  await tx.updateTable('cart').set({ state: 'open' }).where('id', '=', cartId).where('state', '=', 'waiting').execute()
}
