/** Links to the next page of reviews and back to the first. */
export function ReviewPager({ next, first }: { next: string | null; first: string | null }) {
  return (
    <p className="row review-links">
      {next ? (
        <a className="btn quiet" href={next} rel="next">
          More reviews
        </a>
      ) : null}
      {first ? (
        <a className="btn quiet" href={first}>
          Back to the first
        </a>
      ) : null}
    </p>
  )
}
