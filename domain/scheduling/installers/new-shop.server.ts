/** An approved shop, created in onboarding with its team members. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { slugOf } from '#platform/slug.ts'
import type { OpeningHours, Shop } from './installers.ts'
import type { ShopRole } from './shop-roles.ts'
import { selectZipsAround, type ShopStatus } from './shop-record.sql.server.ts'
import { replaceHours } from './shop-terms.server.ts'
import { replaceVanZips } from './van-areas.server.ts'

/** A shop's team member. `email` is lowercase, and a person who verified it at the sign-in provider can sign in. */
export type ShopMember = { email: string; name: string; role: ShopRole }

type NewShop = Pick<
  Shop,
  'name' | 'kind' | 'street' | 'city' | 'state' | 'zip' | 'latitude' | 'longitude' | 'timeZone' | 'phone'
> & {
  website: string | null
  services: readonly string[]

  takesRunFlat: boolean
  takesLightTruck: boolean
  hours: readonly OpeningHours[]
  members: readonly ShopMember[]
  by: string
  at: Temporal.Instant
}

/** How far from its ZIP a new van comes, in miles, until its owner chooses its ZIPs. */
const newVanMiles = 20
/** How many ZIPs a van can have. */
const maxVanZips = 1_000

/**
 * Makes a shop or van in set-up and returns its id. It has no bays and no prices, and no list for shoppers has it. A van
 * comes to the ZIPs around its own. Of two members with one email the first counts.
 */
export async function addNewShop(tx: Tx, shop: NewShop): Promise<number> {
  const shopId = await insertShop(tx, shop)
  if (shop.hours.length > 0) await replaceHours(tx, shopId, shop.hours)
  if (shop.kind === 'van') {
    const zips = await selectZipsAround(tx, { zip: shop.zip, miles: newVanMiles, limit: maxVanZips })
    await replaceVanZips(tx, shopId, zips)
  }
  const people = shop.members.filter(({ email }, at) => shop.members.findIndex((one) => one.email === email) === at)
  await tx
    .insertInto('shop_member')
    .values(people.map((one) => ({ id: newId(), shop_id: shopId, ...one, added_at: shop.at, added_by: shop.by })))
    .execute()
  return shopId
}

/** Lists the people of a shop, owners first. */
export async function listShopMembers({ db }: { db: Database }, shopId: number): Promise<ShopMember[]> {
  const rows = await db
    .selectFrom('shop_member')
    .select(['email', 'name', 'role'])
    .where('shop_id', '=', shopId)
    .where('ended_at', 'is', null)
    .where('role', '<>', 'staff')
    .orderBy('role')
    .orderBy('added_at')
    .orderBy('email')
    .execute()
  return rows.map((row) => ({ ...row, role: row.role as ShopRole }))
}

/** Returns when a shop got its first member, and its owners' vans by code. */
export async function readShopOwnership(
  { db }: { db: Database },
  shopId: number,
): Promise<{ since: Temporal.Instant | null; vans: OwnedVan[] }> {
  const [first, { rows: vans }] = await Promise.all([
    db
      .selectFrom('shop_member')
      .select(({ fn }) => fn.min('added_at').as('since'))
      .where('shop_id', '=', shopId)
      .executeTakeFirst(),
    sql<OwnedVan>`
      select shop.id, code, name, status, in_set_up as "isInSetUp",
        (select count(*)::int from van_area where van_area.shop_id = shop.id) as zips
      from shop
      where kind = 'van' and shop.id <> ${shopId}::int and exists (
        select from shop_member van_owner join shop_member owner using (email)
        where van_owner.shop_id = shop.id and owner.shop_id = ${shopId}::int
          and van_owner.role = 'owner' and owner.role = 'owner' and van_owner.ended_at is null and owner.ended_at is null)
      order by code`.execute(db),
  ])
  return { since: first?.since ?? null, vans }
}

/** Another van with the same owner. `zips` counts its ZIP codes. */
type OwnedVan = { id: number; code: string; name: string; status: ShopStatus; isInSetUp: boolean; zips: number }

/** Exports the shops a verified email can sign in for, as plain data for JSON. Empty for null. */
export async function exportShopMemberships(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ shops: object[] }>`
    select coalesce(json_agg(json_build_object('shop', shop.name, 'role', member.role, 'name', member.name, 'email', member.email,
      'textPhone', setting.text_phone, 'summaryHour', setting.summary_hour, 'addedAt', member.added_at, 'endedAt', member.ended_at) order by member.added_at, member.id), '[]') as shops
    from shop_member member join shop on shop.id = member.shop_id left join shop_member_setting setting on setting.member_id = member.id
    where member.email = ${email}`.execute(db)
  return rows[0]?.shops ?? []
}

/** The code is derived from the number, as for every shop. A new shop has no ratings. */
async function insertShop(tx: Tx, shop: NewShop): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with next as (select nextval(pg_get_serial_sequence('shop', 'id'))::int as id)
    insert into shop (id, code, slug, name, kind, street, city, state, zip, latitude, longitude, time_zone, phone,
      rating_count, takes_run_flat, takes_light_truck, active, in_set_up, website, services)
    overriding system value
    select id, 'SW-' || lpad(id::text, 5, '0'), ${slugOf(`${shop.name} ${shop.city}`)}, ${shop.name}, ${shop.kind}, ${shop.street}, ${shop.city}, ${shop.state},
      ${shop.zip}, ${shop.latitude}, ${shop.longitude}, ${shop.timeZone}, ${shop.phone},
      0, ${shop.takesRunFlat}, ${shop.takesLightTruck}, false, true, ${shop.website}, ${[...shop.services]}::text[]
    from next returning id`.execute(tx)
  const [made] = rows
  if (!made) throw new Error('A shop was not made.')
  return made.id
}
