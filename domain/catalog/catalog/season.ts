/** Whether a shopper's home is cold enough for winter tires. */
import { coldStates } from './cold-states.ts'

/** `winter` is a month with an average below 45 °F, in a state with a coldest-month average below freezing. */
export type Season = 'winter' | 'other'

/**
 * Summer tires are not meant for about 45 °F (7 °C) or less, by the owner's manuals of cars that come with them, such as
 * Ford's; °F.
 */
const summerTireLimit = 45

/** The months below the limit, by the first three digits of a ZIP code. */
const coldMonths: ReadonlyMap<string, ReadonlySet<number>> = new Map(
  Object.values(coldStates).flatMap(([zips, ...temperatures]) => {
    const months = new Set(temperatures.flatMap((average, index) => (average < summerTireLimit ? [index + 1] : [])))
    return prefixesOf(zips).map((prefix) => [prefix, months] as const)
  }),
)

/** Returns the season at a ZIP on a date; `other` while the ZIP is not known. */
export function seasonAt(zip: string | null | undefined, date: Pick<Temporal.PlainDate, 'month'>): Season {
  return coldMonths.get(zip?.slice(0, 3) ?? '')?.has(date.month) ? 'winter' : 'other'
}

/** "005 100-102" → 005, 100, 101, 102 */
function prefixesOf(zips: string): string[] {
  return zips.split(' ').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number) as [number, number?]
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index).padStart(3, '0'))
  })
}
