/** Other sizes of about the height of an article's: which of them are sold, and whether something in them is rated as high. Pure. */
import {
  isLoadRange,
  isRatedAsHigh,
  isSpeedSymbol,
  parseTireSize,
  sizesOfLikeHeight,
  type LikeSize,
  type TireFacts,
  type TireSize,
} from '#domain/fitment/fitment.ts'
import type { Item } from './items.ts'

export type OtherSize = Pick<LikeSize, 'rimStepIn' | 'diameterTenths' | 'trueAtSixtyTenths' | 'widerMm'> & {
  readonly slug: string
  readonly designation: string
  readonly rimIn: number
  /** Articles on sale in the size, and how many of them carry as much and go as fast as the given one. */
  readonly articles: number
  readonly ratedAsHigh: number
  /** The wheel widths in inches that suit at least one of those rated as high. */
  readonly rimWidthsIn: { readonly min: number; readonly max: number } | null
}

type SoldSize = { readonly slug: string; readonly designation: string }
type SoldLikeSize = LikeSize & SoldSize

const [mostOnRim, mostRimSteps] = [2, 2]

/** At most two sizes for each wheel, from two inches smaller to two larger: the nearest in height among those sold. */
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

/** The size with what is sold in it, held against the ratings of `item`. */
export function otherSize(like: SoldLikeSize, item: Item, sold: readonly Item[]): OtherSize {
  const needed = ratings(item)
  const enough = sold.filter((other) => isRatedAsHigh(ratings(other), needed))
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
        : { min: Math.min(...enough.map(({ rimWidthMinIn }) => rimWidthMinIn)), max: Math.max(...enough.map(({ rimWidthMaxIn }) => rimWidthMaxIn)) },
  }
}

function ratings({ loadIndex, speed, loadRange }: Item): TireFacts {
  return {
    loadIndex: loadIndex ?? undefined,
    speed: speed !== null && isSpeedSymbol(speed) ? speed : undefined,
    loadRange: loadRange !== null && isLoadRange(loadRange) ? loadRange : undefined,
  }
}
