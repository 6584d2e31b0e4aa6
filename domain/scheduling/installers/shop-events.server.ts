/** The statements for what the people of a shop changed of it. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type ShopAct =
  | 'capacity'
  | 'capacity-withdrawn'
  | 'closed-day'
  | 'opened-day'
  | 'prices'
  | 'prices-withdrawn'
  | 'invited'
  | 'role'
  | 'ended'
  | 'area'
  | 'profile'
  | 'profile-requested'
  | 'profile-approved'
  | 'profile-declined'
/** `about` is the affected team member, for team changes. */
export type ShopEvent = { at: Temporal.Instant; who: string | null; about: string | null; act: ShopAct; note: string }

/** Writes down what a member did. */
export async function insertShopEvent(
  tx: Tx,
  event: {
    shopId: number
    memberId: string
    at: Temporal.Instant
    act: ShopAct
    note: string
    aboutId?: string
  },
): Promise<void> {
  await tx
    .insertInto('shop_event')
    .values({
      shop_id: event.shopId,
      member_id: event.memberId,
      about_id: event.aboutId ?? null,
      at: event.at,
      act: event.act,
      note: event.note,
    })
    .execute()
}

/** Lists the latest of these acts, the newest first. */
export async function selectShopEvents(
  db: Database,
  { shopId, acts, limit }: { shopId: number; acts: readonly ShopAct[]; limit: number },
): Promise<ShopEvent[]> {
  const { rows } = await sql<ShopEvent>`
    select at, member.name as who, about.name as about, act, note
    from shop_event left join shop_member member on member.id = shop_event.member_id left join shop_member about on about.id = shop_event.about_id
    where shop_event.shop_id = ${shopId}::int and act = any(${acts}::text[]) order by shop_event.id desc limit ${limit}::int`.execute(
    db,
  )
  return rows
}

/** How many people a shop invited since a moment. */
export async function countInvitations(db: Database, shopId: number, since: Temporal.Instant): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from shop_event where shop_id = ${shopId}::int and act = 'invited' and at > ${since.toString()}::timestamptz`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
