import { countOf, countText } from '#platform/count-text.ts'
import { Star } from '#app/ui/icon.tsx'

/** One star, the mean and the number of reviews. */
export function Rating({ hundredths, count }: { hundredths: number; count?: number }) {
  const mean = (hundredths / 100).toFixed(1)
  return (
    <span
      className="stars tabular"
      role="img"
      aria-label={count === undefined ? `${mean} of 5` : `${mean} of 5 from ${countOf(count, 'review')}`}
    >
      <Star />
      {mean} {count === undefined ? null : <span className="muted rating-count">({countText(count)})</span>}
    </span>
  )
}
