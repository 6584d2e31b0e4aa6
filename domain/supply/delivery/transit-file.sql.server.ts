/** The statements for transit days by ZIP prefix. */
import { sql } from 'kysely'
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A ZIP prefix of three digits with its business days in transit. */
export type PrefixTransit = { prefix: string; days: number }

/** Returns a warehouse's days by prefix, in order. */
export function selectTransit(db: Database, warehouseId: number): Promise<PrefixTransit[]> {
  return db
    .selectFrom('warehouse_transit')
    .select(['zip_prefix as prefix', 'days'])
    .where('warehouse_id', '=', warehouseId)
    .orderBy('zip_prefix')
    .execute()
}

/** Returns the region of each ZIP prefix that exists. A prefix of military post offices has `MILITARY`. */
export async function selectPrefixRegions(db: Database): Promise<Map<string, DeliveryRegion | 'MILITARY'>> {
  const { rows } = await sql<{ prefix: string; region: DeliveryRegion | 'MILITARY' }>`
    select left(zip, 3) as prefix, mode() within group (order by region) as region from zip group by 1`.execute(db)
  return new Map(rows.map(({ prefix, region }) => [prefix, region]))
}

/** Locks a warehouse until the transaction ends. Returns its code, or undefined for an unknown one. */
export async function lockWarehouse(tx: Tx, id: number): Promise<string | undefined> {
  const row = await tx.selectFrom('warehouse').select('code').where('id', '=', id).forUpdate().executeTakeFirst()
  return row?.code
}

/** Replaces a locked warehouse's days by prefix. Every process notices the warehouse's new version. */
export async function replaceTransit(
  tx: Tx,
  id: number,
  rows: readonly (PrefixTransit & { region: DeliveryRegion })[],
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.deleteFrom('warehouse_transit').where('warehouse_id', '=', id).execute()
  if (rows.length > 0)
    await tx
      .insertInto('warehouse_transit')
      .values(rows.map(({ prefix, region, days }) => ({ warehouse_id: id, zip_prefix: prefix, region, days })))
      .execute()
  await tx
    .updateTable('warehouse')
    .set((from) => ({ version: from('version', '+', 1), changed_at: at, changed_by: by }))
    .where('id', '=', id)
    .execute()
}
