/** Where the store's parcels come from. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export type CheckedAddress = { name: string; street: string; city: string; state: string; zip: string }

/** Warehouses of the store that aren't closing or closed. */
export const isOpenAndOwn = sql<boolean>`supplier_id is null and retired_at is null`

/** Returns the code of the store's first open warehouse, or undefined without one. */
export async function selectOwnWarehouse(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('warehouse').select('code').where(isOpenAndOwn).orderBy('id').executeTakeFirst()
  return row?.code
}

/** Returns the address of the store's first open warehouse, or undefined without one that has a street. */
export function selectShipFrom(db: Database): Promise<CheckedAddress | undefined> {
  return db
    .selectFrom('warehouse')
    .select(['name', 'street', 'city', 'state', 'zip'])
    .where(isOpenAndOwn)
    .where('street', '<>', '')
    .orderBy('id')
    .executeTakeFirst()
}
