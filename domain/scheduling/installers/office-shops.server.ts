/** Shops as staff find and see them, open or not. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import { hasPart, hasWords, phoneEnds, readSearchText, readTypos } from '#platform/search-text.ts'
import { startPattern } from '#platform/start-pattern.ts'
import type { ShopIdentity } from './installers.ts'
import { shopIdentityColumns } from './installers.sql.server.ts'
import type { ShopStatus } from './shop-record.sql.server.ts'

export type OfficeShop = ShopIdentity & {
  /** Shoppers see it and book it. */
  isActive: boolean
  /** Approved, and its owner has yet to complete the set-up. */
  isInSetUp: boolean
  status: ShopStatus
  /** To close after its last day. */
  isClosing: boolean
  /** The end of a pause (exclusive), far in the future without a last day; null if not paused. */
  pausedUntil: string | null
  ratingTenths: number | null
  ratingCount: number
}

const columns = sql`${shopIdentityColumns}, shop.active as "isActive", shop.in_set_up as "isInSetUp", status,
  status = 'open' and last_day is not null as "isClosing", upper(paused)::text as "pausedUntil", rating_tenths as "ratingTenths", rating_count as "ratingCount"`

/**
 * Finds up to `limit` shops by code, ZIP code, partial name and city, or the last four or more digits of the phone.
 * Falls back to names with one typo. Names that start with the text come first.
 */
export async function findOfficeShops({ db }: { db: Database }, text: string, limit: number): Promise<OfficeShop[]> {
  const { phone, zip } = readSearchText(text)
  const conditions = [
    hasPart(sql`lower(name || ' ' || city)`, text),
    sql<boolean>`code = ${text.toUpperCase()}`,
    ...(phone === undefined ? [] : [phoneEnds(sql`phone`, phone)]),
    ...(zip === undefined ? [] : [sql<boolean>`zip = ${zip}`]),
  ]
  const found = await selectShops(db, sql`${sql.join(conditions, sql` or `)}`, { text, limit })
  const spellings = found.length === 0 ? readTypos(text) : null
  return spellings
    ? selectShops(db, hasWords(sql`string_to_array(lower(name || ' ' || city), ' ')`, spellings), { text, limit })
    : found
}

/** Returns the shop with this code; undefined if it doesn't exist. */
export async function findOfficeShop({ db }: { db: Database }, code: string): Promise<OfficeShop | undefined> {
  const { rows } = await sql<OfficeShop>`select ${columns} from shop where code = ${code}`.execute(db)
  return rows[0]
}

async function selectShops(
  db: Database,
  condition: RawBuilder<unknown>,
  { text, limit }: { text: string; limit: number },
): Promise<OfficeShop[]> {
  const { rows } = await sql<OfficeShop>`
    select ${columns} from shop where ${condition}
    order by lower(name) like ${startPattern(text)} desc, lower(name), id limit ${limit}`.execute(db)
  return rows
}

/** The states a shop is in for staff. Paused: some day from today on takes no new bookings. */
export type OfficeShopState = 'open' | 'paused' | 'closing' | 'set-up' | 'suspended' | 'closed'

const isPaused = (today: Temporal.PlainDate) => sql<boolean>`coalesce(upper(paused) > ${today.toString()}::date, false)`
const stateConditions: Readonly<Record<OfficeShopState, (today: Temporal.PlainDate) => RawBuilder<boolean>>> = {
  open: (today) => sql`active and last_day is null and not ${isPaused(today)}`,
  paused: (today) => sql`active and last_day is null and ${isPaused(today)}`,
  closing: () => sql`status = 'open' and last_day is not null`,
  'set-up': () => sql`in_set_up and status = 'open'`,
  suspended: () => sql`status = 'suspended'`,
  closed: () => sql`status = 'closed'`,
}

/** A page of shops by code, those after `after`; `next` is the code that the page after it comes after. */
export async function listOfficeShops(
  { db }: { db: Database },
  {
    state,
    kind,
    today,
    after,
    limit,
  }: {
    state: OfficeShopState | null
    kind: OfficeShop['kind'] | null
    today: Temporal.PlainDate
    after: string | null
    limit: number
  },
): Promise<{ shops: OfficeShop[]; next: string | null }> {
  const { rows } = await sql<OfficeShop>`
    select ${columns} from shop
    where code > ${after ?? ''} and ${state === null ? sql`true` : stateConditions[state](today)}
      and ${kind === null ? sql`true` : sql`kind = ${kind}`}
    order by code limit ${limit + 1}`.execute(db)
  const shops = rows.slice(0, limit)
  return { shops, next: rows.length > limit ? (shops.at(-1)?.code ?? null) : null }
}
