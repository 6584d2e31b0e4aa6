/** Finds shop jobs by data read from the tires and the car. */
import { sql, type RawBuilder } from 'kysely'
import { endsWith } from '#platform/search-text.ts'
import type { Database } from '#platform/db.ts'

/** The week and year of manufacture plus two preceding characters; shorter text matches too many tires. */
const minTinLength = 6
const minVinLength = 4
/** Maximum tires or jobs per search. */
const maxFound = 200

/**
 * Returns orders of up to 200 installed tires with a DOT number (TIN) that ends with the text, optionally prefixed with
 * "DOT". With `byVin` also orders for cars with a matching VIN end, as read by the shop. Empty for text that can't
 * match.
 */
export async function findJobOrders(
  { db }: { db: Database },
  text: string,
  { byVin }: { byVin: boolean },
): Promise<number[]> {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  const tin = code.replace(/^DOT/, '')
  const ways = [
    ...(tin.length >= minTinLength && /^[A-HJ-NPR-Z0-9]{2,9}\d{4}$/.test(tin) ? [jobsWithTire(tin)] : []),
    ...(byVin && code.length >= minVinLength && /^[A-HJ-NPR-Z0-9]{1,14}\d{3}$/.test(code) ? [jobsWithVin(code)] : []),
  ]
  if (ways.length === 0) return []
  const { rows } = await sql<{ orderId: number }>`
    select distinct order_id as "orderId" from work_order
    where booking_id = any(array(${sql.join(ways, sql` union all `)}))`.execute(db)
  return rows.map(({ orderId }) => orderId)
}

function jobsWithTire(end: string): RawBuilder<unknown> {
  return sql`
    (select booking_id from work_order_tire where tin is not null and ${endsWith(sql`tin`, end)} limit ${maxFound})`
}

/** Shops read the last eight characters. */
function jobsWithVin(vin: string): RawBuilder<unknown> {
  return sql`
    (select booking_id from work_order
     where vin_end is not null and ${endsWith(sql`vin_end`, vin.slice(-8))} limit ${maxFound})`
}
