/**
 * Other sizes of about the same height, with those for sale and whether any tire in them is rated high enough. Pure.
 */
import {
  isRatedAsHigh,
  sizesOfLikeHeight,
  type LikeSize,
  type Requirement,
  type TireFacts,
} from '#domain/catalog/fitment/fitment.ts'
import {
  isLoadRange,
  isSpeedSymbol,
  parseTireSize,
  sizeDesignation,
  type TireSize,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Item } from './items.ts'

/** The basis for comparing other sizes. It has a size with every required load and speed. */
export type SizeBasis = {
  readonly designation: string
  readonly requirements: readonly TireFacts[]
  readonly isOfVehicle: boolean
}

export type OtherSize = Pick<LikeSize, 'rimStepIn' | 'diameterTenths' | 'trueAtSixtyTenths' | 'widerMm'> & {
  readonly slug: string
  readonly designation: string
  readonly rimIn: number
  /** Articles on sale in the size, and how many of them are rated high enough. */
  readonly articles: number
  readonly ratedAsHigh: number
  /** The wheel widths in inches approved for at least one sufficiently rated article. */
  readonly rimWidthsIn: { readonly min: number; readonly max: number } | null
}

type SoldSize = { readonly slug: string; readonly designation: string }
type SoldLikeSize = LikeSize & SoldSize

const [mostOnRim, mostRimSteps] = [2, 2]

/**
 * Returns the vehicle's size for all wheels from its label or list, with load and speed (rule FR8 compares with the
 * listed size); otherwise the article's own.
 */
export function sizeBasis(item: Item, requirement: Requirement | undefined): SizeBasis {
  const requirements =
    requirement && (requirement.source === 'placard' || requirement.source === 'catalog')
      ? requirement.configurations.flatMap(({ front, rear }) => [front, rear])
      : []
  const sizes = new Set(requirements.map(({ size }) => (size ? sizeDesignation(size) : '')))
  const [designation] = sizes
  if (
    designation &&
    sizes.size === 1 &&
    requirements.every(({ loadIndex, speed }) => loadIndex !== undefined && speed !== undefined)
  )
    return { designation, requirements, isOfVehicle: true }
  return { designation: item.size.designation, requirements: [ratings(item)], isOfVehicle: false }
}

/**
 * Returns at most two sizes per wheel, from two inches smaller to two larger: the closest in height among those sold.
 */
export function pickLikeSizes(designation: string, sold: readonly SoldSize[]): SoldLikeSize[] {
  const own = parseTireSize(designation)
  if (!own) return []
  const sizes = new Map<TireSize, SoldSize>()
  for (const entry of sold) {
    const size = parseTireSize(entry.designation)
    if (size) sizes.set(size, entry)
  }
  const like = sizesOfLikeHeight(own, sizes.keys()).filter(({ rimStepIn }) => Math.abs(rimStepIn) <= mostRimSteps)
  return [...Map.groupBy(like, ({ rimStepIn }) => rimStepIn).values()]
    .flatMap((onRim) => onRim.slice(0, mostOnRim))
    .flatMap((each) => {
      const entry = sizes.get(each.size)
      return entry ? [{ ...each, slug: entry.slug, designation: entry.designation }] : []
    })
}

/** Compares the items for sale in the size with the requirements. */
export function otherSize(like: SoldLikeSize, requirements: readonly TireFacts[], sold: readonly Item[]): OtherSize {
  const enough = sold.filter((other) => requirements.every((needed) => isRatedAsHigh(ratings(other), needed)))
  const { slug, designation, rimStepIn, diameterTenths, trueAtSixtyTenths, widerMm, size } = like
  return {
    slug,
    designation,
    rimIn: size.rimIn,
    rimStepIn,
    diameterTenths,
    trueAtSixtyTenths,
    widerMm,
    articles: sold.length,
    ratedAsHigh: enough.length,
    rimWidthsIn:
      enough.length === 0
        ? null
        : {
            min: Math.min(...enough.map(({ rimWidthMinIn }) => rimWidthMinIn)),
            max: Math.max(...enough.map(({ rimWidthMaxIn }) => rimWidthMaxIn)),
          },
  }
}

function ratings({ loadIndex, speed, loadRange }: Item): TireFacts {
  return {
    loadIndex: loadIndex ?? undefined,
    speed: speed !== null && isSpeedSymbol(speed) ? speed : undefined,
    loadRange: loadRange !== null && isLoadRange(loadRange) ? loadRange : undefined,
  }
}
