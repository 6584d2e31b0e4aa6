import type { ReactNode } from 'react'
import { countOf, countText, pluralForm } from '#platform/count-text.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { RankedLine, ReviewSumsView, ReviewView } from '#app/ui/review-data.ts'
import { Rating } from '#app/ui/rating.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'

/**
 * A line's mean, histogram and attributes. Each bar of the histogram links to its reviews; `chosen` is the number of
 * stars filtered by.
 */
export function ReviewSums({ sums, chosen = null }: { sums: ReviewSumsView; chosen?: number | null }) {
  const { mean, count, buyAgainPercent, histogram, attributes } = sums
  return (
    <>
      <p className="row review-mean tabular">
        <b>{mean}</b>
        <span className="small muted">
          of 5, from {countOf(count, 'owner')}
          <br />
          {buyAgainPercent}% would buy again
        </span>
      </p>
      <ul className="histogram tabular" aria-label="Reviews by stars">
        {histogram.map(({ stars, count: of, width, path }) => (
          <li key={stars}>
            <a href={path} aria-current={stars === chosen ? 'true' : undefined}>
              <span>
                {stars}
                <span className="visually-hidden"> {pluralForm(stars, 'star', 'stars')}: </span>
              </span>
              <i aria-hidden="true">
                <b style={{ width: `${width}%` }} />
              </i>
              <span>{countText(of)}</span>
            </a>
          </li>
        ))}
      </ul>
      <dl className="attributes tabular">
        {attributes.map(({ name, mean: of, width }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <i aria-hidden="true">
                <b style={{ width: `${width}%` }} />
              </i>
              {of}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** One review. `children`, such as the vote, are rendered below it. A page that may show it twice does not label it. */
export function ReviewArticle({
  review,
  isNamed = true,
  children,
}: {
  review: ReviewView
  isNamed?: boolean
  children?: ReactNode
}) {
  const { tire } = review
  return (
    <article className="owner-review" id={isNamed ? `review-${review.id}` : undefined}>
      {tire ? (
        <p className="small">
          <a href={tire.path}>{tire.name}</a>
        </p>
      ) : null}
      <div className="row review-title">
        <Rating hundredths={review.hundredths} />
        <h3>{review.summary}</h3>
      </div>
      <p className="review-words">{review.comments}</p>
      <ul className="review-ratings small tabular" aria-label="Rated">
        {review.ratings.map(({ name, stars }) => (
          <li key={name}>
            {name} <b>{stars}</b>
          </li>
        ))}
        <li>{review.buysAgain ? 'Would buy again' : 'Would not buy again'}</li>
      </ul>
      <p className="small muted tabular review-about">
        {review.isVerified ? (
          <span className="tag tone-go">
            <Icon name="check" size="tiny" />
            Verified buyer
          </span>
        ) : null}
        {review.isSample ? <span className="tag">Sample review</span> : null}
        <span>
          {review.about} · <time dateTime={review.date}>{review.day}</time>
        </span>
      </p>
      {children}
    </article>
  )
}

/** Lines from best to worst, each with the figures behind its rank. */
export function Ranking({ lines }: { lines: readonly RankedLine[] }) {
  return (
    <ol className="ranking panel tabular">
      {lines.map(({ place, name, kind, path, picture, hundredths, count, buyAgainPercent, ranking }) => (
        <li key={path}>
          <span className="ranking-place">{place}</span>
          <TirePicture picture={picture} alt="" size={64} eager={place <= 4} />
          <div>
            <a className="strong" href={path}>
              {name}
            </a>
            <p className="small muted">{kind}</p>
          </div>
          <p className="ranking-facts small">
            <Rating hundredths={hundredths} count={count} />
            <span className="muted">{buyAgainPercent}% would buy again</span>
            <span className="muted">ranked by {ranking}</span>
          </p>
        </li>
      ))}
    </ol>
  )
}
