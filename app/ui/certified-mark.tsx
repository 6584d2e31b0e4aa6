import { serverPaths } from '#content/server-paths.ts'

/** The mark of a shop that is certified for repairs, with what that asks. */
export function CertifiedMark() {
  return (
    <span>
      <a href={serverPaths.repairPal()}>Certified repair</a>
    </span>
  )
}
