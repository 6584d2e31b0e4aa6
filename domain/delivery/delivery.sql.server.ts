/** The statement for delivery promises. */
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { StockedWarehouse } from '#domain/delivery/delivery.ts'
import type { Database } from '#platform/db.ts'

/** The location of a ZIP; null coordinates if not known. */
export type GroundPlace = { zip: string; region: string; latitude: number | null; longitude: number | null }

/**
 * Reads the input of promises in one statement: those of `zips` that exist, and every warehouse with its stock of
 * `itemIds`.
 */
export async function selectGround(
  db: Database,
  zips: readonly string[],
  itemIds: readonly number[],
): Promise<{ places: Map<string, GroundPlace>; warehouses: StockedWarehouse[] }> {
  const row = await db
    .selectNoFrom((from) => [
      jsonArrayFrom(
        from
          .selectFrom('zip')
          .select(['zip', 'region', 'latitude', 'longitude'])
          .where('zip', '=', sql<string>`any(${zips}::text[])`),
      ).as('places'),
      jsonArrayFrom(
        from.selectFrom('warehouse').select((stored) => [
          'id',
          'code',
          'latitude',
          'longitude',
          'time_zone as timeZone',
          'cutoff',
          jsonArrayFrom(
            stored
              .selectFrom('stock')
              .select(['item_id as itemId', 'on_hand as onHand'])
              .whereRef('warehouse_id', '=', 'warehouse.id')
              .where('item_id', '=', sql<number>`any(${itemIds}::int[])`),
          ).as('stock'),
        ]),
      ).as('warehouses'),
    ])
    .executeTakeFirstOrThrow()
  return {
    places: new Map(row.places.map((place) => [place.zip, place])),
    warehouses: row.warehouses.map((warehouse) => ({
      ...warehouse,
      stock: new Map(warehouse.stock.map(({ itemId, onHand }) => [itemId, onHand])),
    })),
  }
}
