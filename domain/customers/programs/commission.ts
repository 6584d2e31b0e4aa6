/** Partner commission rates, with the rate of an order and the allowed values. Safe in the browser. */
import { z } from 'zod'

/** A share from a day on, as staff set it. */
export type WidgetRate = { fromDay: string; commissionBp: number; setAt: Temporal.Instant; setBy: string }

/** The maximum partner commission on an order's tires, in percent. */
export const mostPercent = 20

/** The rate in force on a day; `rates` in the order they were set. Undefined before the first. */
export function rateOn(rates: readonly WidgetRate[], day: string): WidgetRate | undefined {
  return rates
    .filter(({ fromDay }) => fromDay <= day)
    .reduce<WidgetRate | undefined>(
      (last, rate) => (last === undefined || rate.fromDay >= last.fromDay ? rate : last),
      undefined,
    )
}

/** Returns rates that start after a day and weren't replaced later, earliest first. */
export function ratesAfter(rates: readonly WidgetRate[], day: string): WidgetRate[] {
  const days = new Map(rates.filter(({ fromDay }) => fromDay > day).map((rate) => [rate.fromDay, rate]))
  return [...days.values()].toSorted((a, b) => a.fromDay.localeCompare(b.fromDay))
}

/** "3%", "2.5%" */
export function percentText(basisPoints: number): string {
  return `${basisPoints / 100}%`
}

const percentMessage = `Enter a percentage from 0 to ${mostPercent}, such as 3 or 2.5.`
const dayMessage = 'Choose a day.'

/** A partner's new share from a day on. */
export const rateForm = z.object({
  widget: z.string('Choose a partner.').regex(/^wk_[A-Za-z0-9]{20}$/, 'Choose a partner.'),
  percent: z
    .string(percentMessage)
    .trim()
    .regex(/^\d{1,2}(\.\d{1,2})?$/, percentMessage)
    .transform((typed) => Math.round(Number(typed) * 100))
    .refine((basisPoints) => basisPoints <= mostPercent * 100, percentMessage),
  from: z
    .string(dayMessage)
    .regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, dayMessage)
    .transform((typed, context) => {
      try {
        return Temporal.PlainDate.from(typed, { overflow: 'reject' })
      } catch {
        context.addIssue(dayMessage)
        return z.NEVER
      }
    }),
})
