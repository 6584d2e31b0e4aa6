import { countText } from '#app/ui/count-text.ts'
import { Rating } from '#app/ui/tire-facts.tsx'
import type { ProductView, ReviewsView, ScoreView } from './product-view.ts'

/** What owners say, and the sum behind the score. */
export function ProductReviews({ reviews, score, store }: Pick<ProductView, 'reviews' | 'score' | 'store'>) {
  return (
    <section className="product-section" id="reviews" aria-labelledby="reviews-title">
      <h2 id="reviews-title">Reviews</h2>
      {reviews ? (
        <div className="review-columns">
          <ReviewSums reviews={reviews} score={score} store={store} />
          <div>
            {reviews.first.map((review) => (
              <article key={review.id} className="owner-review">
                <div className="row">
                  <Rating hundredths={review.hundredths} />
                  <h3>{review.summary}</h3>
                </div>
                <p>{review.comments}</p>
                <p className="small muted tabular">{review.about}</p>
              </article>
            ))}
          </div>
        </div>
      ) : (
        <p className="muted">Nobody has reviewed this tire yet.</p>
      )}
    </section>
  )
}

function ReviewSums({ reviews, score, store }: { reviews: ReviewsView; score: ScoreView | null; store: string }) {
  const count = countText(reviews.count)
  return (
    <div>
      <p className="row review-mean tabular">
        <b>{reviews.mean}</b>
        <span className="small muted">
          of 5, from {count} {reviews.count === 1 ? 'owner' : 'owners'}
          <br />
          {reviews.buyAgainPercent}% would buy again
        </span>
      </p>
      <ul className="histogram tabular" aria-label="Reviews by stars">
        {reviews.histogram.map(({ stars, count: of, width }) => (
          <li key={stars}>
            <span>
              {stars}
              <span className="visually-hidden"> {stars === 1 ? 'star' : 'stars'}: </span>
            </span>
            <i aria-hidden="true">
              <b style={{ width: `${width}%` }} />
            </i>
            <span>{countText(of)}</span>
          </li>
        ))}
      </ul>
      <dl className="attributes tabular">
        {reviews.attributes.map(({ name, mean }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{mean}</dd>
          </div>
        ))}
      </dl>
      {score ? (
        <details className="score-sum small">
          <summary>How the {store} score comes about</summary>
          <ul className="tabular">
            {score.parts.map(({ name, points, weight }) => (
              <li key={name}>
                {name}: {points} of 10, counts {weight} parts
              </li>
            ))}
            <li>
              Together <b>{(score.tenths / 10).toFixed(1)}</b>
            </li>
          </ul>
        </details>
      ) : null}
    </div>
  )
}
