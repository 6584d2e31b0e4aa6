/** A form's hours by weekday, with two fields per day. A day with both fields empty is closed. Safe in the browser. */
import type { z } from 'zod'
import { compactClock } from './time-text.ts'

/** Local times as 'HH:MM'; `weekday` from 1, Monday, to 7. */
export type DayHours = { weekday: number; opens: string; closes: string }

/** The weekdays with the names of their two fields; 1 is Monday. */
export const hoursFields = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (day, index) => ({ weekday: index + 1, day, opens: `opens-${index + 1}`, closes: `closes-${index + 1}` }),
)

/** Reads the open days, in order. Adds to `issues` at the first field of a day that isn't two times in order. */
export function readWeek(
  typed: Readonly<Record<string, unknown>>,
  issues?: Pick<z.core.$RefinementCtx, 'addIssue'>,
): DayHours[] {
  const textOf = (name: string) => {
    const text = typed[name]
    return typeof text === 'string' ? text.trim() : ''
  }
  return hoursFields.flatMap(({ weekday, opens, closes }) => {
    const span = { opens: textOf(opens), closes: textOf(closes) }
    if (span.opens === '' && span.closes === '') return []
    if (!isSpan(span)) issues?.addIssue({ code: 'custom', path: [opens], message: notASpan })
    return [{ weekday, ...span }]
  })
}

/** Returns the values of the fields for these hours. */
export function weekValues(week: readonly DayHours[]): Record<string, string> {
  return Object.fromEntries(
    week.flatMap(({ weekday, opens, closes }) => [
      [`opens-${weekday}`, opens],
      [`closes-${weekday}`, closes],
    ]),
  )
}

/** Short names by weekday. */
export const dayNames = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** "Mon–Fri 8am–7pm", "Sat 9am–5pm". Groups consecutive days with the same hours. */
export function weekSpans(week: readonly DayHours[]): string[] {
  const runs: { from: number; to: number; opens: string; closes: string }[] = []
  for (const { weekday, opens, closes } of week) {
    const last = runs.at(-1)
    if (last && last.to === weekday - 1 && last.opens === opens && last.closes === closes) last.to = weekday
    else runs.push({ from: weekday, to: weekday, opens, closes })
  }
  return runs.map(({ from, to, opens, closes }) => {
    const days = [...new Set([from, to])].map((day) => dayNames[day]).join('–')
    return `${days} ${compactClock(opens)}–${compactClock(closes)}`
  })
}

/** "Fri 12pm, Sat 9:30am": times by weekday from Monday, without those that are null. */
export function dayTimesText(times: readonly (string | null)[]): string {
  return times
    .flatMap((time, index) => (time === null ? [] : [`${dayNames[index + 1]} ${compactClock(time)}`]))
    .join(', ')
}

/** Whether these are two times of day, the first before the second. */
export function isSpan({ opens, closes }: Pick<DayHours, 'opens' | 'closes'>): boolean {
  return [opens, closes].every((time) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) && opens < closes
}

const notASpan = 'Enter when it opens and, later, closes. Leave both empty for a closed day.'
