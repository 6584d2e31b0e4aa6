import { z } from 'zod'
import { startsAt } from './business-terms-form.ts'
import { maxPayHoldHours } from './pay-hold.ts'
import { holidayLines, phoneZones, readHolidayLines, weekLine } from '#platform/phone-hours.ts'
import { readWeek } from '#platform/week-hours.ts'
import { countOf } from '#platform/count-text.ts'
import { rowFields } from '#platform/form-fields.ts'

const line = (most: number, missing: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(most, `Please keep this under ${countOf(most, 'character')}.`)

const color = z
  .string()
  .trim()
  .toLowerCase()
  .default('')
  .transform((text) => text || null)
  .pipe(
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/, 'Write the color as #ffb400, or leave it empty for the standard one.')
      .nullable(),
  )

/** Dollars as typed, "750" or "$1,250.50", as cents. */
const dollars = z
  .string()
  .trim()
  .regex(/^\$?\d{1,3}(?:,?\d{3}){0,2}(?:\.\d{2})?$/, 'Write the amount as 750.00.')
  .transform((text) => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100))
  .refine((cents) => cents <= 10_000_000, 'At most $100,000.00.')
  .meta({ formUnit: 'cents' })

/** A rate as typed, "10" or "7.5 %", as parts per million. */
const percent = z
  .string()
  .trim()
  .regex(/^\d{1,2}(?:\.\d{1,2})? ?%?$/, 'Enter a percentage like 10 or 7.5, from 0 to 99.99.')
  .transform((text) => Math.round(Number(text.replace(/ ?%$/, '')) * 10_000))

/** A whole number as typed, "46". */
const whole = (from: number, to: number, unit: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,3}$/, `Write a whole number of ${unit}.`)
    .transform(Number)
    .refine((count) => from <= count && count <= to, `From ${from} to ${to} ${unit}.`)
    .meta({ formUnit: 'number' })

const seen = z
  .string()
  .regex(/^\d{1,15}$/, 'Load the page again.')
  .transform(Number)
  .meta({ formUnit: 'number' })

/** The settings as they are typed. Empty colors return to the standard ones. `seen` is the version the form was made of. */
export const settingsForm = z.object({
  name: line(60, 'Enter the name of the store.'),
  phone: z
    .string()
    .trim()
    .regex(/^\(\d{3}\) \d{3}-\d{4}$/, 'Write the phone as (800) 555-0142.'),
  email: z.string().trim().max(254, 'Please enter a valid email').pipe(z.email('Please enter a valid email')),
  returnAddress: line(200, 'Enter the address that returns go to.').min(10, 'Enter the whole address, with ZIP code.'),
  accentColor: color,
  darkColor: color,
  refundAlone: dollars,
  dailyAlone: dollars,
  discountAlone: percent,
  quoteMarginFloor: percent,
  noShowPay: dollars.refine((cents) => cents <= 10_000, 'At most $100.00.'),
  payHoldHours: whole(0, maxPayHoldHours, 'hours'),
  payDisputeDays: whole(1, 60, 'days'),
  payAlone: dollars,
  belowMap: z.enum(['refuse', 'price-in-cart'], 'Choose one.').default('refuse'),
  removeLogo: z.enum(['yes', '']).default(''),
  seen,
})

export type SettingsInput = z.output<typeof settingsForm>

/** The phone hours form, where a day with both fields empty is closed. One holiday per line. */
export const hoursForm = z
  .object({
    zone: z.enum(Object.keys(phoneZones), 'Choose a time zone.'),
    holidays: z.string().trim().max(1_500, 'At most 1,500 characters.').default(''),
    week: rowFields<unknown>({ key: 'weekday', fields: { opens: 'text', closes: 'text' } }).optional(),
    startsAt,
    seen,
  })
  .catchall(z.string().max(20, 'Write times as 08:00.'))
  .transform((form, issue) => {
    const { zone, holidays, startsAt: from, seen: version, week: _, ...times } = form
    const week = readWeek(times, issue)
    const read = readHolidayLines(holidays)
    if (!read) issue.addIssue({ code: 'custom', path: ['holidays'], message: notHolidays })
    return {
      'phone-zone': zone,
      'phone-week': weekLine(week),
      'phone-holidays': holidayLines(read ?? []),
      startsAt: from,
      seen: version,
    }
  })

const notHolidays =
  'Write one holiday a line, each day once: 2026-12-25 closed Christmas Day, or 2026-12-24 09:00-12:00 Christmas Eve.'

export type HoursInput = z.output<typeof hoursForm>
