/** Carts that belong to accounts. The owner of a cart owns the order it becomes. */
import { sql, type RawBuilder } from 'kysely'
import { touch } from '#domain/cart/cart.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type OwnedCart = { id: string; tires: number; accountId: string | null }

/** Returns the open cart with this key, locked until the transaction ends. */
export async function lockOpenCart(db: Database, cartId: string): Promise<OwnedCart | undefined> {
  const { rows } = await sql<OwnedCart>`
    select cart.id, cart.account_id as "accountId", coalesce((select sum(quantity) from cart_line where cart_id = cart.id), 0)::int as tires
    from cart where cart.id = ${cartId}::uuid and cart.state = 'open' for update`.execute(db)
  return rows[0]
}

/** Locks every open cart of an account until the transaction ends; waits for one that is being ordered. */
export async function lockOpenCarts(tx: Tx, accountId: string): Promise<void> {
  await sql`select id from cart where account_id = ${accountId}::uuid and state = 'open' for update`.execute(tx)
}

/** Locks the account that owns a cart until the transaction ends and returns it; undefined if there is none. */
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

/**
 * Moves the tires of one open cart into another that does not have them yet, and leaves the first empty and unowned.
 */
export async function mergeCarts(
  db: Database,
  { from, into, now }: { from: string; into: string; now: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into cart_line (cart_id, item_id, axle, quantity, coverage, seen_unit_cents, added_at)
    select ${into}::uuid, item_id, axle, quantity, coverage, seen_unit_cents, added_at from cart_line where cart_id = ${from}::uuid
    on conflict do nothing`.execute(db)
  await db.deleteFrom('cart_line').where('cart_id', '=', from).execute()
  await db.updateTable('cart').set({ account_id: null }).where('id', '=', from).execute()
  await touch(db, from, now)
  await touch(db, into, now)
}
