/**
 * Lines are ranked by a mean that few reviews cannot carry far: eight imagined reviews of 3.6 stars, the ones the tire
 * score uses, are added to those written. The database keeps the same sum in `line_rating.ranking`, so that the best
 * can be read off an index.
 */
export const imaginedReviews = { count: 8, hundredths: 360 } as const

/**
 * The mean by which a line is ranked, in hundredths of a star, unrounded. `meanHundredths` is the plain mean of its
 * `count` reviews.
 */
export function rankingMean(count: number, meanHundredths: number): number {
  return (count * meanHundredths + imaginedReviews.count * imaginedReviews.hundredths) / (count + imaginedReviews.count)
}
