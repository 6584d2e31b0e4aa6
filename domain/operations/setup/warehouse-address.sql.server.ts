/** Where the store's parcels come from. */
import type { Database } from '#platform/db.ts'

export type CheckedAddress = { name: string; street: string; city: string; state: string; zip: string }

/** The address of the first warehouse of the store's own; undefined without one that has a street. */
export function selectShipFrom(db: Database): Promise<CheckedAddress | undefined> {
  return db
    .selectFrom('warehouse')
    .select(['name', 'street', 'city', 'state', 'zip'])
    .where('supplier_id', 'is', null)
    .where('street', '<>', '')
    .orderBy('id')
    .executeTakeFirst()
}
