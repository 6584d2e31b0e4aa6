/** The statements of waiting for an earlier time. */
import { sql } from 'kysely'
import type { Choice, DropOffWindow } from '#domain/scheduling/booking/booking.ts'
import type { Database, Tx } from '#platform/db.ts'
import { moveNoticeMinutes } from '#domain/scheduling/booking/booking.ts'
import type { DayPart, EarlierTime, EarlierTimeWish } from './earlier-times.ts'

export type StoredWish = EarlierTimeWish & { bookingId: string; shopId: number; askedAt: Temporal.Instant }
export type Offer = EarlierTime & {
  id: string
  bookingId: string
  orderId: number
  expiresAt: Temporal.Instant
  state: 'open' | 'taken' | 'passed'
}

const at = (moment: Temporal.Instant) => sql`${moment.toString()}::timestamptz`
const rangeOf = ({ start, end }: Pick<EarlierTime, 'start' | 'end'>) => sql`tstzrange(${at(start)}, ${at(end)})`

/** Puts an appointment on the list, or at its end again with another wish. */
export async function upsertWish(
  tx: Tx,
  { bookingId, shopId, from, until, untilAt, parts }: Omit<StoredWish, 'askedAt'> & { untilAt: Temporal.Instant },
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into earlier_time_wish (booking_id, shop_id, from_on, until_on, until_at, day_parts, asked_at)
    values (${bookingId}::uuid, ${shopId}::int, ${from.toString()}::date, ${until.toString()}::date, ${at(untilAt)}, ${[...parts]}::text[], ${at(now)})
    on conflict (booking_id) do update set from_on = excluded.from_on, until_on = excluded.until_on, until_at = excluded.until_at, day_parts = excluded.day_parts,
      asked_at = excluded.asked_at, turn = default, ended_at = null, ended = null`.execute(tx)
}

/** Returns an appointment's open waitlist entry. */
export async function selectWish(db: Database, bookingId: string): Promise<StoredWish | undefined> {
  const [wish] = await selectWishes(db, sql`wish.booking_id = ${bookingId}::uuid`)
  return wish
}

/** Selects a shop's waitlist by join time, excluding entries with an open offer. */
export function selectWaiting(db: Database, shopId: number): Promise<(StoredWish & { orderId: number })[]> {
  return selectWishes(
    db,
    sql`wish.shop_id = ${shopId}::int and not exists (
      select from earlier_time_offer offer where offer.booking_id = wish.booking_id and offer.state = 'open')`,
  )
}

async function selectWishes(
  db: Database,
  which: ReturnType<typeof sql>,
): Promise<(StoredWish & { orderId: number })[]> {
  const { rows } = await sql<{
    bookingId: string
    shopId: number
    orderId: number
    from: string
    until: string
    parts: DayPart[]
    askedAt: Temporal.Instant
  }>`
    select wish.booking_id as "bookingId", wish.shop_id as "shopId", booking.order_id as "orderId", from_on::text as "from", until_on::text as until,
      day_parts as parts, asked_at as "askedAt"
    from earlier_time_wish wish join booking on booking.id = wish.booking_id
    where wish.ended_at is null and booking.order_id is not null and ${which}
    order by turn`.execute(db)
  return rows.map((row) => ({
    ...row,
    from: Temporal.PlainDate.from(row.from),
    until: Temporal.PlainDate.from(row.until),
  }))
}

/** Counts a shop's waitlist entries, excluding this appointment. */
export async function countWaiting(tx: Tx, shopId: number, besides: string): Promise<number> {
  const { count } = await tx
    .selectFrom('earlier_time_wish')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('shop_id', '=', shopId)
    .where('ended_at', 'is', null)
    .where('booking_id', '<>', besides)
    .executeTakeFirstOrThrow()
  return count
}

/** Locks an open waitlist entry; false if it has ended. */
export async function lockWish(tx: Tx, bookingId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('earlier_time_wish')
    .select('booking_id')
    .where('booking_id', '=', bookingId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a waitlist entry and its offer; false if it had ended. */
export async function endWish(
  tx: Tx,
  bookingId: string,
  how: { ended: 'taken' | 'left'; taken?: Temporal.Instant; now: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    with passed as (
      update earlier_time_offer set state = case when lower(during) = ${how.taken?.toString() ?? null}::timestamptz then 'taken' else 'passed' end
      where booking_id = ${bookingId}::uuid and state = 'open')
    update earlier_time_wish set ended_at = ${at(how.now)}, ended = ${how.ended}
    where booking_id = ${bookingId}::uuid and ended_at is null returning booking_id`.execute(tx)
  return rows.length === 1
}

/**
 * Ends every waitlist entry with an appointment that is over, canceled or too near, or with only past days. Returns how
 * many.
 */
export async function endOverWishes(db: Database, now: Temporal.Instant): Promise<number> {
  const { rows } = await sql`
    with over as (
      update earlier_time_wish wish set ended_at = ${at(now)}, ended = 'over'
      from booking
      where booking.id = wish.booking_id and wish.ended_at is null
        and (booking.state <> 'confirmed' or lower(booking.during) - ${moveNoticeMinutes}::int * interval '1 minute' <= ${at(now)}
          or wish.until_at <= ${at(now)})
      returning wish.booking_id),
    passed as (
      update earlier_time_offer offer set state = 'passed' from over where offer.booking_id = over.booking_id and offer.state = 'open')
    select from over`.execute(db)
  return rows.length
}

/** Expires offers after their deadline; returns their shops. */
export async function passLapsedOffers(db: Database, now: Temporal.Instant): Promise<number[]> {
  const { rows } = await sql<{ shopId: number }>`
    update earlier_time_offer set state = 'passed' where state = 'open' and expires_at <= ${at(now)} returning shop_id as "shopId"`.execute(
    db,
  )
  return rows.map(({ shopId }) => shopId)
}

/** Selects shops with a waitlist, and the calendar version of their last search. */
export async function selectWaitingShops(db: Database): Promise<{ shopId: number; checkedAt: number | null }[]> {
  return db
    .selectFrom('earlier_time_wish as wish')
    .leftJoin('earlier_time_check as checked', 'checked.shop_id', 'wish.shop_id')
    .select(['wish.shop_id as shopId', 'checked.version as checkedAt'])
    .distinct()
    .where('wish.ended_at', 'is', null)
    .orderBy('wish.shop_id')
    .execute()
}

/** Remembers the calendar at which a shop's waiting shoppers were looked through; null has them looked through again. */
export async function storeCheck(db: Database, shopId: number, version: number | null): Promise<void> {
  if (version === null) {
    await db.deleteFrom('earlier_time_check').where('shop_id', '=', shopId).execute()
    return
  }
  await db
    .insertInto('earlier_time_check')
    .values({ shop_id: shopId, version })
    .onConflict((conflict) => conflict.column('shop_id').doUpdateSet({ version }))
    .execute()
}

/** Records an offer; false if the time is in another open offer, or was already offered to this shopper. */
export async function insertOffer(
  tx: Tx,
  offer: EarlierTime & {
    id: string
    bookingId: string
    shopId: number
    kind: string
    now: Temporal.Instant
    expiresAt: Temporal.Instant
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into earlier_time_offer (id, booking_id, shop_id, kind, during, drop_off_on, drop_off_window, offered_at, expires_at)
    values (${offer.id}::uuid, ${offer.bookingId}::uuid, ${offer.shopId}::int, ${offer.kind}, ${rangeOf(offer)},
      ${'window' in offer.choice ? offer.choice.date.toString() : null}::date, ${'window' in offer.choice ? offer.choice.window : null}::text, ${at(offer.now)}, ${at(offer.expiresAt)})
    on conflict do nothing returning id`.execute(tx)
  return rows.length === 1
}

/** Returns an offer by id, or a shopper's open offer. */
export async function selectOffer(db: Database, key: { id: string } | { openOf: string }): Promise<Offer | undefined> {
  const { rows } = await sql<{
    id: string
    bookingId: string
    orderId: number
    start: Temporal.Instant
    end: Temporal.Instant
    window: DropOffWindow | null
    on: string | null
    expiresAt: Temporal.Instant
    state: Offer['state']
  }>`
    select offer.id, offer.booking_id as "bookingId", booking.order_id as "orderId", lower(offer.during) as start, upper(offer.during) as "end",
      offer.drop_off_window as window, offer.drop_off_on::text as "on", offer.expires_at as "expiresAt", offer.state
    from earlier_time_offer offer join booking on booking.id = offer.booking_id
    where ${'id' in key ? sql`offer.id = ${key.id}::uuid` : sql`offer.booking_id = ${key.openOf}::uuid and offer.state = 'open'`}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return undefined
  const { window, on, ...offer } = row
  const choice: Choice = window && on ? { date: Temporal.PlainDate.from(on), window } : { start: row.start }
  return { ...offer, choice }
}

/** Selects the times already offered to an entry, and those in other open offers at the shop. */
export async function selectToldTimes(
  db: Database,
  { bookingId, shopId }: { bookingId: string; shopId: number },
): Promise<{ isMine: boolean; kind: string; start: Temporal.Instant; end: Temporal.Instant }[]> {
  const { rows } = await sql<{ isMine: boolean; kind: string; start: Temporal.Instant; end: Temporal.Instant }>`
    select booking_id = ${bookingId}::uuid as "isMine", kind, lower(during) as start, upper(during) as "end"
    from earlier_time_offer
    where booking_id = ${bookingId}::uuid or shop_id = ${shopId}::int and state = 'open'`.execute(db)
  return rows
}

/** Ends an offer that can no longer be taken. */
export async function passOffer(db: Database, id: string): Promise<void> {
  await db
    .updateTable('earlier_time_offer')
    .set({ state: 'passed' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

/** Deletes wishes that ended before an instant; returns how many. */
export async function forgetOldWishes(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('earlier_time_wish').where('ended_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
