/** Carts that belong to accounts. A cart's owner also owns the resulting order. */
import { sql, type RawBuilder } from 'kysely'
import { touch } from './cart.sql.server.ts'
import type { Fulfillment } from './cart.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'

/** `service`: what it books, instead of tires. */
export type OwnedCart = { id: string; tires: number; service: string | null; accountId: string | null }

/** Returns the open cart with this key, locked until the transaction ends. */
export async function lockOpenCart(db: Database, cartId: string): Promise<OwnedCart | undefined> {
  const { rows } = await sql<OwnedCart>`
    select cart.id, cart.account_id as "accountId", coalesce((select sum(quantity) from cart_line where cart_id = cart.id), 0)::int as tires,
      (select service from cart_service where cart_id = cart.id) as service
    from cart where cart.id = ${cartId}::uuid and cart.state = 'open' for update`.execute(db)
  return rows[0]
}

/** Locks every open cart of an account until the transaction ends, and blocks on one that is being ordered. */
export async function lockOpenCarts(tx: Tx, accountId: string): Promise<void> {
  await sql`select id from cart where account_id = ${accountId}::uuid and state = 'open' for update`.execute(tx)
}

/** Locks the account that owns a cart until the transaction ends and returns it; undefined if it has no owner. */
export async function lockOwner(tx: Tx, cartId: string): Promise<string | undefined> {
  const owner = await tx
    .selectFrom('cart')
    .innerJoin('account', 'account.id', 'cart.account_id')
    .select('account.id')
    .where('cart.id', '=', cartId)
    .forUpdate(['account'])
    .executeTakeFirst()
  return owner?.id
}

/**
 * Locks an account as `lockOwner` does, by its id; `email` is null unless it is verified. Undefined if it doesn't
 * exist.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<{ email: string | null } | undefined> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'email_verified_at as verifiedAt'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return account && { email: account.verifiedAt === null ? null : account.email }
}

/** The open cart an account used last. */
export async function findAccountCart(db: Database, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('cart')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/**
 * Assigns an unowned cart to the account. The cart's version stays, so that an order being placed from it goes through.
 */
export async function keepCart(db: Database, cartId: string, accountId: string): Promise<void> {
  await db
    .updateTable('cart')
    .set({ account_id: accountId })
    .where('id', '=', cartId)
    .where('account_id', 'is', null)
    .execute()
}

/**
 * Gives an open cart a new id and returns it. Everything that refers to the cart follows. The previous id no longer
 * gives access.
 */
export async function rotateCart(tx: Tx, cartId: string): Promise<string> {
  const { id } = await tx
    .updateTable('cart')
    .set({ id: newId() })
    .where('id', '=', cartId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Gives a cart that a guest ordered a new id, so that the old one opens its order no longer. The order is locked before
 * the cart, as by those who change it.
 */
export async function rotateOrderedCart(tx: Tx, cartId: string): Promise<void> {
  await sql`select from sales_order where cart_id = ${cartId}::uuid for update`.execute(tx)
  await tx
    .updateTable('cart')
    .set({ id: newId() })
    .where('id', '=', cartId)
    .where('state', '=', 'ordered')
    .where('account_id', 'is', null)
    .execute()
}

/**
 * Assigns unowned carts to the account and returns how many there were. `found` selects their `cart_id`, as a table
 * named "found".
 */
export async function keepFoundCarts(db: Database, accountId: string, found: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update cart set account_id = ${accountId}::uuid from ${found} where cart.id = found.cart_id and cart.account_id is null`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Releases an open cart of the account to the browser that holds its key. */
export async function releaseCart(db: Database, cartId: string, accountId: string): Promise<void> {
  await db
    .updateTable('cart')
    .set({ account_id: null })
    .where('id', '=', cartId)
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .execute()
}

/** Returns the ID of the cart that `openQuotedCart` returns for a quote; undefined if it isn't open yet. */
export async function findQuotedCart(
  db: Database | Tx,
  quoted: { quoteId: number; accountId: string | null; browserCartId: string | undefined },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from cart
    where quote_id = ${quoted.quoteId}::bigint and state = 'open' and account_id is not distinct from ${quoted.accountId}::uuid
      and (account_id is not null or id = ${quoted.browserCartId ?? null}::uuid)
      and exists (select from cart_line where cart_id = cart.id)
    order by created_at, id limit 1`.execute(db)
  return rows[0]?.id
}

/** Returns the ID of the open cart that staff filled in for a quote's caller; undefined before, and once it is taken over. */
export async function findCallerCart(db: Database, quoteId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('cart')
    .select('id')
    .where('quote_id', '=', quoteId)
    .where('for_caller', '=', true)
    .executeTakeFirst()
  return row?.id
}

/**
 * Transfers the cart that staff filled in for a quote's caller to the visitor, with its held time. The caller has locked
 * the quote. Undefined if there is no such cart.
 */
export async function takeOverCallerCart(
  tx: Tx,
  { quoteId, accountId }: { quoteId: number; accountId: string | null },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('cart')
    .set({ for_caller: false, account_id: accountId })
    .where('quote_id', '=', quoteId)
    .where('for_caller', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/**
 * Returns the visitor's open cart for a quote. For an account it is the account's, and for a guest the one in this
 * browser (`browserCartId`). Creates it with the quoted tires, prices, place and services if it doesn't exist. Anyone
 * with the link can open a quote, and a cart contains personal details, so guests never share a cart. Staff open the
 * caller's cart with `forCaller`. The quote is locked, so that two tabs of one account find the same cart.
 */
export async function openQuotedCart(
  tx: Tx,
  quoted: {
    quoteId: number
    accountId: string | null
    browserCartId: string | undefined
    forCaller?: boolean
    zip: string | null
    vehicle: unknown
    fulfillment: Fulfillment
    shopId: number | null
    pickupWarehouseId: number | null
    carrierLocationId: number | null
    roadside: boolean
    lines: readonly { itemId: number; axle: string; quantity: number; coverage: boolean; unitCents: number }[]
    at: Temporal.Instant
  },
): Promise<string> {
  const { forCaller = false } = quoted
  const opened = await (forCaller ? findCallerCart(tx, quoted.quoteId) : findQuotedCart(tx, quoted))
  if (opened !== undefined) return opened
  const id = newId()
  await sql`
    insert into cart (id, quote_id, account_id, zip, vehicle, fulfillment, shop_id, pickup_warehouse_id, carrier_location_id, roadside, coverage_asked, for_caller, created_at, updated_at)
    values (${id}::uuid, ${quoted.quoteId}::bigint, ${quoted.accountId}::uuid, (select zip from zip where zip = ${quoted.zip}), ${quoted.vehicle === null ? null : JSON.stringify(quoted.vehicle)}::jsonb,
      ${quoted.fulfillment}, ${quoted.shopId}::int, ${quoted.pickupWarehouseId}::smallint, ${quoted.carrierLocationId}::int, ${quoted.roadside}, true, ${forCaller}, ${quoted.at.toString()}::timestamptz, ${quoted.at.toString()}::timestamptz)`.execute(
    tx,
  )
  await tx
    .insertInto('cart_line')
    .values(
      quoted.lines.map((line) => ({
        cart_id: id,
        item_id: line.itemId,
        axle: line.axle,
        quantity: line.quantity,
        coverage: line.coverage,
        seen_unit_cents: line.unitCents,
        added_at: quoted.at,
      })),
    )
    .execute()
  return id
}

/**
 * Moves an open cart's tires and its source quote into another cart, unless already there, and leaves the first one
 * empty and unowned.
 */
export async function mergeCarts(
  db: Database,
  { from, into, now }: { from: string; into: string; now: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into cart_line (cart_id, item_id, axle, quantity, coverage, seen_unit_cents, added_at)
    select ${into}::uuid, item_id, axle, quantity, coverage, seen_unit_cents, added_at from cart_line where cart_id = ${from}::uuid
    on conflict do nothing`.execute(db)
  await sql`
    insert into cart_part (cart_id, part_id, quantity, added_at)
    select ${into}::uuid, part_id, quantity, added_at from cart_part where cart_id = ${from}::uuid
    on conflict do nothing`.execute(db)
  await sql`update cart set quote_id = emptied.quote_id from cart emptied where cart.id = ${into}::uuid and emptied.id = ${from}::uuid and emptied.quote_id is not null`.execute(
    db,
  )
  await sql`update cart set coupon_id = emptied.coupon_id from cart emptied where cart.id = ${into}::uuid and emptied.id = ${from}::uuid and emptied.coupon_id is not null`.execute(
    db,
  )
  await sql`
    update cart set dealer_shop_id = emptied.dealer_shop_id, fulfillment = 'shop', shop_id = emptied.dealer_shop_id, carrier_location_id = null, pickup_warehouse_id = null
    from cart emptied where cart.id = ${into}::uuid and emptied.id = ${from}::uuid and emptied.dealer_shop_id is not null
      and cart.dealer_shop_id is distinct from emptied.dealer_shop_id`.execute(db)
  await db.deleteFrom('cart_line').where('cart_id', '=', from).execute()
  await db.deleteFrom('cart_part').where('cart_id', '=', from).execute()
  await db.updateTable('cart').set({ account_id: null }).where('id', '=', from).execute()
  await touch(db, from, now)
  await touch(db, into, now)
}
