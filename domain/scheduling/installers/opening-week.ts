/** A week of opening hours as entered, with the fields `opens-1` and `closes-1` for Monday, and so on. */
import { z } from 'zod'
import type { OpeningHours } from './installers.ts'

export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** "Closed: Thanksgiving Day" or "Closed for vacation", by the reason for a blackout day. */
export function closedText(reason: string): string {
  return reason.startsWith('Closed') ? reason : `Closed: ${reason}`
}

/** The times a shop may open or close at, in minutes after midnight: every half hour from 5 AM to 11 PM. */
export const openingTimes: readonly number[] = Array.from({ length: 37 }, (_, index) => 300 + index * 30)

/** The fields of a week. */
export const weekFields: readonly string[] = weekdayNames.flatMap((_, index) => [
  `opens-${index + 1}`,
  `closes-${index + 1}`,
])

/** The days of a week among the fields of a form. */
export function typedWeek(fields: Readonly<Record<string, string | undefined>>) {
  return weekdayNames.map((_, index) => ({
    weekday: index + 1,
    opens: fields[`opens-${index + 1}`] ?? '',
    closes: fields[`closes-${index + 1}`] ?? '',
  }))
}

/** The values of the fields for these hours. */
export function weekValues(hours: readonly OpeningHours[]): Record<string, string> {
  return Object.fromEntries(
    hours.flatMap(({ weekday, opens, closes }) => [
      [`opens-${weekday}`, String(opens)],
      [`closes-${weekday}`, String(closes)],
    ]),
  )
}

/** Reads what `typedWeek` returns. Days without times are closed; `noHours` refuses a week without an open day. */
export function weekOfHours(noHours: string) {
  const typedDay = z.object({ weekday: z.number(), opens: z.string(), closes: z.string() })
  return z.array(typedDay).transform((days, issue): OpeningHours[] => {
    const refuse = (message: string) => {
      issue.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const read: OpeningHours[] = []
    for (const { weekday, opens, closes } of days) {
      if (opens === '' && closes === '') continue
      const [from, to] = [Number(opens || Number.NaN), Number(closes || Number.NaN)]
      const day = weekdayNames[weekday - 1]
      if (!openingTimes.includes(from) || !openingTimes.includes(to))
        return refuse(`${day}: choose when you open and when you close`)
      if (from >= to) return refuse(`${day}: closing time has to be after opening time`)
      read.push({ weekday, opens: from, closes: to })
    }
    return read.length > 0 ? read : refuse(noHours)
  })
}

/** A form with only a week of hours. */
export function openingWeek(noHours: string) {
  return z.preprocess(
    (fields) => ({ hours: typedWeek(fields as Record<string, string | undefined>) }),
    z.object({ hours: weekOfHours(noHours) }),
  )
}
