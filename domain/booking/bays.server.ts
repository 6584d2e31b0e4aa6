/** The bays and drop-off places of a shop. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A bay or a place for a car that was dropped off, as the day shows it. */
export type BayPlace = { id: number; kind: 'bay' | 'drop-off'; number: number }

/** How many of each a shop has. */
export async function countBays(db: Database, shopId: number): Promise<{ bays: number; dropOffs: number }> {
  const places = await listBays(db, shopId)
  const bays = places.filter(({ kind }) => kind === 'bay').length
  return { bays, dropOffs: places.length - bays }
}

/** Lists the bays of a shop, then its drop-off places. */
export async function listBays(db: Database, shopId: number): Promise<BayPlace[]> {
  const rows = await db
    .selectFrom('shop_bay')
    .select(['id', 'kind', 'number'])
    .where('shop_id', '=', shopId)
    .orderBy('kind')
    .orderBy('number')
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as BayPlace['kind'] }))
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
