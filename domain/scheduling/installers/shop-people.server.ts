/** A shop's team as managed by its owner. Each query runs in the transaction of a caller that has locked the team. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import type { ShopRole } from './shop-roles.ts'

/** A person of a shop; `isBound` once they signed in for it. */
export type Colleague = { id: string; email: string; name: string; role: ShopRole; isBound: boolean }

/** One change of a shop's people runs at a time, so that two owners cannot both make the other no owner. */
export async function lockPeople(tx: Tx, shopId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`people of shop ${shopId}`}, 0))`.execute(tx)
}

/** Lists the people of a shop, owners first. */
export async function listMembers(db: Database, shopId: number): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select id, email, name, role, issuer is not null as "isBound" from shop_member
    where shop_id = ${shopId}::int and ended_at is null and role <> 'staff' order by role, name, email`.execute(db)
  return rows
}

/** Adds a new team member and returns their id. */
export async function addMember(
  tx: Tx,
  member: { shopId: number; email: string; name: string; role: ShopRole; by: string; at: Temporal.Instant },
): Promise<string> {
  const id = newId()
  const { shopId, email, name, role, by, at } = member
  await tx
    .insertInto('shop_member')
    .values({ id, shop_id: shopId, email, name, role, added_at: at, added_by: by })
    .execute()
  return id
}

/** Gives a person another role. */
export async function setMemberRole(tx: Tx, { id, role }: { id: string; role: ShopRole }): Promise<void> {
  await tx.updateTable('shop_member').set({ role }).where('id', '=', id).execute()
}

/** Ends a member's role, effective immediately. */
export async function endMembership(tx: Tx, { id, at }: { id: string; at: Temporal.Instant }): Promise<void> {
  await tx.updateTable('shop_member').set({ ended_at: at }).where('id', '=', id).execute()
}

/** Returns an invitation's invitee, shop and sender; undefined if it doesn't exist. */
export async function findInvitation(
  db: Database,
  id: string,
): Promise<{ shop: string; role: ShopRole; by: string | null } | undefined> {
  const { rows } = await sql<{ shop: string; role: ShopRole; by: string | null }>`
    select shop.name as shop, member.role, (
      select name from shop_member inviter where inviter.shop_id = member.shop_id and inviter.email = member.added_by order by added_at desc limit 1) as by
    from shop_member member join shop on shop.id = member.shop_id where member.id = ${id}::uuid`.execute(db)
  return rows[0]
}
