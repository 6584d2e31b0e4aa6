import { paths } from '#content/paths.ts'
import { knownAccountDays } from '#domain/aftercare/reviews/reviews.ts'
import { countOf } from '#platform/count-text.ts'

export type RulesView = { rules: readonly string[]; imagined: number; stars: string }

/** Renders the public review rules of docs/rules/reviews.md for readers and reviewers. */
export function ReviewRules({ rules, imagined, stars }: RulesView) {
  return (
    <div className="review-rules">
      <section aria-labelledby="who">
        <h2 id="who">Who writes</h2>
        <p>
          Anyone who has driven on the tires, bought here or elsewhere, can write one review per tire. We don’t offer
          incentives for reviews, neither for good ones nor for any. Your email is not shown; we use it to tell you what
          became of the review.
        </p>
      </section>
      <section aria-labelledby="shown">
        <h2 id="shown">Which reviews we publish</h2>
        <p>Every review that follows these rules, whatever its rating:</p>
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        <p>
          Someone on our team reads every review before it is shown, and publishes it or emails the writer which of the
          rules it breaks. They do not see the stars. A review is published immediately if a verified buyer wrote it,
          signed in to an account that is at least {countOf(knownAccountDays, 'day')} old, and a program that looks for
          links, phone numbers and emails, swearing, and text in capitals found no problems.
        </p>
      </section>
      <section aria-labelledby="verified">
        <h2 id="verified">Verified buyer</h2>
        <p>
          The mark means that we delivered an order with this tire and that the writer verified it’s theirs: from the
          link in our email, in the browser that placed it, or by its number and email. One order verifies one review of
          a tire. A review without the mark may be just as true.
        </p>
      </section>
      <section aria-labelledby="numbers">
        <h2 id="numbers">The numbers</h2>
        <p>
          A review’s stars are the average of its ratings for dry and wet grip, snow, comfort, quiet, wear. The stars of
          a tire are the mean of its reviews, with no exclusions. Tires are ranked by
        </p>
        <p className="review-formula tabular">
          ({imagined} × {stars} + reviews × mean) ÷ ({imagined} + reviews)
        </p>
        <p>
          So five stars from 3 reviews rank as {rankedBy(imagined, Number(stars), 3, 5)}, and 4.6 stars from 300 as{' '}
          {rankedBy(imagined, Number(stars), 300, 4.6)}.
        </p>
      </section>
      <section aria-labelledby="helpful-votes">
        <h2 id="helpful-votes">Helpful</h2>
        <p>One vote per visitor and review, which you can take back. Votes only affect sort order.</p>
      </section>
      <p>
        Something wrong with a review? Call us and tell us which one. <a href={paths.tireReviews()}>To the reviews</a>
      </p>
    </div>
  )
}

function rankedBy(imagined: number, stars: number, reviews: number, mean: number): string {
  return ((imagined * stars + reviews * mean) / (imagined + reviews)).toFixed(2)
}
