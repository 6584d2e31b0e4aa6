/** Opening hours as compact rows, which merge consecutive days with the same hours. */
import type { OpeningHours } from '#domain/scheduling/installers/installers.ts'
import { minuteText } from '#platform/time-text.ts'

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** For example, ["Mon–Fri", "7:30 AM to 6:00 PM"], ["Sun", "Closed"]. Minutes are in the shop's time zone. */
export function openingWeekText(hours: readonly OpeningHours[]): [days: string, text: string][] {
  const spans: { from: number; to: number; text: string }[] = []
  for (const [index] of names.entries()) {
    const day = hours.find(({ weekday }) => weekday === index + 1)
    const text = day ? `${minuteText(day.opens)} to ${minuteText(day.closes)}` : 'Closed'
    const last = spans.at(-1)
    if (last?.text === text) last.to = index
    else spans.push({ from: index, to: index, text })
  }
  return spans.map(({ from, to, text }) => [from === to ? `${names[from]}` : `${names[from]}–${names[to]}`, text])
}
