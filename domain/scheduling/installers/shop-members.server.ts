/** Team members, each linked to a person at the sign-in provider and to one or more shops. */
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import { pauseDays } from './installers.sql.server.ts'
import type { PauseDays } from './shop-pause.ts'
import type { ShopStatus } from './shop-record.sql.server.ts'
import type { PortalRole, ShopRole } from './shop-roles.ts'

/** A shop as one of its people sees it. */
export type Membership = {
  memberId: string
  role: PortalRole
  shopId: number
  code: string
  shopName: string
  timeZone: string
  isInSetUp: boolean
  isVan: boolean
  /** The shop's status. Closed shops can still see past jobs and payouts. */
  status: ShopStatus
  pause: PauseDays | null
  /** The last day with bookings of a shop that closes; null for others. */
  lastDay: string | null
}

/**
 * Links team members to a person, and returns the emails and shops of newly linked ones. An email links its members
 * only until the first one is linked. Later memberships with the same email go to that person by issuer and subject,
 * and to no other person. `email` is the person's verified email, or null.
 */
export async function bindShopMembers(
  tx: Tx,
  { issuer, subject, email, at }: PersonKey & { email: string | null; at: Temporal.Instant },
): Promise<{ email: string; shopId: number; role: string }[]> {
  return tx
    .updateTable('shop_member')
    .set({ issuer, subject, bound_at: at })
    .where('issuer', 'is', null)
    .where('ended_at', 'is', null)
    .where('role', '<>', 'staff')
    .where(
      sql<boolean>`case when exists (select from shop_member bound where bound.email = shop_member.email and bound.issuer is not null and bound.ended_at is null)
        then exists (select from shop_member own where own.email = shop_member.email and own.issuer = ${issuer} and own.subject = ${subject} and own.ended_at is null)
        else email = ${email} end`,
    )
    .returning(['email', 'shop_id as shopId', 'role'])
    .execute()
}

/** Lists a person's shops by name. If two emails belong to one shop, the owner role takes precedence. */
export async function listMemberships(db: Database, { issuer, subject }: PersonKey): Promise<Membership[]> {
  const result = await sql<Membership>`
    select * from (
      select distinct on (shop.id) member.id as "memberId", member.role, ${membershipColumns}
      from shop_member member join shop on shop.id = member.shop_id
      where member.issuer = ${issuer} and member.subject = ${subject} and member.ended_at is null and member.role <> 'staff'
      order by shop.id, member.role = 'owner' desc) mine
    order by "shopName", code`.execute(db)
  return result.rows
}

const membershipColumns = sql`
  shop.id as "shopId", shop.code, shop.name as "shopName", shop.time_zone as "timeZone", shop.in_set_up as "isInSetUp", shop.kind = 'van' as "isVan",
  shop.status, ${pauseDays()} as pause,
  case when shop.status = 'open' then shop.last_day::text end as "lastDay"`

/** Returns a shop's portal membership for the store's staff; undefined if the shop doesn't exist. */
export async function readStaffMembership(db: Database, code: string): Promise<Membership | undefined> {
  const { rows } = await sql<Membership>`
    select '' as "memberId", 'staff' as role, ${membershipColumns} from shop where code = ${code}`.execute(db)
  return rows[0]
}

/**
 * The id under which a staff member's changes in the name of a shop are noted; made with their first one. Programs have
 * no email, so their ID takes its place.
 */
export async function staffMemberId(
  tx: Tx,
  { shopId, by, at }: { shopId: number; by: Actor; at: Temporal.Instant },
): Promise<string> {
  const email = by.via === 'api' ? by.clientId : by.name
  const made = {
    id: newId(),
    shop_id: shopId,
    email,
    name: by.name.slice(0, 60),
    role: 'staff',
    added_at: at,
    added_by: by.name,
  }
  await tx
    .insertInto('shop_member')
    .values(made)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('shop_member')
    .select('id')
    .where('shop_id', '=', shopId)
    .where('email', '=', email)
    .where('role', '=', 'staff')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Returns a person's membership in a shop, locked until the transaction ends; undefined if not a member. */
export async function lockMembership(
  tx: Tx,
  { issuer, subject }: PersonKey,
  shopId: number,
): Promise<{ id: string; role: ShopRole; status: ShopStatus } | undefined> {
  const row = await tx
    .selectFrom('shop_member')
    .innerJoin('shop', 'shop.id', 'shop_member.shop_id')
    .select(['shop_member.id', 'role', 'status'])
    .where('shop_id', '=', shopId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('ended_at', 'is', null)
    .orderBy(sql`role = 'owner'`, 'desc')
    .limit(1)
    .forShare('shop_member')
    .executeTakeFirst()
  return row && { id: row.id, role: row.role as ShopRole, status: row.status as ShopStatus }
}

/** The name and zone of a shop as its own people see it; undefined if not found. */
export async function readShopName(
  db: Database,
  shopId: number,
): Promise<{ id: number; code: string; name: string; timeZone: string } | undefined> {
  return db
    .selectFrom('shop')
    .select(['id', 'code', 'name', 'time_zone as timeZone'])
    .where('id', '=', shopId)
    .executeTakeFirst()
}
