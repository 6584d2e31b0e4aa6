/** The towns of a mobile installer's service area, as the portal and the back office list them. */
import { countOf } from '#platform/count-text.ts'

const townsShown = 12

/** "Chicago, IL" with "12 ZIPs", the first of those with the most. */
export function townsOf(zips: readonly { city: string; state: string }[]): [town: string, count: string][] {
  const counts = Map.groupBy(zips, ({ city, state }) => `${city}, ${state}`)
  return [...counts]
    .toSorted(([one, those], [other, these]) => these.length - those.length || one.localeCompare(other))
    .slice(0, townsShown)
    .map(([town, { length }]) => [town, countOf(length, 'ZIP')])
}
