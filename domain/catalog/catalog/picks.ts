/**
 * Up to five picks from a listing, each for one reason that its card proves. Never includes a tire that may not fit, is
 * below the required load or speed (such as a winter tire under the speed exception), or cannot be delivered as a set.
 */
import { shippedCents, type Offer } from './offer.ts'
import type { Season } from './season.ts'

export const pickReasons = [
  'Highest score',
  'Best value',
  'Snow without swapping',
  'Lowest price that fits',
  'Longest warranty',
] as const
/** Why a tire is picked when the tire that has most of it is picked already, or its brand is picked often enough. */
const runnerUpReasons = {
  'Highest score': 'High score',
  'Best value': 'Great value',
  'Snow without swapping': 'Snow without swapping',
  'Lowest price that fits': 'Low price that fits',
  'Longest warranty': 'Long warranty',
} as const satisfies Record<(typeof pickReasons)[number], string>
export type PickReason = (typeof pickReasons)[number] | (typeof runnerUpReasons)[(typeof pickReasons)[number]]
export type Pick = { readonly reason: PickReason; readonly offer: Offer }

/** Picks of one brand, while other brands qualify. */
const maxPicksOfBrand = 2

/**
 * Returns at most five picks in the order of `pickReasons`, with one per model, and at most two per brand while other
 * brands qualify. Reasons without a candidate are skipped. Winter tires are picked only among winter tires, and in
 * winter summer tires only among summer tires, because most shoppers don't want half-year tires.
 */
export function topPicks(offers: readonly Offer[], season: Season = 'other'): Pick[] {
  const pickable = offers.filter(isPickable)
  const allYear = pickable.filter(({ line }) => !line.winter)
  const inSeason = allYear.filter(({ line }) => season !== 'winter' || line.type.slug !== 'summer')
  const eligible = [inSeason, allYear, pickable].find(({ length }) => length > 0) ?? []
  const medianCents = medianPrice(eligible)
  const picks: Pick[] = []
  for (const reason of pickReasons) {
    const qualified = eligible.filter((each) => qualifies[reason](each, medianCents))
    // One model once, however many load indexes it comes in.
    const left = qualified.filter(({ line }) => !picks.some(({ offer }) => offer.line.id === line.id))
    const varied = left.filter(({ line }) => picksOfBrand(picks, line.brand.id) < maxPicksOfBrand)
    const offer = best(varied.length > 0 ? varied : left, contests[reason])
    if (!offer) continue
    const isMost = qualified.every((each) => contests[reason](each) <= contests[reason](offer))
    picks.push({ reason: isMost ? reason : runnerUpReasons[reason], offer })
  }
  return picks
}

function picksOfBrand(picks: readonly Pick[], brandId: number): number {
  return picks.filter(({ offer }) => offer.line.brand.id === brandId).length
}

/**
 * Returns whether an offer can be recommended, which requires that it fits as far as we know, meets the full
 * requirement, and a set is in stock.
 */
export function isPickable(offer: Offer): boolean {
  const isSafe =
    offer.fitment === null ||
    ((offer.fitment.verdict === 'fits' || offer.fitment.verdict === 'fits_with_conditions') &&
      !offer.fitment.isBelowRequirement)
  return isSafe && offer.isInStock
}

/** What the winner of a reason has most of. */
const contests: Record<(typeof pickReasons)[number], (offer: Offer) => number> = {
  'Highest score': (offer) => offer.score?.tenths ?? 0,
  'Best value': (offer) => valueOf(offer),
  'Snow without swapping': (offer) => offer.score?.tenths ?? 0,
  'Lowest price that fits': (offer) => -shippedCents(offer),
  'Longest warranty': (offer) => offer.warrantyMiles ?? 0,
}

const qualifies: Record<(typeof pickReasons)[number], (offer: Offer, medianCents: number) => boolean> = {
  'Highest score': (offer) => offer.score !== null,
  // At least good and in the cheaper half, because a cheap tire that performs badly isn't good value.
  'Best value': (offer, medianCents) => (offer.score?.tenths ?? 0) >= 70 && offer.perTireCents <= medianCents,
  // Rated for severe snow and made to stay on all year.
  'Snow without swapping': (offer) => offer.line.threePeak && !offer.line.winter,
  'Lowest price that fits': () => true,
  'Longest warranty': (offer) => offer.warrantyMiles !== null,
}

/** Score points above "fair" per dollar. */
function valueOf(offer: Offer): number {
  return ((offer.score?.tenths ?? 0) - 60) / offer.perTireCents
}

function medianPrice(offers: readonly Offer[]): number {
  const prices = offers.map((offer) => offer.perTireCents).sort((a, b) => a - b)
  return prices[Math.floor((prices.length - 1) / 2)] ?? 0
}

function best(offers: readonly Offer[], worth: (offer: Offer) => number): Offer | undefined {
  return offers.reduce<Offer | undefined>(
    (leader, offer) => (leader === undefined || isBetter(offer, leader, worth) ? offer : leader),
    undefined,
  )
}

function isBetter(a: Offer, b: Offer, worth: (offer: Offer) => number): boolean {
  const difference = worth(a) - worth(b) || shippedCents(b) - shippedCents(a)
  return difference > 0 || (difference === 0 && a.key < b.key)
}
