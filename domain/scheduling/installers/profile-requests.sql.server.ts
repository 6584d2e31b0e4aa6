/** Name and address changes requested by shop owners, pending staff approval. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { ShopProfile } from './shop-record.sql.server.ts'

/** What changes only with the approval of staff. */
export type ApprovedPart = Pick<ShopProfile, 'name' | 'street' | 'city' | 'zip'>
export type ProfileRequest = ApprovedPart & {
  shopId: number
  code: string
  shopName: string
  requestedAt: Temporal.Instant
  requestedBy: string | null
}

/** Stores an owner's request, replacing the previous one. */
export async function putProfileRequest(
  tx: Tx,
  request: ApprovedPart & { shopId: number; at: Temporal.Instant; memberId: string },
): Promise<void> {
  const { shopId, at, memberId, name, street, city, zip } = request
  const values = { name, street, city, zip, requested_at: at, requested_by: memberId }
  await tx
    .insertInto('shop_profile_request')
    .values({ shop_id: shopId, ...values })
    .onConflict((conflict) => conflict.column('shop_id').doUpdateSet(values))
    .execute()
}

/** Deletes the request of a shop; whether there was one. */
export async function deleteProfileRequest(tx: Tx, shopId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('shop_profile_request')
    .where('shop_id', '=', shopId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Selects open requests, oldest first, optionally for one shop. */
export async function selectProfileRequests(
  db: Database,
  { shopId = null, limit }: { shopId?: number | null; limit: number },
): Promise<ProfileRequest[]> {
  const { rows } = await sql<ProfileRequest>`
    select shop.id as "shopId", shop.code, shop.name as "shopName", request.name, request.street, request.city, request.zip,
      requested_at as "requestedAt", member.name as "requestedBy"
    from shop_profile_request request join shop on shop.id = request.shop_id left join shop_member member on member.id = requested_by
    where ${shopId}::int is null or shop.id = ${shopId}::int
    order by requested_at, shop.id limit ${limit}::int`.execute(db)
  return rows
}
