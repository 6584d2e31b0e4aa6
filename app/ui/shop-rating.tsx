import { Rating } from './rating.tsx'

/** A shop's rating, in hundredths of a star, and its on-time rate, or the text for no ratings. */
export function ShopRating({
  shop: { rating, ratingCount, onTime },
}: {
  shop: { rating: number | null; ratingCount: number; onTime: number | null }
}) {
  return (
    <>
      {rating === null ? <span>New: no ratings yet</span> : <Rating hundredths={rating} count={ratingCount} />}
      {onTime === null ? null : <span>On time {onTime}%</span>}
    </>
  )
}
