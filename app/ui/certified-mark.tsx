import { paths } from '#content/paths.ts'

/** The mark of a shop that is certified for repairs, with what that asks. */
export function CertifiedMark() {
  return (
    <span>
      <a href={paths.repairPal()}>Certified repair</a>
    </span>
  )
}
