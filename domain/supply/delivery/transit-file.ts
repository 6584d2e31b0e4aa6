/** The file of transit days by ZIP prefix that staff export, edit, and import. Safe in the browser. */
import { countOf } from '#platform/count-text.ts'

export const maxTransitFileBytes = 64 * 1024
/** There are a thousand prefixes of three digits. */
export const maxTransitFileRows = 1_000
export const transitFileLimits = `up to ${countOf(maxTransitFileRows, 'row')} and ${maxTransitFileBytes / 1024} kB`

/** The columns of the file, both required. */
export const transitColumns = { prefix: 'ZIP prefix', days: 'Transit days' } as const

/** Returns the days in transit to a ZIP code that a file set, or undefined. `byPrefix` has the first three digits. */
export function transitDaysOfZip(
  byPrefix: Readonly<Record<string, number>> | null | undefined,
  zip: string | undefined,
): number | undefined {
  return zip === undefined ? undefined : byPrefix?.[zip.slice(0, 3)]
}
