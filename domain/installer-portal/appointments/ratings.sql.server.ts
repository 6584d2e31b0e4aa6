/** The statements for ratings of shops. */
import { sql, type RawBuilder } from 'kysely'
import { bookingIdsOf } from '#domain/scheduling/booking/booking.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { RatingInput } from './appointments.ts'

/** Whether an appointment was rated. */
export async function selectRating(db: Database, bookingId: string): Promise<boolean> {
  const row = await db
    .selectFrom('shop_rating')
    .select('booking_id')
    .where('booking_id', '=', bookingId)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a shop's ratings from a moment on, and those in which the shop was on time. */
export async function countOnTime(
  db: Database,
  { shopId, from }: { shopId: number; from: Temporal.Instant },
): Promise<{ rated: number; onTime: number }> {
  const { rows } = await sql<{ rated: number; onTime: number }>`
    select count(*)::int as rated, count(*) filter (where was_on_time)::int as "onTime" from shop_rating
    where shop_id = ${shopId}::int and rated_at >= ${from.toString()}::timestamptz`.execute(db)
  return rows[0] ?? { rated: 0, onTime: 0 }
}

/** Writes a rating down. */
export async function insertRating(
  tx: Tx,
  rating: RatingInput & { bookingId: string; shopId: number; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('shop_rating')
    .values({
      booking_id: rating.bookingId,
      shop_id: rating.shopId,
      stars: rating.stars,
      was_on_time: rating.wasOnTime,
      came_back: rating.cameBack,
      rated_at: rating.at,
    })
    .execute()
}

/** Exports shop ratings for these orders, as plain data for JSON. */
export async function exportRatings(db: Database, orderIds: readonly number[]): Promise<object[]> {
  const bookingIds = await bookingIdsOf(db, orderIds)
  if (bookingIds.length === 0) return []
  const rows = await db.selectFrom('shop_rating').selectAll().where('booking_id', 'in', bookingIds).execute()
  return rows.map((rating) => ({
    stars: rating.stars,
    wasOnTime: rating.was_on_time,
    cameBack: rating.came_back,
    ratedAt: rating.rated_at.toString(),
  }))
}

/** Rows of ratings given from `from` until `until`, with `booking_id`, `shop_id`, `stars` and `was_on_time`. */
export function ratingRows({ from, until }: { from: Temporal.Instant; until: Temporal.Instant }): RawBuilder<unknown> {
  return sql`
    select booking_id, shop_id, stars, was_on_time, rated_at from shop_rating
    where rated_at >= ${from.toString()}::timestamptz and rated_at < ${until.toString()}::timestamptz`
}
