import { Rating } from './rating.tsx'

/** What shoppers said of a shop, in hundredths of a star, and how often it was on time; or that nobody has rated it. */
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
