/**
 * Dimensions, weight and price of a tire by size and construction. The formulas are fitted to common retail tires,
 * named in `physics.test.ts`.
 */
import type { CategoryProfile } from '#db/reference/categories.ts'
import type { Size, Strength } from './sizes.ts'

const passengerKinds = ['P']

/**
 * Pounds: build × section width × overall diameter. 205/55R16 touring: 21. 225/65R17 touring: 26. LT265/70R17 E: 48.
 * 35X12.50R17LT E: 67.
 */
export function weightOf(size: Size, strength: Strength, profile: CategoryProfile, runFlat: boolean): number {
  const build = isPassenger(size)
    ? profile.heft * (strength.loadClass === 'XL' ? 1.03 : 1) * (runFlat ? 1.12 : 1)
    : heavyBuild(size, strength) * heftAgainst(profile)
  return (build * size.width * size.diameter) / 10_000
}

/**
 * Approved rim widths in inches, narrowest and widest, in half inches. 225/65R17: 6 to 8. 205/55R16: 5.5 to 7.5.
 * 295/30R20: 10 to 11.
 */
export function rimWidths(size: Size): [number, number] {
  const width = size.width / 25.4
  const [, low, high] = rimShares.find(([aspect]) => size.aspect >= aspect) ?? lowest
  const narrowest = Math.round(width * low * 2) / 2
  return [narrowest, Math.max(narrowest, Math.round(width * high * 2) / 2)]
}

/**
 * Returns the retail price in dollars before the model's own factor, by rim, rubber volume, category, load, and
 * construction.
 */
export function usualPrice(size: Size, strength: Strength, profile: CategoryProfile, runFlat: boolean): number {
  if (size.kind === 'COMMERCIAL') return 70 + 2.9 * weightOf(size, strength, profile, false)
  const [, base, area] = rimPrices.findLast(([rim]) => size.rim >= rim) ?? rimPrices[0]
  const rubber = ((size.width * size.diameter) / 1000 / area) ** (isPassenger(size) ? 0.45 : 0.7)
  const load =
    { XL: 1.08, SL: 1 }[strength.loadClass ?? 'SL'] * ({ D: 1.1, E: 1.25, F: 1.35 }[strength.loadRange ?? ''] ?? 1)
  return base * rubber * profile.priceFactor * (size.kind === 'ST' ? Math.sqrt(load) : load) * (runFlat ? 1.22 : 1)
}

/** Returns whether the tire is a passenger tire (P or Euro-metric), with UTQG grades and load classes SL and XL. */
export function isPassenger(size: Pick<Size, 'kind'>): boolean {
  return passengerKinds.includes(size.kind)
}

function heavyBuild(size: Size, strength: Strength): number {
  const range = strength.loadRange ?? 'C'
  if (size.kind === 'COMMERCIAL') return size.rim > 22 ? 4 : 3.4
  if (size.kind === 'T') return 1.75
  if (size.kind === 'ST') return { C: 1.4, D: 1.48, E: 1.58, F: 1.68 }[range] ?? 1.5
  if (size.kind === 'FLOTATION') return { C: 2.1, D: 2.25, E: 2.38, F: 2.5 }[range] ?? 2.3
  return { C: 1.95, D: 2.1, E: 2.28, F: 2.45 }[range] ?? 2
}

/** A mud tire carries more rubber than a highway tire on the same casing. */
function heftAgainst(profile: CategoryProfile): number {
  return (
    {
      'mud-terrain': 1.05,
      'rugged-terrain': 1.03,
      'highway-all-season': 0.96,
      'studless-winter': 0.96,
      'studdable-winter': 0.97,
    }[profile.slug] ?? 1
  )
}

/** The narrowest and widest rim as a share of the section width, from this aspect ratio up. */
const rimShares: readonly (readonly [number, number, number])[] = [
  [70, 0.66, 0.86],
  [65, 0.68, 0.9],
  [60, 0.7, 0.92],
  [55, 0.71, 0.93],
  [50, 0.73, 0.95],
  [45, 0.77, 0.96],
  [40, 0.82, 0.98],
  [35, 0.85, 1],
  [30, 0.87, 0.96],
]
const lowest = [0, 0.9, 1] as const

/** Rim inches, dollars of a mid-tier touring tire, and its width × diameter there in thousands of mm². */
const rimPrices = [
  [12, 68, 97],
  [14, 76, 110],
  [15, 85, 123],
  [16, 100, 137],
  [17, 125, 155],
  [18, 150, 168],
  [19, 180, 178],
  [20, 200, 205],
  [21, 260, 208],
  [22, 270, 232],
  [24, 310, 245],
] as const
