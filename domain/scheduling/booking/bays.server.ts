/** A shop's bays and drop-off slots. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { instant, range } from './booking.sql.server.ts'

/** A bay or a place for a car that was dropped off, as the day shows it. */
export type BayPlace = { id: number; kind: 'bay' | 'drop-off'; number: number }

/** How many of each a shop has. */
export async function countBays(db: Database, shopId: number): Promise<{ bays: number; dropOffs: number }> {
  const places = await listBays(db, shopId)
  const bays = places.filter(({ kind }) => kind === 'bay').length
  return { bays, dropOffs: places.length - bays }
}

/** Lists a shop's bays, then its drop-off slots. With `during`, only those in use or with a job in that range. */
export async function listBays(
  db: Database,
  shopId: number,
  during?: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<BayPlace[]> {
  const used = during
    ? sql`(days && daterange((${instant(during.from)} at time zone time_zone)::date, (${instant(during.to)} at time zone time_zone)::date)
      or exists (select from booking where bay_id = shop_bay.id and during && ${range(spanOf(during))} and booking.state in ('held', 'confirmed', 'done', 'no-show'))
      or exists (select from own_job where bay_id = shop_bay.id and during && ${range(spanOf(during))} and own_job.state <> 'canceled'))`
    : sql`true`
  const { rows } = await sql<BayPlace>`
    select shop_bay.id, shop_bay.kind, number from shop_bay join shop on shop.id = shop_bay.shop_id
    where shop_bay.shop_id = ${shopId}::int and ${used} order by shop_bay.kind, number`.execute(db)
  return rows
}

function spanOf({ from, to }: { from: Temporal.Instant; to: Temporal.Instant }) {
  return { start: from, end: to }
}

/** Gives a shop without bookings so many bays and drop-off places, numbered from one. */
export async function replaceBays(
  tx: Tx,
  shopId: number,
  { bays, dropOffs }: { bays: number; dropOffs: number },
): Promise<void> {
  await tx.deleteFrom('shop_bay').where('shop_id', '=', shopId).execute()
  await sql`
    insert into shop_bay (shop_id, kind, number)
    select ${shopId}::int, kind, number
    from (values ('bay', ${bays}::int), ('drop-off', ${dropOffs}::int)) as wanted (kind, count), generate_series(1, count) as number
  `.execute(tx)
}
