/** The statements for branded stores. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { AskedStore } from './visits.ts'
import type { BrandedStore, StoreState } from './branded-stores.ts'

/** What a shop has made of its store. */
export type StoreContent = {
  dealerCode: string
  name: string
  tagline: string | null
  brandColor: string
  accentColor: string
  logo: string | null
  hostName: string | null
}

/** A store as its shop and the office see it. */
export type KeptStore = StoreContent & {
  shopId: number
  hostKey: string | null
  hostVerifiedAt: Temporal.Instant | null
  version: number
  savedAt: Temporal.Instant
  switchedOn: boolean
  decidedAt: Temporal.Instant | null
  decidedBy: string | null
  offReason: string | null
}

/** A store in the list of the office. */
export type ListedStore = KeptStore & {
  shopCode: string
  shopName: string
  city: string
  state: string
  isOffered: boolean
}

const kept = sql`store.shop_id as "shopId", store.dealer_code as "dealerCode", store.name, store.tagline, store.brand_color as "brandColor", store.accent_color as "accentColor", store.logo,
  store.host_name as "hostName", store.host_key as "hostKey", store.host_verified_at as "hostVerifiedAt", store.version, store.saved_at as "savedAt",
  store.switched_on as "switchedOn", store.decided_at as "decidedAt", store.decided_by as "decidedBy", store.off_reason as "offReason"`

/** The store of a shop, on or not. */
export async function selectStore(db: Database, shopId: number): Promise<KeptStore | undefined> {
  const { rows } = await sql<KeptStore>`select ${kept} from branded_store store where shop_id = ${shopId}::int`.execute(
    db,
  )
  return rows[0]
}

/** The same, locked until the transaction ends. */
export async function lockStore(tx: Tx, shopId: number): Promise<KeptStore | undefined> {
  const { rows } = await sql<KeptStore>`
    select ${kept} from branded_store store where shop_id = ${shopId}::int for no key update`.execute(tx)
  return rows[0]
}

/** Adds a store. False if the shop already has one, or if another shop uses the code. */
export async function insertStore(
  tx: Tx,
  { shopId, savedBy, at, hostKey, ...content }: StoreContent & Saved & { shopId: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('branded_store')
    .values({ ...rowOf(content), shop_id: shopId, host_key: hostKey, saved_by: savedBy, saved_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

type Saved = { savedBy: string; at: Temporal.Instant; hostKey: string | null }

/** Updates a locked store. `isNews` means that reviewed content changed, so it requires another review. */
export async function updateStore(
  tx: Tx,
  {
    shopId,
    savedBy,
    at,
    hostKey,
    isNews,
    isOtherHost,
    ...content
  }: StoreContent & Saved & { shopId: number; isNews: boolean; isOtherHost: boolean },
): Promise<void> {
  await tx
    .updateTable('branded_store')
    .set((eb) => ({
      ...rowOf(content),
      host_key: hostKey,
      ...(isOtherHost && { host_verified_at: null }),
      ...(isNews && { switched_on: false, decided_at: null, decided_by: null, off_reason: null }),
      version: eb('version', '+', 1),
      saved_by: savedBy,
      saved_at: at,
    }))
    .where('shop_id', '=', shopId)
    .execute()
}

function rowOf({ dealerCode, name, tagline, brandColor, accentColor, logo, hostName }: StoreContent) {
  return {
    dealer_code: dealerCode,
    name,
    tagline,
    brand_color: brandColor,
    accent_color: accentColor,
    logo,
    host_name: hostName,
  }
}

/** Switches a locked store on, or off with a reason. */
export async function updateSwitch(
  tx: Tx,
  shopId: number,
  { offReason, by, at }: { offReason: string | null; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('branded_store')
    .set({ switched_on: offReason === null, decided_at: at, decided_by: by, off_reason: offReason })
    .where('shop_id', '=', shopId)
    .execute()
}

/** Records that a host name is the shop's own. */
export async function updateHostVerified(tx: Tx, shopId: number, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('branded_store').set({ host_verified_at: at }).where('shop_id', '=', shopId).execute()
}

/** Returns the enabled store for a URL, cart or order; undefined if it doesn't exist or is disabled. */
export async function selectVisitedStore(
  db: Database,
  asked: AskedStore | { hostName: string } | { shopId: number },
): Promise<BrandedStore | undefined> {
  const which =
    'dealerCode' in asked
      ? sql`store.dealer_code = ${asked.dealerCode}`
      : 'installerId' in asked
        ? sql`shop.code = ${asked.installerId}`
        : 'hostName' in asked
          ? sql`store.host_name = ${asked.hostName} and store.host_verified_at is not null`
          : sql`store.shop_id = ${asked.shopId}::int`
  const { rows } = await sql<BrandedStore>`
    select store.shop_id as "shopId", shop.code as "installerId", shop.slug as "shopSlug", store.dealer_code as "dealerCode", store.name, store.tagline,
      store.brand_color as "brandColor", store.accent_color as "accentColor", store.logo, shop.phone,
      concat(shop.street, ', ', shop.city, ', ', shop.state, ' ', shop.zip) as address, shop.zip
    from branded_store store join shop on shop.id = store.shop_id
    where ${which} and store.switched_on and shop.active`.execute(db)
  return rows[0]
}

/** Returns the shop with this code, if it has a store. */
export async function selectShopOfCode(
  db: Database,
  shopCode: string,
): Promise<{ shopId: number; isOffered: boolean } | undefined> {
  const { rows } = await sql<{ shopId: number; isOffered: boolean }>`
    select store.shop_id as "shopId", shop.active as "isOffered" from branded_store store join shop on shop.id = store.shop_id where shop.code = ${shopCode}`.execute(
    db,
  )
  return rows[0]
}

/** Stores in a state, those saved last first; `before` pages by shop. */
export async function selectStores(
  db: Database,
  { state, before, count }: { state: StoreState; before: number | null; count: number },
): Promise<ListedStore[]> {
  const which = {
    waiting: sql`not store.switched_on and store.decided_at is null`,
    on: sql`store.switched_on`,
    off: sql`not store.switched_on and store.decided_at is not null`,
  }[state]
  const { rows } = await sql<ListedStore>`
    select ${kept}, shop.code as "shopCode", shop.name as "shopName", shop.city, shop.state, shop.active as "isOffered"
    from branded_store store join shop on shop.id = store.shop_id
    where ${which} and (${before}::int is null or store.shop_id < ${before}::int)
    order by store.shop_id desc limit ${count}`.execute(db)
  return rows
}
