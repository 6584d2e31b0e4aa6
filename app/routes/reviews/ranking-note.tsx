import { paths } from '#content/paths.ts'

/** How a ranking is calculated, shown below each one. */
export function RankingNote() {
  return (
    <p className="small muted review-note">
      Ranked by the mean with eight imagined reviews of 3.6 stars added, so that three glowing reviews do not beat three
      hundred good ones. <a href={`${paths.tireReviews('rules')}#numbers`}>The sum</a>
    </p>
  )
}
