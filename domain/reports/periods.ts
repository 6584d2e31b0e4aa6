/** The days that reports are about, and those they are compared with. */
import { monthDayText } from '#platform/day-text.ts'

export const comparisons = ['year', 'month', 'nothing'] as const
/** What a period is compared with: the same days a year before, the month or as many days right before, or nothing. */
export type Comparison = (typeof comparisons)[number]

/** Days, both included. */
export type Period = { from: Temporal.PlainDate; to: Temporal.PlainDate }

/** The parts of a period that its tables show: weeks, or months where that would be too many weeks. */
export type Bins = { unit: 'Week' | 'Month'; bins: { label: string; from: string; to: string }[] }

/** Longer periods are shown by month. */
const mostDaysByWeek = 92

/** The weeks of a period, Sunday to Saturday, or its months, cut off at its ends. */
export function binsOf(period: Period): Bins {
  const unit = lengthOf(period) > mostDaysByWeek ? 'Month' : 'Week'
  const bins: Bins['bins'] = []
  for (let from = period.from; Temporal.PlainDate.compare(from, period.to) <= 0;) {
    const end = unit === 'Week' ? from.add({ days: 6 - (from.dayOfWeek % 7) }) : from.with({ day: from.daysInMonth })
    const to = Temporal.PlainDate.compare(end, period.to) > 0 ? period.to : end
    const label =
      unit === 'Week' ? daysText(from, to) : from.toLocaleString('en-US', { month: 'short', year: 'numeric' })
    bins.push({ label, from: from.toString(), to: to.toString() })
    from = to.add({ days: 1 })
  }
  return { unit, bins }
}

/** "Oct 4–10", "Oct 28–Nov 3" or "Oct 4" */
function daysText(from: Temporal.PlainDate, to: Temporal.PlainDate): string {
  if (from.equals(to)) return monthDayText(from)
  return `${monthDayText(from)}–${from.month === to.month ? to.day : monthDayText(to)}`
}

/** How many days a period has. */
export function lengthOf({ from, to }: Period): number {
  return from.until(to).days + 1
}

export function daysOfMonth(month: Temporal.PlainYearMonth): Period {
  return { from: month.toPlainDate({ day: 1 }), to: month.toPlainDate({ day: month.daysInMonth }) }
}

/** The month that a period is; null for other days. */
export function monthOf({ from, to }: Period): Temporal.PlainYearMonth | null {
  return from.day === 1 && to.equals(from.with({ day: from.daysInMonth })) ? from.toPlainYearMonth() : null
}

/** The period that another is compared with, and to which day of that one each of its days counts; null for none. */
export function comparedWith(
  period: Period,
  comparison: Comparison,
): { period: Period; counterpart(day: string): string } | null {
  if (comparison === 'nothing') return null
  const month = monthOf(period)
  if (month) {
    const other = month.subtract(comparison === 'year' ? { years: 1 } : { months: 1 })
    // The month before may be longer: its days after the last of this one count to that.
    const counterpart = (day: string) =>
      month.toPlainDate({ day: Math.min(month.daysInMonth, Temporal.PlainDate.from(day).day) }).toString()
    return { period: daysOfMonth(other), counterpart }
  }
  const back = comparison === 'year' ? { years: 1 } : { days: lengthOf(period) }
  return {
    period: { from: period.from.subtract(back), to: period.to.subtract(back) },
    counterpart: (day) => Temporal.PlainDate.from(day).add(back).toString(),
  }
}
