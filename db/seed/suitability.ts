/** Which categories exist in which sizes, speeds and strengths. */
import { loadOf, speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { CategorySlug } from '#db/reference/categories.ts'
import { isPassenger } from './physics.ts'
import type { Random } from './random.ts'
import type { Requirement, Size, Strength } from './sizes.ts'

/** How common the category is in the size: 0 is never, 1 is typical. */
export function suitability(category: CategorySlug, size: Size): number {
  if (!isPassenger(size)) return heavyHomes[category]?.[size.kind] ?? 0
  return Math.max(0, ...passengerHomes[category].map(([shape, weight]) => (isShape[shape](size) ? weight : 0)))
}

/**
 * Whether a tire with this load index and speed meets a listed requirement: at least the load and at least the speed.
 */
export function meets(
  requirement: Pick<Requirement, 'loadIndex' | 'speed'>,
  loadIndex: number,
  speed: string,
): boolean {
  return loadIndex >= requirement.loadIndex && kmh(speed) >= kmh(requirement.speed)
}

/**
 * Returns a model's speed symbol for a size. Chooses the slowest that meets a requirement, and prefers requirements
 * shared by many vehicles.
 */
export function chooseSpeed(size: Size, symbols: readonly string[], random: Random): string | undefined {
  const asked = size.requirements.filter(
    (requirement) => random.chance(0.15) || requirement.vehicles * 8 > size.vehicles,
  )
  const target =
    asked.length === 0
      ? usualSpeed(size)
      : random.weighted(asked, (requirement) => Math.sqrt(requirement.vehicles) * kmh(requirement.speed)).speed
  return symbols.find((symbol) => kmh(symbol) >= kmh(target)) ?? symbols.at(-1)
}

/**
 * Returns a model's load specification for a size. It is extra load if vehicles require it, for low sidewalls, and for
 * electric cars.
 */
export function chooseStrength(size: Size, category: CategorySlug, random: Random): Strength | undefined {
  const [first, ...others] = size.strengths
  const strongest = size.strengths.at(-1)
  if (first === undefined || strongest === undefined || others.length === 0) return first
  if (!isPassenger(size)) {
    const isWorkhorse = ['commercial-light-truck', 'highway-all-season', 'commercial-truck'].includes(category)
    return random.chance(isWorkhorse ? 0.85 : 0.65) ? strongest : random.pick(size.strengths)
  }
  const askingMore =
    size.requirements.reduce(
      (sum, requirement) => sum + (requirement.loadIndex > first.loadIndex ? requirement.vehicles : 0),
      0,
    ) / Math.max(1, size.vehicles)
  const usual = size.rim >= 19 && size.aspect <= 50 ? 0.5 : 0.1
  const share = category === 'ev-specific' ? 0.85 : Math.max(usual, Math.min(0.85, 0.1 + 0.8 * askingMore))
  return random.chance(share) ? strongest : first
}

type Shape = 'compact' | 'car' | 'sport' | 'low-sport' | 'wide-sport' | 'crossover' | 'truck'

const passengerHomes: Record<CategorySlug, readonly (readonly [Shape, number])[]> = {
  'touring-all-season': [
    ['compact', 1],
    ['car', 1],
    ['crossover', 0.55],
    ['sport', 0.12],
  ],
  'grand-touring-all-season': [
    ['car', 0.8],
    ['sport', 0.6],
    ['low-sport', 0.2],
    ['crossover', 0.5],
    ['compact', 0.15],
  ],
  'uhp-all-season': [
    ['sport', 1],
    ['low-sport', 1],
    ['wide-sport', 0.8],
    ['car', 0.25],
  ],
  'crossover-suv-touring': [
    ['crossover', 1],
    ['truck', 0.4],
  ],
  'ev-specific': [
    ['crossover', 0.35],
    ['sport', 0.4],
    ['low-sport', 0.25],
    ['car', 0.2],
    ['wide-sport', 0.25],
  ],
  'all-weather': [
    ['compact', 0.8],
    ['car', 0.8],
    ['crossover', 0.8],
    ['truck', 0.3],
    ['sport', 0.12],
  ],
  'max-performance-summer': [
    ['sport', 0.9],
    ['low-sport', 1],
    ['wide-sport', 1],
  ],
  'extreme-performance-summer': [
    ['sport', 0.5],
    ['low-sport', 0.6],
    ['wide-sport', 0.6],
  ],
  'track-competition': [
    ['sport', 0.25],
    ['low-sport', 0.4],
    ['wide-sport', 0.5],
  ],
  'studless-winter': [
    ['compact', 0.8],
    ['car', 0.8],
    ['crossover', 0.8],
    ['truck', 0.5],
    ['sport', 0.2],
  ],
  'studdable-winter': [
    ['compact', 0.7],
    ['car', 0.6],
    ['crossover', 0.6],
    ['truck', 0.5],
  ],
  'performance-winter': [
    ['sport', 0.7],
    ['low-sport', 0.7],
    ['wide-sport', 0.4],
    ['car', 0.35],
    ['crossover', 0.3],
  ],
  'highway-all-season': [
    ['truck', 1],
    ['crossover', 0.3],
  ],
  'all-terrain': [
    ['truck', 0.9],
    ['crossover', 0.18],
  ],
  'rugged-terrain': [],
  'mud-terrain': [],
  'commercial-light-truck': [],
  'commercial-truck': [],
  'trailer-st': [],
  'temporary-spare': [],
}

const heavyHomes: Partial<Record<CategorySlug, Partial<Record<Size['kind'], number>>>> = {
  'highway-all-season': { LT: 0.9 },
  'all-terrain': { LT: 1, FLOTATION: 0.7 },
  'rugged-terrain': { LT: 0.9, FLOTATION: 0.9 },
  'mud-terrain': { LT: 0.8, FLOTATION: 1 },
  'all-weather': { LT: 0.25, C: 0.5 },
  'studless-winter': { LT: 0.5, C: 0.5 },
  'studdable-winter': { LT: 0.5, C: 0.3 },
  'commercial-light-truck': { LT: 0.7, C: 1 },
  'commercial-truck': { COMMERCIAL: 1 },
  'trailer-st': { ST: 1 },
  'temporary-spare': { T: 1 },
}

/** The shapes of passenger sizes, often several per size; lengths in mm, rims in inches. */
const isShape: Record<Shape, (size: Size) => boolean> = {
  compact: ({ rim, width }) => rim <= 15 && width <= 205,
  car: ({ rim, aspect, width, diameter }) =>
    aspect >= 45 && aspect <= 70 && width <= 255 && diameter < 715 && rim >= 14,
  sport: (size) =>
    size.rim >= 16 &&
    size.aspect >= 40 &&
    size.aspect <= 50 &&
    size.width <= 265 &&
    (size.aspect <= 45 || isAskedFast(size)),
  'low-sport': ({ rim, aspect, width }) => rim >= 16 && aspect < 40 && width < 265,
  'wide-sport': (size) => size.rim >= 18 && size.width >= 265 && (size.aspect <= 40 || isAskedFast(size)),
  crossover: ({ rim, aspect, width, diameter }) =>
    rim >= 16 && aspect >= 40 && aspect <= 70 && diameter >= 688 && diameter < 800 && width >= 205,
  truck: ({ aspect, width, diameter }) =>
    width >= 205 && aspect >= 45 && (diameter >= 745 || (aspect >= 70 && diameter >= 675)),
}

/** Whether any vehicle with this size requires W or faster. */
function isAskedFast({ requirements }: Size): boolean {
  return requirements.some((requirement) => kmh(requirement.speed) >= kmh('W'))
}

function usualSpeed(size: Size): string {
  if (size.kind === 'COMMERCIAL') return size.rim > 22 ? 'L' : 'N'
  if (size.kind === 'ST' || size.kind === 'T') return 'M'
  if (size.kind === 'FLOTATION') return 'Q'
  if (!isPassenger(size)) return 'R'
  return size.aspect <= 40 ? 'W' : size.aspect <= 55 ? 'V' : size.aspect <= 65 ? 'H' : 'T'
}

/** (Y) counts slightly above Y. */
export function kmh(symbol: string): number {
  const speed = speedOf(symbol)
  return speed === undefined ? 0 : speed.kmh + (speed.over ? 1 : 0)
}

/** What one tire carries, in pounds. */
export function poundsOf(loadIndex: number): number {
  const load = loadOf(loadIndex)
  if (load === undefined) throw new Error(`Load index ${loadIndex} is not in the table`)
  return load.lb
}
