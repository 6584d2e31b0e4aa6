/** Suppliers with many warehouses, for a listing of tires that all of them have. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export const manySuppliers = { suppliers: 4, warehousesEach: 50 } as const

/**
 * Adds suppliers with warehouses all over the contiguous states, which ship everywhere and have every tire in one size.
 * The rows are as the office writes them.
 */
export async function fillSuppliers(db: Database, sizeSlug: string): Promise<void> {
  const { suppliers, warehousesEach } = manySuppliers
  await sql`
    insert into supplier (id, code, name, network_id)
    select 100 + number, 'BENCH' || number, 'Supplier ' || number, 'BENCH' || number from generate_series(1, ${suppliers}) as number`.execute(
    db,
  )
  await sql`
    insert into warehouse (id, code, name, city, state, zip, latitude, longitude, time_zone, cutoff, street, supplier_id, pool)
    select 1000 + number, 'B' || number, 'Warehouse ' || number, city, state, zip, latitude, longitude, time_zone, '16:00', '1 Sample Street',
      101 + number % ${suppliers}, 'nationwide'
    from (
      select *, row_number() over (order by md5(zip)) as number from zip
      where region = 'CONUS' and zip_type = 'STANDARD' and latitude is not null and time_zone is not null
    ) as place
    where number <= ${suppliers * warehousesEach}`.execute(db)
  await sql`
    insert into stock (item_id, warehouse_id, on_hand)
    select item.id, warehouse.id, 4 + (item.id + warehouse.id) % 40
    from item join size on size.id = item.size_id cross join warehouse
    where size.slug = ${sizeSlug} and warehouse.id > 1000`.execute(db)
  await sql`analyze`.execute(db)
}
