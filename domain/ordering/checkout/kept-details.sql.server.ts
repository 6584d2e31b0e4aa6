/** Exports personal details in open carts to their owners, and deletes them after the retention period. */
import { sql } from 'kysely'
import { changeIdleCarts } from '#domain/payments/cart/cart.server.ts'
import type { Database, Tx } from '#platform/db.ts'

const tables = ['cart_contact', 'cart_billing', 'cart_fleet_vehicle', 'cart_quote'] as const

/**
 * Deletes names, addresses and shown prices from open carts not changed since `before`. Returns how many carts had any.
 */
export function forgetOldContacts(db: Database, before: Temporal.Instant): Promise<number> {
  const hasAny = sql.join(
    tables.map((table) => sql`exists (select from ${sql.table(table)} where cart_id = cart.id)`),
    sql` or `,
  )
  return changeIdleCarts(db, before, hasAny, async (tx, ids) => {
    for (const table of tables) await tx.deleteFrom(table).where('cart_id', 'in', ids).execute()
  })
}

/** Deletes the same from every open cart of an account; the carts must be locked. */
export async function forgetDetailsOf(tx: Tx, accountId: string): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where cart_id in (select id from cart where account_id = ${accountId}::uuid and state = 'open')`.execute(
      tx,
    )
}

/** Deletes the same details from the given carts, such as the carts of an erased buyer's orders. */
export async function forgetDetailsOfCarts(tx: Tx, cartIds: readonly string[]): Promise<void> {
  if (cartIds.length === 0) return
  for (const table of tables) await tx.deleteFrom(table).where('cart_id', 'in', cartIds).execute()
}

/**
 * Returns the open carts of an account with contact and billing as plain data for JSON, with instants as PostgreSQL
 * writes them.
 */
export async function exportCarts(db: Database, accountId: string): Promise<object[]> {
  const { rows } = await sql<{ carts: object[] }>`
    select coalesce(json_agg(json_build_object('changedAt', cart.updated_at, 'zip', cart.zip, 'vehicle', cart.vehicle, 'usesCredit', cart.uses_credit,
      'tires', (select coalesce(json_agg(json_build_object('itemId', item_id, 'quantity', quantity, 'addedAt', added_at) order by item_id), '[]')
        from cart_line where cart_id = cart.id),
      'contact', to_jsonb(contact) - 'cart_id', 'billing', to_jsonb(billing) - 'cart_id', 'fleetVehicle', to_jsonb(fleet) - 'cart_id') order by cart.updated_at), '[]') as carts
    from cart left join cart_contact contact on contact.cart_id = cart.id left join cart_billing billing on billing.cart_id = cart.id left join cart_fleet_vehicle fleet on fleet.cart_id = cart.id
    where cart.account_id = ${accountId}::uuid and cart.state <> 'ordered'`.execute(db)
  return rows[0]?.carts ?? []
}
