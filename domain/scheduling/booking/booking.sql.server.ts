/** Booking queries. */
import { sql, type RawBuilder } from 'kysely'
import { dayAtShop } from '#domain/scheduling/installers/installers.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Actor, Booking, BookingKind, BookingState, DropOffWindow } from './booking.ts'
import { bookingColumns, toBooking, type BookingRow } from './booking-rows.sql.server.ts'
import { vanReach } from './van-stops.sql.server.ts'

export type Place = {
  shopId: number
  bayId: number
  kind: BookingKind
  start: Temporal.Instant
  end: Temporal.Instant
  dropOff: { window: DropOffWindow; code: string } | null
  /** Where a van comes. */
  stopZip?: string | null
}
export type NewHold = Place & { id: string; cartId: string; heldBy: string | null; expiresAt: Temporal.Instant }
/** An order's appointment requirements (the minutes at this shop, and a start no earlier than the tires' arrival). */
export type AppointmentRequirements = { shopId: number; minutes: number; readyAt: Temporal.Instant }
/** `memberId` is the shop team member who made the change. */
export type Change = {
  now: Temporal.Instant
  actor: Actor
  memberId?: string | null | undefined
  note?: string | undefined
}

/** The bays of a shop that are used at a time for a kind of booking, starting with `first`. */
export async function selectBays(
  db: Database,
  { shopId, kind, start, first }: { shopId: number; kind: BookingKind; start: Temporal.Instant; first: number },
): Promise<number[]> {
  const result = await sql<{ id: number }>`
    select shop_bay.id from shop_bay join shop on shop.id = shop_bay.shop_id
    where shop_id = ${shopId}::int and shop_bay.kind = ${kind === 'drop-off' ? 'drop-off' : 'bay'} and days @> ${dayAtShop(instant(start))}
    order by shop_bay.id <> ${first}::int, number`.execute(db)
  return result.rows.map((row) => row.id)
}

/** Returns the current booking of a cart or order. Prefers the held one, otherwise the newest. */
export async function selectBooking(
  db: Database,
  key: { bookingId: string } | { cartId: string } | { orderId: number },
): Promise<Booking | undefined> {
  const wanted =
    'bookingId' in key
      ? sql`booking.id = ${key.bookingId}::uuid`
      : 'cartId' in key
        ? sql`booking.cart_id = ${key.cartId}::uuid`
        : sql`booking.order_id = ${key.orderId}::bigint`
  const result = await sql<BookingRow>`
    select ${bookingColumns} from booking join shop on shop.id = booking.shop_id
    where ${wanted}
    order by booking.state = 'held' desc, booking.created_at desc
    limit 1`.execute(db)
  return result.rows[0] && toBooking(result.rows[0])
}

/** The note of the event by which this actor ended a hold; undefined if another one did. */
export async function selectEndNote(
  db: Database,
  { bookingId, actor }: { bookingId: string; actor: Actor },
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('booking_event')
    .select(['actor', 'note'])
    .where('booking_id', '=', bookingId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.actor === actor ? row.note : undefined
}

export type Holder = { heldBy: string; cartId: string; now: Temporal.Instant }

const accountOf = (cartId: string) => sql`(select account_id from cart where id = ${cartId}::uuid)`

/** Locks the visitor, then the network, so that their holds are counted and created one at a time. */
export async function lockHolder(tx: Database, { cartId, heldBy }: Holder): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0))
    from (values (1, ${accountOf(cartId)}::text), (2, ${heldBy})) as holder (place, key) where key is not null order by place`.execute(
    tx,
  )
}

/**
 * Counts the bays held by the visitor's other carts, and by other carts on the same network. A cart has one hold, so a
 * visitor with several is an account with several carts, or a staff member with carts of several callers.
 */
export async function countOtherHolds(
  tx: Database,
  { heldBy, cartId, now }: Holder,
): Promise<{ ofVisitor: number; ofNetwork: number }> {
  const others = sql`from booking join cart on cart.id = booking.cart_id
    where booking.state = 'held' and hold_expires_at > ${instant(now)} and cart_id <> ${cartId}::uuid`
  const result = await sql<{ ofVisitor: number; ofNetwork: number }>`
    select (select count(*) ${others} and (cart.account_id = ${accountOf(cartId)}
        or cart.for_caller and held_by = ${heldBy} and exists (select from cart where id = ${cartId}::uuid and for_caller)))::int as "ofVisitor",
      (select count(*) ${others} and held_by = ${heldBy})::int as "ofNetwork"`.execute(tx)
  return result.rows[0] ?? { ofVisitor: 0, ofNetwork: 0 }
}

/**
 * Holds a slot if the constraints allow it. `booking_bay_taken_once` decides, and the caller must roll back when this
 * returns false. The same statement releases the cart's earlier hold and any expired holds on this slot. `on conflict
 * do nothing` blocks on a competing insert without the deadlocks that two plain inserts into an exclusion constraint
 * can cause.
 */
export async function insertHold(tx: Database, hold: NewHold, change: Change): Promise<boolean> {
  const now = instant(change.now)
  const during = range(hold)
  const reach = range(vanReach(hold))
  const result = await sql`
    with gave_way as (
      update booking set state = case when hold_expires_at <= ${now} then 'expired' else 'canceled' end, hold_expires_at = null, held_by = null
      where state = 'held' and (cart_id = ${hold.cartId}::uuid or bay_id = ${hold.bayId}::int and during && ${reach} and hold_expires_at <= ${now})
      returning id, state),
    made as (
      insert into booking (id, shop_id, bay_id, kind, during, drop_off_window, drop_off_code, state, hold_expires_at, held_by, cart_id, created_at, stop_zip)
      select ${hold.id}::uuid, ${hold.shopId}::int, ${hold.bayId}::int, ${hold.kind}, ${during}, ${hold.dropOff?.window ?? null}::text, ${hold.dropOff?.code ?? null}::text,
        'held', ${instant(hold.expiresAt)}, ${hold.heldBy}::text, ${hold.cartId}::uuid, ${now}, ${hold.stopZip ?? null}::text
      -- Counting them first releases them first.
      from (select count(*) from gave_way) as cleared
      on conflict do nothing
      returning id),
    noted as (
      insert into booking_event (booking_id, at, from_state, to_state, actor, note)
      select id, ${now}, 'held', state, ${change.actor}, null from gave_way
      union all select id, ${now}, null, 'held', ${change.actor}, ${change.note ?? null}::text from made)
    select id from made`.execute(tx)
  return result.rows.length === 1
}

/** Holds a slot within a longer transaction, which continues unchanged if the bay is taken. */
export async function insertHoldOrUndo(tx: Tx, hold: NewHold, change: Change): Promise<boolean> {
  await sql`savepoint before_hold`.execute(tx)
  try {
    if (await insertHold(tx, hold, change)) return true
  } catch (error) {
    await sql`rollback to savepoint before_hold`.execute(tx)
    throw error
  }
  await sql`rollback to savepoint before_hold`.execute(tx)
  return false
}

/** Whether some bay of its shop is free for the time of a booking, ignoring this booking. */
export async function isStillFree(
  db: Database,
  booking: Pick<Booking, 'id' | 'shopId' | 'kind' | 'start' | 'end'>,
  now: Temporal.Instant,
): Promise<boolean> {
  const result = await sql<{ free: boolean }>`
    select exists (
      select from shop_bay bay join shop on shop.id = bay.shop_id and shop.active
      cross join lateral (
        select booking_misfit(there, ${instant(now)}, null) is null and not booking_crowds(there, ${instant(now)}) as fits
        from (select booking.* from booking where booking.id = ${booking.id}::uuid) as mine
        cross join lateral jsonb_populate_record(null::booking, to_jsonb(mine) || jsonb_build_object('bay_id', bay.id)) as there
      ) as capacity
      where capacity.fits and bay.shop_id = ${booking.shopId}::int and bay.kind = ${booking.kind === 'drop-off' ? 'drop-off' : 'bay'}
        and not exists (
          select from booking other where other.bay_id = bay.id and other.id <> ${booking.id}::uuid and other.during && ${range(booking)}
            and (other.state = 'confirmed' or other.state = 'held' and other.hold_expires_at > ${instant(now)}))
        and not exists (select from own_job where own_job.bay_id = bay.id and own_job.state = 'planned' and own_job.during && ${range(booking)})
    ) as free`.execute(db)
  return result.rows[0]?.free ?? false
}

/** Locks a confirmed booking in its original slot; false if it was moved or ended. */
export async function lockAtPlace(tx: Tx, booking: Pick<Booking, 'id' | 'bayId' | 'start' | 'end'>): Promise<boolean> {
  const { rows } = await sql`
    select id from booking where id = ${booking.id}::uuid and state = 'confirmed' and bay_id = ${booking.bayId}::int and during = ${range(booking)}
    for update`.execute(tx)
  return rows.length === 1
}

/** Changes the state if it is still `from`, and records who did it. Returns false if someone else changed it first. */
export async function updateState(
  db: Database,
  booking: { id: string; from: BookingState; to: BookingState; orderId?: number },
  change: Change,
): Promise<boolean> {
  const result = await sql`
    with changed as (
      update booking set state = ${booking.to}, hold_expires_at = null, held_by = null, order_id = coalesce(${booking.orderId ?? null}::bigint, order_id)
      where id = ${booking.id}::uuid and state = ${booking.from}
      returning id),
    noted as (${note(sql`select id, ${booking.from}, ${booking.to} from changed`, change)})
    select id from changed`.execute(db)
  return result.rows.length === 1
}

/**
 * Confirms the cart's hold and returns it if it meets the requirements: at this shop, not before the tires are ready,
 * long enough. Otherwise returns undefined without changes.
 */
export async function confirmHeld(
  db: Database,
  {
    cartId,
    orderId,
    requirements,
  }: { cartId: string; orderId: number; requirements: AppointmentRequirements | undefined },
  change: Change,
): Promise<Booking | undefined> {
  const enough = requirements
    ? sql`and shop_id = ${requirements.shopId}::int and lower(during) >= ${instant(requirements.readyAt)} and upper(during) - lower(during) >= ${requirements.minutes}::int * interval '1 minute'`
    : sql``
  const result = await sql<BookingRow>`
    with confirmed as (
      update booking set state = 'confirmed', hold_expires_at = null, held_by = null, order_id = ${orderId}::bigint
      from shop
      where shop.id = booking.shop_id and cart_id = ${cartId}::uuid and booking.state = 'held' and lower(during) > ${instant(change.now)} ${enough}
      returning ${bookingColumns}),
    noted as (${note(sql`select id, 'held', 'confirmed' from confirmed`, change)})
    select * from confirmed`.execute(db)
  return result.rows[0] && toBooking(result.rows[0])
}

/**
 * Moves a confirmed booking to another slot. Throws the violated constraint when that is taken. Returns false when the
 * booking is no longer confirmed. Moves into one bay run sequentially, because an update can't skip a conflict as "on
 * conflict" does for inserts, and two concurrent ones would deadlock.
 */
export async function updatePlace(db: Database, bookingId: string, place: Place, change: Change): Promise<boolean> {
  const during = range(place)
  const reach = range(vanReach(place))
  const now = instant(change.now)
  const result = await sql`
    with turn as (
      select id from shop_bay where id = ${place.bayId}::int for no key update),
    lapsed as (
      update booking set state = 'expired', hold_expires_at = null, held_by = null
      where state = 'held' and bay_id = (select id from turn) and during && ${reach} and hold_expires_at <= ${now}
      returning id),
    moved as (
      update booking set bay_id = (select id from turn), kind = ${place.kind}, during = ${during},
        drop_off_window = ${place.dropOff?.window ?? null}::text, drop_off_code = ${place.dropOff?.code ?? null}::text
      where id = ${bookingId}::uuid and state = 'confirmed' and (select count(*) from lapsed) >= 0
      returning id),
    noted as (${note(sql`select id, 'held', 'expired' from lapsed union all select id, 'confirmed', 'confirmed' from moved`, change)})
    select id from moved`.execute(db)
  return result.rows.length === 1
}

/** Ends a confirmed booking earlier. False when it is no longer confirmed, or would not be shorter. */
export async function updateEnd(
  db: Database,
  bookingId: string,
  end: Temporal.Instant,
  change: Change,
): Promise<boolean> {
  const result = await sql`
    with changed as (
      update booking set during = tstzrange(lower(during), ${instant(end)})
      where id = ${bookingId}::uuid and state = 'confirmed' and ${instant(end)} < upper(during) and lower(during) < ${instant(end)}
      returning id),
    noted as (${note(sql`select id, 'confirmed', 'confirmed' from changed`, change)})
    select id from changed`.execute(db)
  return result.rows.length === 1
}

/** The booking that a hold just written is. */
export function heldBooking(
  { id, shopId, bayId, kind, start, end, dropOff, cartId, expiresAt, stopZip }: NewHold,
  { timeZone, noticeMinutes }: Pick<Booking, 'timeZone' | 'noticeMinutes'>,
): Booking {
  return {
    id,
    shopId,
    bayId,
    kind,
    start,
    end,
    timeZone,
    dropOff,
    state: 'held',
    holdExpiresAt: expiresAt,
    holdExtensions: 0,
    cartId,
    orderId: null,
    noticeMinutes,
    changes: 0,
    stopZip: stopZip ?? null,
  }
}

/** Extends a hold to `until` if it is still held. Both are absolute, so that a duplicate request counts once. */
export async function updateHoldEnd(
  db: Database,
  bookingId: string,
  { until, extensions }: { until: Temporal.Instant; extensions: number },
): Promise<boolean> {
  const result = await db
    .updateTable('booking')
    .set({ hold_expires_at: until, hold_extensions: extensions })
    .where('id', '=', bookingId)
    .where('state', '=', 'held')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Transfers a cart's hold, if it has one, to another cart without one. */
export async function moveHold(tx: Tx, { from, into }: { from: string; into: string }): Promise<void> {
  await tx
    .updateTable('booking')
    .set({ cart_id: into })
    .where('cart_id', '=', from)
    .where('state', '=', 'held')
    .execute()
}

/** Marks up to `limit` expired holds, oldest first, skipping locked ones until the next run. Returns how many. */
export async function expireLapsed(db: Database, limit: number, change: Change): Promise<number> {
  const result = await sql`
    with lapsed as (
      select id from booking where state = 'held' and hold_expires_at <= ${instant(change.now)}
      order by hold_expires_at limit ${limit}::int for update skip locked),
    expired as (
      update booking set state = 'expired', hold_expires_at = null, held_by = null from lapsed where booking.id = lapsed.id returning booking.id),
    noted as (${note(sql`select id, 'held', 'expired' from expired`, change)})
    select id from expired`.execute(db)
  return result.rows.length
}

/** Records who changed what, for `transitions` of (booking, from, to). */
function note(transitions: RawBuilder<unknown>, { now, actor, memberId, note: text }: Change): RawBuilder<unknown> {
  return sql`
    insert into booking_event (booking_id, at, from_state, to_state, actor, member_id, note)
    select changed.booking_id, ${instant(now)}, changed.from_state, changed.to_state, ${actor}, ${memberId ?? null}::uuid, ${text ?? null}::text
    from (${transitions}) as changed (booking_id, from_state, to_state)`
}

/** A moment as a parameter. */
export function instant(at: Temporal.Instant): RawBuilder<unknown> {
  return sql`${at.toString()}::timestamptz`
}

/** A time from start until before end as a parameter. */
export function range({ start, end }: { start: Temporal.Instant; end: Temporal.Instant }): RawBuilder<unknown> {
  return sql`tstzrange(${instant(start)}, ${instant(end)})`
}
