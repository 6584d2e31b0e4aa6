/** Sizes with a similar height, for a larger or smaller wheel (rule FR8), and their effect on the speedometer. */
import {
  compareLoadRange,
  isAsFast,
  loadOf,
  speedOf,
  overallDiameterOf,
  sizeDesignation,
  tireGeometry,
  type TireSize,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { isMoreThanPercentApart, mostDiameterPercent } from './rules-size.ts'
import type { TireFacts } from './terms.ts'

export type LikeSize = {
  readonly size: TireSize
  /** Rim difference from the given size in inches, positive for a plus size and negative for a minus size. */
  readonly rimStepIn: number
  /** Overall diameter difference from the given size, in tenths of a percent, rounded; taller is positive. */
  readonly diameterTenths: number
  /** The true speed when the speedometer shows 60 mph, in tenths of a mph, rounded. */
  readonly trueAtSixtyTenths: number
  /** Section width difference from the given size in mm, rounded. */
  readonly widerMm: number
}

/**
 * Returns the `sizes` within 3% of `size` in nominal overall diameter, inclusive (rule FR8), of the same kind and
 * construction, excluding `size`. Sorted by rim, then by closest height. Empty if the size does not state its height
 * (7.50R16).
 */
export function sizesOfLikeHeight(size: TireSize, sizes: Iterable<TireSize>): LikeSize[] {
  const listed = overallDiameterOf(size)
  if (listed === undefined) return []
  const width = tireGeometry(size).sectionWidthMm
  const own = sizeDesignation(size)
  const found: { off: number; like: LikeSize }[] = []
  for (const other of sizes) {
    if (other.kind !== size.kind || other.construction !== size.construction || sizeDesignation(other) === own) continue
    const offered = overallDiameterOf(other)
    if (offered === undefined || isMoreThanPercentApart(offered, listed, mostDiameterPercent)) continue
    const like = {
      size: other,
      rimStepIn: other.rimIn - size.rimIn,
      diameterTenths: Math.round((offered / listed - 1) * 1000),
      trueAtSixtyTenths: Math.round((offered / listed) * 600),
      widerMm: Math.round(tireGeometry(other).sectionWidthMm - width),
    }
    found.push({ off: Math.abs(offered - listed), like })
  }
  found.sort(
    (a, b) =>
      a.like.rimStepIn - b.like.rimStepIn || a.off - b.off || Math.abs(a.like.widerMm) - Math.abs(b.like.widerMm),
  )
  return found.map(({ like }) => like)
}

/**
 * Whether a tire carries as much and is as fast as the required one: load in kg (FR10), load range if there is one
 * (FR13), speed in km/h (FR18). Unknown ratings on either side do not qualify. Only for tires of the same kind; across
 * kinds, the 1.10 factor of rule FR11 would apply.
 */
export function isRatedAsHigh(tire: TireFacts, needed: TireFacts): boolean {
  const [load, asked] = [loadOf(tire.loadIndex), loadOf(needed.loadIndex)]
  const [speed, pace] = [speedOf(tire.speed), speedOf(needed.speed)]
  if (!load || !asked || !speed || !pace) return false
  const isInRange =
    needed.loadRange === undefined ||
    (tire.loadRange !== undefined && compareLoadRange(tire.loadRange, needed.loadRange) >= 0)
  return load.kg >= asked.kg && isAsFast(speed, pace) && isInRange
}
