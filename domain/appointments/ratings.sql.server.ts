/** The statements for ratings of shops. */
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
