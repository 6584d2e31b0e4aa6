/** The days that reports are about, and those they are compared with. */
import { monthDayText } from '#platform/day-text.ts'

export const comparisons = ['year', 'month', 'nothing'] as const
/** A period is compared with the same days a year earlier, the preceding months or days, or no other period. */
export type Comparison = (typeof comparisons)[number]

/** Days, both included. */
export type Period = { from: Temporal.PlainDate; to: Temporal.PlainDate }

/** A period's intervals in tables. They are weeks, or months for longer periods. */
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

/** How many whole months a period is; null for other days. */
function monthsOf({ from, to }: Period): number | null {
  if (from.day !== 1 || to.day !== to.daysInMonth) return null
  return from.toPlainYearMonth().until(to.toPlainYearMonth(), { largestUnit: 'months' }).months + 1
}

/**
 * The code of a month ("2026-10"), a quarter ("2026-Q4") or a year ("2026"), as returns are filed for; null for other
 * days.
 */
export function codeOf(period: Period): string | null {
  const { year, month } = period.from
  const months = monthsOf(period)
  if (months === 1) return period.from.toPlainYearMonth().toString()
  if (months === 3 && month % 3 === 1) return `${year}-Q${(month + 2) / 3}`
  return months === 12 && month === 1 ? String(year) : null
}

/** The period of such a code, from the year 2000 on; undefined for any other text. */
export function periodOf(code: string): Period | undefined {
  const [, year, quarter, month] = /^(20\d\d)(?:-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(code) ?? []
  if (year === undefined) return undefined
  const first = quarter === undefined ? Number(month ?? 1) : Number(quarter) * 3 - 2
  const last = first + (quarter === undefined ? (month === undefined ? 11 : 0) : 2)
  const [from, to] = [first, last].map((month) => daysOfMonth(new Temporal.PlainYearMonth(Number(year), month)))
  return from && to && { from: from.from, to: to.to }
}

/** Returns the following period, or with -1 the preceding one, with the same number of whole months or days. */
export function periodNextTo(period: Period, steps: 1 | -1): Period {
  const months = monthsOf(period)
  const by = months === null ? { days: steps * lengthOf(period) } : { months: steps * months }
  return shifted(period, by)
}

function shifted(period: Period, by: { days: number } | { months: number }): Period {
  const [from, to] = [period.from.add(by), period.to.add(by)]
  // The last day of a month goes to the last day of another.
  return { from, to: 'months' in by && monthsOf(period) !== null ? to.with({ day: to.daysInMonth }) : to }
}

/** Returns the comparison period, and the mapping of its days to this period; null without a comparison. */
export function comparedWith(
  period: Period,
  comparison: Comparison,
): { period: Period; counterpart(day: string): string } | null {
  if (comparison === 'nothing') return null
  const months = monthsOf(period)
  const back = comparison === 'year' ? { months: 12 } : months === null ? { days: lengthOf(period) } : { months }
  return {
    period: shifted(period, 'months' in back ? { months: -back.months } : { days: -back.days }),
    // The comparison month may be longer, so its extra days map to this month's last day.
    counterpart: (day) => Temporal.PlainDate.from(day).add(back).toString(),
  }
}
