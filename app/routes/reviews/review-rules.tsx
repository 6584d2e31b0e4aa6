import { paths } from '#content/paths.ts'
import { knownAccountDays } from '#domain/reviews/reviews.ts'
import { countOf } from '#platform/count-text.ts'

export type RulesView = { rules: readonly string[]; imagined: number; stars: string }

/** Renders the public review rules of docs/rules/reviews.md for readers and reviewers. */
export function ReviewRules({ rules, imagined, stars }: RulesView) {
  return (
    <div className="review-rules">
      <section aria-labelledby="who">
        <h2 id="who">Who writes</h2>
        <p>
          Whoever drives on the tires, bought here or elsewhere, once per tire. We give nothing for a review, neither
          for good ones nor for any. Your email is not shown; we use it to tell you what became of the review.
        </p>
      </section>
      <section aria-labelledby="shown">
        <h2 id="shown">What is shown</h2>
        <p>Every review that keeps these rules, whatever its stars:</p>
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        <p>
          Someone on our team reads every review before it is shown, and publishes it or tells the writer which of the
          rules it breaks. They do not see the stars. One kind is published at once: a verified buyer wrote it, signed
          in to an account that is at least {countOf(knownAccountDays, 'day')} old, and a program that looks for links,
          phone numbers and emails, swearing, and text in capitals found none of these.
        </p>
      </section>
      <section aria-labelledby="verified">
        <h2 id="verified">Verified buyer</h2>
        <p>
          The mark means that an order of ours with this tire was delivered, and that the writer showed it to be theirs:
          from the link in our email, in the browser that placed it, or by its number and email. One order verifies one
          review of a tire. A review without the mark may be just as true.
        </p>
      </section>
      <section aria-labelledby="numbers">
        <h2 id="numbers">The numbers</h2>
        <p>
          The stars of a review are the mean of what it rates: dry and wet grip, snow, comfort, quiet, wear. The stars
          of a tire are the mean of its reviews, none left out. Tires are ranked by
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
        <p>
          One vote per visitor and review, which you can take back. It orders the lists and counts for nothing else.
        </p>
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
