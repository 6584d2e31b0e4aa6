/** The form for mileage and rotations. */
import { fieldMessages } from '#content/messages/fields.ts'
import { parseUsDay } from '#platform/day-text.ts'
import { z } from 'zod'

const dateMessage = fieldMessages.date
const mileageMessage = 'Write the mileage in whole miles, like 42,500.'
const mostMiles = 2_000_000

/**
 * Validates the form as typed on `today`, the store's day. Returns miles as numbers and the day as YYYY-MM-DD; empty
 * fields are null. A rotation mileage needs its date, which cannot be in the future.
 */
export function readingsForm(today: Temporal.PlainDate) {
  return z
    .object({
      mileage: miles,
      rotatedOn: z
        .string()
        .trim()
        .transform((text, issue) => {
          if (text === '') return null
          const day = parseUsDay(text)
          if (day && Temporal.PlainDate.compare(day, today) <= 0) return day.toString()
          issue.addIssue({
            code: 'custom',
            message: day ? 'This day has not come yet. Enter the day the tires were rotated.' : dateMessage,
          })
          return z.NEVER
        }),
      rotatedMileage: miles,
      reminder: z
        .literal('1')
        .optional()
        .transform((value) => value === '1'),
    })
    .refine(({ rotatedMileage, rotatedOn }) => rotatedMileage === null || rotatedOn !== null, {
      path: ['rotatedOn'],
      message: 'Enter the day of that mileage, too.',
    })
    .refine(({ mileage, rotatedMileage }) => mileage === null || rotatedMileage === null || rotatedMileage <= mileage, {
      path: ['rotatedMileage'],
      message: 'This is more than the mileage now. One of the two is not right.',
    })
}

export type Readings = z.output<ReturnType<typeof readingsForm>>

const miles = z
  .string()
  .trim()
  .transform((text, issue) => {
    if (text === '') return null
    const count = /^\d{1,3}(,?\d{3})*$/.test(text) ? Number(text.replaceAll(',', '')) : NaN
    if (count <= mostMiles) return count
    issue.addIssue({ code: 'custom', message: mileageMessage })
    return z.NEVER
  })
