/** The rotation interval of 6 months or 6,000 miles, whichever comes first (specification, garage). */

export const rotationMonths = 6
export const rotationMiles = 6_000

/** With fewer days between readings the driving pace is not reliable. */
const leastDays = 14

/** The owner's readings. Days as YYYY-MM-DD. */
export type Readings = {
  /** The odometer as last read; null if never. */
  readonly mileage: number | null
  readonly mileageOn: string | null
  /** At the last rotation, or when the tires were new. */
  readonly rotatedMileage: number | null
  readonly rotatedOn: string | null
}

export type NextRotation = { readonly on: Temporal.PlainDate; readonly because: 'months' | 'miles' }

/**
 * Returns the date of the next rotation. It is due six months after the last, or when 6,000 miles will have been driven
 * at the readings' pace. Null without a last rotation.
 */
export function nextRotation({ mileage, mileageOn, rotatedMileage, rotatedOn }: Readings): NextRotation | null {
  if (rotatedOn === null) return null
  const last = Temporal.PlainDate.from(rotatedOn)
  const byMonths = last.add({ months: rotationMonths })
  const byMiles =
    mileage !== null && mileageOn !== null && rotatedMileage !== null
      ? dayOfMiles(last, { driven: mileage - rotatedMileage, readOn: Temporal.PlainDate.from(mileageOn) })
      : undefined
  return byMiles && Temporal.PlainDate.compare(byMiles, byMonths) < 0
    ? { on: byMiles, because: 'miles' }
    : { on: byMonths, because: 'months' }
}

function dayOfMiles(
  last: Temporal.PlainDate,
  { driven, readOn }: { driven: number; readOn: Temporal.PlainDate },
): Temporal.PlainDate | undefined {
  const { days } = last.until(readOn, { largestUnit: 'days' })
  if (driven >= rotationMiles) return readOn
  if (driven <= 0 || days < leastDays) return undefined
  return last.add({ days: Math.ceil((rotationMiles * days) / driven) })
}
