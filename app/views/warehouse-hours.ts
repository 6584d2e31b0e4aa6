import { minuteText } from '#platform/time-text.ts'

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/**
 * "Mon–Fri 8:00 AM to 5:30 PM CST, Sat 9:00 AM to 1:00 PM CST"; "No pickup" without a day. Neighboring days with the
 * same hours are one span.
 */
export function counterHoursText(
  hours: readonly { weekday: number; opens: string; closes: string }[],
  zone: string,
): string {
  const spans: { from: number; to: number; opens: string; closes: string }[] = []
  for (const { weekday, opens, closes } of hours) {
    const last = spans.at(-1)
    if (last && last.to === weekday - 1 && last.opens === opens && last.closes === closes) last.to = weekday
    else spans.push({ from: weekday, to: weekday, opens, closes })
  }
  if (spans.length === 0) return 'No pickup'
  return spans
    .map(({ from, to, opens, closes }) => {
      const days = from === to ? names[from - 1] : `${names[from - 1]}–${names[to - 1]}`
      return `${days} ${wallClockText(opens)} to ${wallClockText(closes)} ${zone}`
    })
    .join(', ')
}

/** "4:00 PM" for "16:00". */
export function wallClockText(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return minuteText(hours * 60 + minutes)
}
