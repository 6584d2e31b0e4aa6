import { paths } from '#content/paths.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { ReviewArticle, ReviewSums } from '#app/ui/reviews.tsx'
import type { DrawnView, ScoreView } from './product-view.ts'

/** Owners' reviews, and how the score is calculated. */
export function ProductReviews({ reviews, score, store }: Pick<DrawnView, 'reviews' | 'score' | 'store'>) {
  const { sums, first, all, mine, write } = reviews
  return (
    <section className="product-section" id="reviews" aria-labelledby="reviews-title">
      <h2 id="reviews-title">Reviews</h2>
      {sums ? (
        <div className="review-columns">
          <div>
            <ReviewSums sums={sums} />
            {score ? <ScoreSum score={score} store={store} /> : null}
          </div>
          <div>
            {first.map((review) => (
              <ReviewArticle key={review.id} review={review} />
            ))}
            <p className="row review-links">
              <a className="btn quiet" href={all}>
                Read all {countText(sums.count)}
              </a>
              {mine ? (
                <a className="btn quiet" href={mine.path}>
                  {mine.label}
                </a>
              ) : null}
              <a className="btn quiet" href={write}>
                Write a review
              </a>
            </p>
          </div>
        </div>
      ) : (
        <p className="row review-links">
          <span className="muted">No reviews for this tire yet.</span>
          <a className="btn quiet" href={write}>
            Write the first review
          </a>
        </p>
      )}
    </section>
  )
}

function ScoreSum({ score, store }: { score: ScoreView; store: string }) {
  return (
    <details className="score-sum small">
      <summary>How the {store} score is calculated</summary>
      <ul className="tabular" id="score-parts">
        {score.parts.map(({ name, points, weight }) => (
          <li key={name}>
            {name}: {points} of 10, {countOf(weight, 'part')}
          </li>
        ))}
        <li>
          Together <b>{(score.tenths / 10).toFixed(1)}</b>
        </li>
      </ul>
      <a href={paths.tireScore()}>The whole calculation</a>
    </details>
  )
}
