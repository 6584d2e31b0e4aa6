/**
 * The statements that find orders. Each search uses its own index and reads a bounded number of orders, so its cost
 * doesn't grow with the order count.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import { startPattern } from '#platform/start-pattern.ts'
import { endsWith, hasPart, match, startsWith, type Match } from '#platform/search-text.ts'

/** An order that was found, with how well it matches. */
export type OrderMatch = { id: number; match: Match }

/** A search method, consisting of a query for `id` and `placed_at` and its match quality. */
export type Way = { match: Match; orders: RawBuilder<unknown> }

/** The number of newest orders searched without an index, since an index scan would first collect every match. */
const newestCount = 2_000
/** Of more matches than this, not all are put in order of time. */
const maxMatches = 1_000
/** Of more tires, shops or companies than this, the orders are not looked for. */
const maxSubjects = 5
/** The maximum number of names with one typo; more are unlikely to be relevant. */
const maxNames = 8

const newestFirst = sql`order by placed_at desc, id desc`
const lastName = sql`lower(last_name)`
const fullName = sql`lower(first_name || ' ' || last_name)`
const email = sql`lower(email)`
const poNumber = sql`lower(billing ->> 'poNumber')`
const hasPoNumber = sql`billing ->> 'poNumber' is not null`
/** As in the index `sales_order_by_part`. */
const everything = sql`lower(first_name || ' ' || last_name || E'\\n' || email || E'\\n' || coalesce(company, '') || E'\\n' || coalesce(billing ->> 'poNumber', ''))`

/** Up to `limit` orders that any of these ways finds, the best matches first, then the newest. */
export async function selectOrderMatches(db: Database, ways: readonly Way[], limit: number): Promise<OrderMatch[]> {
  if (ways.length === 0) return []
  const found = ways.map(
    (way) => sql`(select id, placed_at, ${sql.lit(way.match)} as match from (${way.orders}) way limit ${limit})`,
  )
  const { rows } = await sql<OrderMatch>`
    with found as materialized (${sql.join(found, sql` union all `)})
    select id, min(match) as match from found group by id, placed_at
    order by min(match), placed_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

type Bounds = { limit: number }

function ordersWhere(condition: RawBuilder<unknown>, { limit }: Bounds): RawBuilder<unknown> {
  return sql`select id, placed_at from sales_order where ${condition} ${newestFirst} limit ${limit}`
}

/**
 * Selects matches in any order and sorts them afterward. With the sort inside, the planner would scan orders by time
 * until enough match. For a rare match that is the whole table.
 */
function sortedAfter(condition: RawBuilder<unknown>, { limit }: Bounds): RawBuilder<unknown> {
  return sql`
    select id, placed_at from (select id, placed_at from sales_order where ${condition} limit ${maxMatches}) matching
    ${newestFirst} limit ${limit}`
}

export function byNumber(id: number): Way {
  return { match: match.whole, orders: sql`select id, placed_at from sales_order where id = ${id}::bigint` }
}

const longestNumber = 9

/** Orders with a number that starts with these digits. */
export function byNumberStart(digits: string, { limit }: Bounds): Way {
  const scales = Array.from({ length: longestNumber - 1 }, (_, index) => 10 ** (index + 1))
  const lowest = scales.map((scale) => Number(digits) * scale)
  const highest = scales.map((scale) => Number(digits) * scale + scale - 1)
  return {
    match: match.edge,
    orders: sql`
      select o.id, o.placed_at from unnest(${lowest}::bigint[], ${highest}::bigint[]) as numbers (lowest, highest)
      cross join lateral (
        select id, placed_at from sales_order where id between lowest and highest order by id desc limit ${limit}) o
      order by o.placed_at desc, o.id desc limit ${limit}`,
  }
}

/** Orders with a number that ends with these digits, at least four. */
export function byNumberEnd(digits: string, { limit }: Bounds): Way {
  return {
    match: match.edge,
    orders: sql`
      select id, placed_at from sales_order
      where id % 10000 = ${Number(digits.slice(-4))}::bigint and id::text like ${`%${digits}`} order by id desc limit ${limit}`,
  }
}

/** Whole emails, names and purchase order numbers. A common name is read in the order of time from its index. */
export function byWhole(text: string, bounds: Bounds): Way[] {
  return [
    sql`${email} = ${text}`,
    sql`${lastName} = ${text}`,
    sql`${fullName} = ${text}`,
    sql`${hasPoNumber} and ${poNumber} = ${text}`,
  ].map((condition) => ({ match: match.whole, orders: ordersWhere(condition, bounds) }))
}

/** Emails, names and purchase order numbers that start with the text. */
export function byStart(text: string, bounds: Bounds): Way[] {
  return [
    startsWith(email, text),
    startsWith(lastName, text),
    startsWith(fullName, text),
    sql`${hasPoNumber} and ${startsWith(poNumber, text)}`,
  ].map((condition) => ({ match: match.edge, orders: sortedAfter(condition, bounds) }))
}

/** The newest orders with the text anywhere in a name, email, company or purchase order number, read without an index. */
export function byPartOfNewest(text: string, { limit }: Bounds): Way {
  return {
    match: match.part,
    orders: sql`
      select id, placed_at from (select * from sales_order ${newestFirst} limit ${newestCount}) newest
      where ${everything} like ${`%${startPattern(text)}`} ${newestFirst} limit ${limit}`,
  }
}

/** Orders with the text anywhere in a name, email, company or purchase order number, by an index. */
export function byPart(text: string, bounds: Bounds): Way {
  return { match: match.part, orders: sortedAfter(hasPart(everything, text), bounds) }
}

/** Phones that end with these digits, at least four, and those that start with them. */
export function byPhone(digits: string, bounds: Bounds): Way[] {
  const ends = sql`right(phone, 4) = ${digits.slice(-4)} and phone like ${`%${digits}`}`
  return [
    { match: digits.length === 10 ? match.whole : match.edge, orders: ordersWhere(ends, bounds) },
    { match: match.part, orders: sortedAfter(startsWith(sql`phone`, digits), bounds) },
  ]
}

export function byZip(zip: string, bounds: Bounds): Way {
  return { match: match.whole, orders: ordersWhere(sql`zip = ${zip}`, bounds) }
}

/** Orders with a VIN that ends with these characters. */
export function byVinEnd(end: string, { limit }: Bounds): Way {
  return ofOrders(sql`select order_id from order_vin where ${endsWith(sql`vin`, end)}`, match.edge, limit)
}

/** Orders with a fleet vehicle license plate that starts with these characters. */
export function byPlate(plate: string, { limit }: Bounds): Way {
  const plates = sql`select order_id from fleet_packet where plate is not null and ${startsWith(sql`plate`, plate)}`
  return ofOrders(plates, match.edge, limit)
}

/** Orders with a tracking number that ends with this text. */
export function byTrackingNumber(text: string, { limit }: Bounds): Way {
  const parcels = sql`
    select order_id from shipment
    where tracking_number is not null and ${endsWith(sql`lower(tracking_number)`, text)}`
  return ofOrders(parcels, match.edge, limit)
}

/** The orders of a subject that others own, such as an installed tire, newest first. */
export function byOrderIds(ids: readonly number[], { limit }: Bounds): Way {
  return ofOrders(sql`select unnest(${[...ids]}::bigint[]) as order_id`, match.edge, limit)
}

function ofOrders(orderIds: RawBuilder<unknown>, found: Match, limit: number): Way {
  return {
    match: found,
    orders: sql`
      select id, placed_at from sales_order where id = any(array(select order_id from (${orderIds}) subject limit ${maxMatches}))
      ${newestFirst} limit ${limit}`,
  }
}

/** The newest orders of tires with a SKU that starts with the text. */
export function bySku(sku: string, { limit }: Bounds): Way {
  const items = sql`select id from item where ${startsWith(sql`lower(sku)`, sku)} order by lower(sku) limit ${maxSubjects}`
  return {
    match: match.part,
    orders: sql`
      select o.id, o.placed_at from (
        select distinct line.order_id from (${items}) item cross join lateral (
          select order_id from order_line where item_id = item.id order by order_id desc limit ${limit}) line) line
      join sales_order o on o.id = line.order_id`,
  }
}

/** The newest orders of companies with the text in their name. */
export function byCompany(text: string, { limit }: Bounds): Way {
  return {
    match: match.part,
    orders: sql`
      select o.id, o.placed_at
      from (select id from company where ${hasPart(sql`lower(name)`, text)} limit ${maxSubjects}) company
      cross join lateral (
        select id, placed_at from sales_order where company_id = company.id order by id desc limit ${limit}) o`,
  }
}

/** The next appointments at shops with the text in their name. */
export function byShop(text: string, { limit, now }: Bounds & { now: Temporal.Instant }): Way {
  return {
    match: match.part,
    orders: sql`
      select o.id, o.placed_at
      from (
        select id from shop where ${hasPart(sql`lower(name || ' ' || city)`, text)} and ${hasPart(sql`lower(name)`, text)}
        limit ${maxSubjects}) shop
      cross join lateral (
        select order_id from booking where shop_id = shop.id and state = 'confirmed' and lower(during) > ${now.toString()}::timestamptz
        order by lower(during) limit ${limit}) booking
      join sales_order o on o.id = booking.order_id`,
  }
}

/** Orders with a last or full name that matches one spelling of each word. A single word also matches first names. */
export function byTypo(spellings: readonly (readonly string[])[], { limit }: Bounds): Way[] {
  const [first = [], ...rest] = spellings
  const last = rest.at(-1)
  const lastNames = namesAmong(sql`select unnest(${[...(last ?? first)]}::text[]) as name`, isLastName)
  if (!last)
    return [
      ordersNamed(lastNames, isLastName, limit),
      ordersNamed(namesAmong(sql`select unnest(${[...first]}::text[]) as name`, isFirstName), isFirstName, limit),
    ]
  const names = sql`
    select spelled || ' ' || last_name.name as name from (${lastNames}) last_name cross join unnest(${[...first]}::text[]) as spelled`
  return [ordersNamed(namesAmong(names, isFullName), isFullName, limit)]
}

const isLastName = sql`${lastName} = spelling.name`
const isFullName = sql`${fullName} = spelling.name`
/** The exclamation mark follows the space in the order of code points. */
const isFirstName = sql`(${fullName} ~>=~ (spelling.name || ' ') and ${fullName} ~<~ (spelling.name || '!'))`

/** Returns the \`names\` that occur in an order, with one index probe each. */
function namesAmong(names: RawBuilder<unknown>, isName: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select spelling.name from (${names}) spelling
    cross join lateral (select from sales_order where ${isName} limit 1) one limit ${maxNames}`
}

function ordersNamed(names: RawBuilder<unknown>, isName: RawBuilder<unknown>, limit: number): Way {
  return {
    match: match.typo,
    orders: sql`
      select o.id, o.placed_at from (${names}) spelling cross join lateral (
        select id, placed_at from (select id, placed_at from sales_order where ${isName} limit ${maxMatches}) matching
        ${newestFirst} limit ${limit}) o
      order by o.placed_at desc, o.id desc limit ${limit}`,
  }
}
