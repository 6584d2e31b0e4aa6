/**
 * Tire identification numbers (49 CFR 574.5): plant, maker's code, and the week and year the tire was made. Safe in the
 * browser.
 */
import { countOf } from '#platform/count-text.ts'

/** In characters; longer input is not looked at. */
const longestTyped = 40

/**
 * Parses a typed TIN, with or without DOT, spaces and hyphens: 8 to 13 letters and digits that end in week and year.
 * I, O and Q are not used on tires. Undefined for anything else.
 */
export function parseTin(typed: string): string | undefined {
  const text = plain(typed)
  return /^[A-HJ-NPR-Z0-9]{4,9}(?:0[1-9]|[1-4]\d|5[0-3])\d{2}$/.test(text) ? text : undefined
}

/**
 * An entered TIN can have an impossible week, a missing date at the end, letters not used on tires, or a wrong length.
 */
export type TinFault = 'week' | 'date' | 'letters' | 'length'

/** Why a typed TIN cannot be parsed, by what to look at first. */
export function tinFault(typed: string): TinFault {
  const text = plain(typed)
  if (!/^[A-Z0-9]{8,13}$/.test(text)) return 'length'
  if (!/\d{4}$/.test(text)) return 'date'
  return /[IOQ]/.test(text) ? 'letters' : 'week'
}

/** Normalizes to uppercase without DOT, spaces and hyphens; empty if too long. */
function plain(typed: string): string {
  return typed.length > longestTyped ? '' : typed.toUpperCase().replaceAll(/[\s-]/g, '').replace(/^DOT/, '')
}

/** Week and year of a TIN. The last three-digit dates are of 1999, so that two digits are of this century. */
export function tinWeek(tin: string): { week: number; year: number } {
  return { week: Number(tin.slice(-4, -2)), year: 2000 + Number(tin.slice(-2)) }
}

/** Returns the start of a tire's production week, within a few days of each manufacturer's calendar. */
function madeOn(tin: string): Temporal.PlainDate {
  const { week, year } = tinWeek(tin)
  return Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: 7 * (week - 1) })
}

/** Returns why a tire can't be mounted on `day`, because it is dated later, or more than `maxAgeYears` earlier. */
export function whyNotTin(tin: string, day: Temporal.PlainDate, maxAgeYears: number): 'future' | 'too-old' | undefined {
  const made = madeOn(tin)
  if (Temporal.PlainDate.compare(made, day) > 0) return 'future'
  return Temporal.PlainDate.compare(made.add({ years: maxAgeYears }), day) < 0 ? 'too-old' : undefined
}

/** "Week 34 of 2026, 14 weeks old". */
export function tinAgeText(tin: string, day: Temporal.PlainDate): string {
  const { week, year } = tinWeek(tin)
  const { years, months } = madeOn(tin).until(day, { largestUnit: 'year' })
  const { weeks } = madeOn(tin).until(day, { largestUnit: 'week' })
  const age =
    years > 0
      ? `${countOf(years, 'year')}${months > 0 ? ` ${countOf(months, 'month')}` : ''}`
      : countOf(Math.max(weeks, 0), 'week')
  return `Week ${week} of ${year}, ${age} old`
}

/** "7B3 KXYZ92 3426": plant, maker's code and date of a TIN of 13; groups of four in an older one. */
export function tinText(tin: string): string {
  if (tin.length === 13) return `${tin.slice(0, 3)} ${tin.slice(3, 9)} ${tin.slice(9)}`
  const [front, date] = [tin.slice(0, -4), tin.slice(-4)]
  return `${front.replaceAll(/(.{4})(?=.)/g, '$1 ')} ${date}`
}
