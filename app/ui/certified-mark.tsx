import { serverPaths } from '#content/server-paths.ts'

/** The badge for a shop certified for repairs, with its requirements. */
export function CertifiedMark() {
  return (
    <span>
      <a href={serverPaths.repairPal()}>Certified repair</a>
    </span>
  )
}
