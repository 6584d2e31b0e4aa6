/** The days on which a shop takes no new bookings. Safe in the browser. */
import { dayText } from '#platform/day-text.ts'

/** `from` inclusive and `until` exclusive; `until` is null without a last day. */
export type PauseDays = { from: string; until: string | null }

/** "from Mon, Nov 30 through Sat, Dec 5" or "starting Mon, Nov 30". */
export function pauseDaysText({ from, until }: PauseDays): string {
  const first = dayText(Temporal.PlainDate.from(from))
  if (until === null) return `starting ${first}`
  return `from ${first} through ${dayText(Temporal.PlainDate.from(until).subtract({ days: 1 }))}`
}
