/**
 * Models are ranked by a Bayesian average. Eight imaginary reviews of 3.6 stars, as in the tire score, are added to the
 * real ones. The database stores the same value in `line_rating.ranking`, so that an index returns the best models.
 */
export const imaginedReviews = { count: 8, hundredths: 360 } as const

/**
 * Returns the ranking mean of a line, in hundredths of a star, unrounded. `meanHundredths` is the plain mean of its
 * `count` reviews.
 */
export function rankingMean(count: number, meanHundredths: number): number {
  return (count * meanHundredths + imaginedReviews.count * imaginedReviews.hundredths) / (count + imaginedReviews.count)
}
