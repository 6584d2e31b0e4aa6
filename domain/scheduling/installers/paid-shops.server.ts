/** Shops as those who pay them know them. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export type PaidShop = { shopId: number; code: string; name: string; timeZone: string; state: string }

/** Lists shops in order of their codes, those after `after`. */
export async function listPaidShops(
  db: Database,
  { after, limit }: { after: string | null; limit: number },
): Promise<PaidShop[]> {
  const result = await sql<PaidShop>`
    select id as "shopId", code, name, time_zone as "timeZone", state from shop
    where code > ${after ?? ''} order by code limit ${limit}`.execute(db)
  return result.rows
}

/** Returns the shop with a code or id; undefined if it doesn't exist. */
export async function findPaidShop(
  db: Database,
  by: { code: string } | { shopId: number },
): Promise<PaidShop | undefined> {
  const result = await sql<PaidShop>`
    select id as "shopId", code, name, time_zone as "timeZone", state from shop
    where ${'code' in by ? sql`code = ${by.code}` : sql`id = ${by.shopId}::int`}`.execute(db)
  return result.rows[0]
}

/** Lists a shop's current owners with names and emails. */
export async function listShopOwners(db: Database, shopId: number): Promise<{ name: string; email: string }[]> {
  return db
    .selectFrom('shop_member')
    .select(['name', 'email'])
    .where('shop_id', '=', shopId)
    .where('role', '=', 'owner')
    .where('ended_at', 'is', null)
    .orderBy('email')
    .execute()
}
