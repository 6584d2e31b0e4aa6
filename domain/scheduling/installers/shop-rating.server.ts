/** A shop's stars, number of ratings, and on-time rate in the directory. */
import { sql } from 'kysely'
import type { Tx } from '#platform/db.ts'

/** Adds a rating, which locks the shop's row. Sums are stored next to the rounded numbers. */
export async function addShopRating(
  tx: Tx,
  shopId: number,
  { stars, wasOnTime }: { stars: number; wasOnTime: boolean },
): Promise<void> {
  const tenths = stars * 10
  const onTime = wasOnTime ? 1 : 0
  await sql`
    update shop set
      star_tenths_sum = coalesce(star_tenths_sum, rating_tenths * rating_count, 0) + ${tenths}::int,
      on_time_count = coalesce(on_time_count, round(on_time_percent * rating_count / 100.0)::int, 0) + ${onTime}::int,
      rating_count = rating_count + 1,
      rating_tenths = round((coalesce(star_tenths_sum, rating_tenths * rating_count, 0) + ${tenths}::int)::numeric / (rating_count + 1)),
      on_time_percent = round(100.0 * (coalesce(on_time_count, round(on_time_percent * rating_count / 100.0)::int, 0) + ${onTime}::int) / (rating_count + 1))
    where id = ${shopId}::int`.execute(tx)
}
