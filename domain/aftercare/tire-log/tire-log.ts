/** The rotation log of a set of tires, and what its mileage warranty still covers. Safe in the browser. */
import { z } from 'zod'
import { parseUsDay } from '#platform/day-text.ts'
import { nextRotation, rotationMiles, type NextRotation } from '#domain/customers/accounts/accounts.ts'

/** A rotation as logged. */
export type Rotation = { nth: number; on: Temporal.PlainDate; odometerMiles: number; place: string }

/** When a set was fitted, and at what odometer. */
export type Fitted = { installedOn: Temporal.PlainDate; odometerMiles: number }

export const mostRotations = 40
const mostMiles = 999_999

/** The form of a rotation of these tires; `today` is the store's day. */
export function rotationForm(today: Temporal.PlainDate, { installedOn, odometerMiles }: Fitted) {
  return z.object({
    on: z
      .string('Enter the day.')
      .trim()
      .max(10, 'Enter the day like 11/9/2026.')
      .transform((text, issue) => {
        const day = parseUsDay(text)
        const words = !day
          ? 'Enter the day like 11/9/2026.'
          : Temporal.PlainDate.compare(day, today) > 0
            ? 'This day has not come yet.'
            : Temporal.PlainDate.compare(day, installedOn) < 0
              ? 'This is before the tires were fitted.'
              : null
        if (day && words === null) return day
        issue.addIssue({ code: 'custom', message: words ?? '' })
        return z.NEVER
      }),
    odometer: z
      .string('Enter the miles on the odometer.')
      .trim()
      .transform((text, issue) => {
        const miles = /^\d{1,3}(?:,?\d{3})?$/.test(text) ? Number(text.replaceAll(',', '')) : NaN
        if (miles >= odometerMiles && miles <= mostMiles) return miles
        issue.addIssue({
          code: 'custom',
          message:
            miles < odometerMiles
              ? `The odometer stood at ${odometerMiles.toLocaleString('en-US')} when the tires were fitted.`
              : 'Enter whole miles, like 42,500.',
        })
        return z.NEVER
      }),
    place: z
      .string('Say where, such as the shop or at home.')
      .trim()
      .min(1, 'Say where, such as the shop or at home.')
      .max(80, 'Please keep this under 80 characters.'),
  })
}
export type RotationInput = z.output<ReturnType<typeof rotationForm>>

/** Sorts a log oldest first, with the miles since the previous entry or the installation. */
export function withGaps(fitted: Fitted, log: readonly Rotation[]): (Rotation & { since: number; isLate: boolean })[] {
  const sorted = log.toSorted((a, b) => Temporal.PlainDate.compare(a.on, b.on))
  return sorted.map((rotation, index) => {
    const since = rotation.odometerMiles - (sorted[index - 1]?.odometerMiles ?? fitted.odometerMiles)
    return { ...rotation, since, isLate: since > rotationMiles }
  })
}

/** When the tires are due for their next rotation, by the rule of the garage's reminders. */
export function nextOf(fitted: Fitted, log: readonly Rotation[]): NextRotation | null {
  const last = withGaps(fitted, log).at(-1)
  const at = last ?? { on: fitted.installedOn, odometerMiles: fitted.odometerMiles }
  return nextRotation({ mileage: null, mileageOn: null, rotatedMileage: at.odometerMiles, rotatedOn: at.on.toString() })
}

/** The remaining mileage warranty by the log. Only an estimate, because the manufacturer decides. */
export type WarrantyEstimate = { milesWarranted: number; milesDriven: number; milesLeft: number; percentLeft: number }

/**
 * Estimates the remaining mileage warranty. Where front and rear sizes differ, tires cannot change places and half of
 * the miles count. Null for tires without a mileage warranty.
 */
export function estimateWarranty(
  fitted: Fitted & { warrantyMiles: number | null; isStaggered: boolean },
  log: readonly Rotation[],
): WarrantyEstimate | null {
  if (fitted.warrantyMiles === null) return null
  const milesWarranted = fitted.isStaggered ? Math.floor(fitted.warrantyMiles / 2) : fitted.warrantyMiles
  const last = withGaps(fitted, log).at(-1)
  const milesDriven = Math.max(0, (last?.odometerMiles ?? fitted.odometerMiles) - fitted.odometerMiles)
  const milesLeft = Math.max(0, milesWarranted - milesDriven)
  return { milesWarranted, milesDriven, milesLeft, percentLeft: Math.floor((100 * milesLeft) / milesWarranted) }
}
