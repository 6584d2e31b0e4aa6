/**
 * Lines are ranked by a mean that few reviews cannot move far: eight imaginary reviews of 3.6 stars, the same as in the
 * tire score, are added to the real ones. The database stores the same value in `line_rating.ranking`, so that an index
 * gives the best lines.
 */
export const imaginedReviews = { count: 8, hundredths: 360 } as const

/**
 * Returns the ranking mean of a line, in hundredths of a star, unrounded. `meanHundredths` is the plain mean of its
 * `count` reviews.
 */
export function rankingMean(count: number, meanHundredths: number): number {
  return (count * meanHundredths + imaginedReviews.count * imaginedReviews.hundredths) / (count + imaginedReviews.count)
}
