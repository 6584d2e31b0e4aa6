import { minuteText } from '#platform/time-text.ts'
import { weekSpans, type DayHours } from '#platform/week-hours.ts'

/** "Mon–Fri 8am–5:30pm, Sat 9am–1pm CST"; "No pickup" without a day. */
export function counterHoursText(hours: readonly DayHours[], zone: string): string {
  return hours.length === 0 ? 'No pickup' : `${weekSpans(hours).join(', ')} ${zone}`
}

/** "4:00 PM" for "16:00"; empty for an empty text. */
export function wallClockText(time: string): string {
  if (time === '') return ''
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return minuteText(hours * 60 + minutes)
}
