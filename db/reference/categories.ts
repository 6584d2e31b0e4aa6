import type { Row } from '#db/insert-rows.ts'
import { categoryAudiences } from './kind-audiences.ts'

export type CategorySlug = (typeof profiles)[number]['slug']

/** The common properties of a category's tires. Ranges are [from, to]. */
export type CategoryProfile = {
  slug: string
  name: string
  type: string
  definition: string
  tread:
    | 'all-season'
    | 'summer'
    | 'winter'
    | 'all-terrain'
    | 'mud-terrain'
    | 'all-weather'
    | 'highway'
    | 'trailer'
    | 'commercial'
  /** Speed symbols it is made in, slowest first, for passenger sizes and for others. */
  speeds: readonly string[]
  heavySpeeds: readonly string[]
  /** Treadwear grade, and the usual traction grade; null where the law has no grade (49 CFR 575.104). */
  treadwear: readonly [number, number] | null
  traction: 'AA' | 'A' | 'B'
  warranty: readonly [number, number] | null
  /** New tread in 32nds of an inch. */
  depth: readonly [number, number]
  /** Weight of a passenger size, see `weightOf`. */
  heft: number
  priceFactor: number
  /**
   * The difference between review ratings and the model's quality for dry, wet, winter (null if not rated), comfort,
   * noise, and treadwear.
   */
  character: { dry: number; wet: number; winter: number | null; comfort: number; noise: number; treadwear: number }
}

const none: readonly string[] = []

/** The categories, in display order. Ranges are from tire_categories in THIRD-PARTY-DATA.md. */
export const profiles = [
  {
    slug: 'touring-all-season',
    name: 'Touring',
    type: 'all-season',
    tread: 'all-season',
    definition:
      'Comfort, low noise and a long life for cars and minivans. The usual replacement for what the factory put on.',
    speeds: ['S', 'T', 'H', 'V'],
    heavySpeeds: none,
    treadwear: [500, 820],
    traction: 'A',
    warranty: [60_000, 90_000],
    depth: [9.5, 10.5],
    heft: 1.62,
    priceFactor: 1,
    character: { dry: 0.05, wet: 0, winter: -0.7, comfort: 0.15, noise: 0.1, treadwear: 0.2 },
  },
  {
    slug: 'grand-touring-all-season',
    name: 'Grand touring',
    type: 'all-season',
    tread: 'all-season',
    definition: 'A touring tire with higher speed ratings and firmer steering for sedans and sporty crossovers.',
    speeds: ['H', 'V', 'W', 'Y'],
    heavySpeeds: none,
    treadwear: [480, 700],
    traction: 'A',
    warranty: [55_000, 80_000],
    depth: [9.5, 10],
    heft: 1.6,
    priceFactor: 1.08,
    character: { dry: 0.15, wet: 0.1, winter: -0.7, comfort: 0.1, noise: 0.05, treadwear: 0.05 },
  },
  {
    slug: 'uhp-all-season',
    name: 'Ultra-high-performance all-season',
    type: 'all-season',
    tread: 'all-season',
    definition: 'Most of the grip of a summer tire with enough left for cold days and light snow.',
    speeds: ['V', 'W', 'Y'],
    heavySpeeds: none,
    treadwear: [400, 560],
    traction: 'AA',
    warranty: [40_000, 55_000],
    depth: [9.5, 10],
    heft: 1.52,
    priceFactor: 1.15,
    character: { dry: 0.3, wet: 0.2, winter: -0.8, comfort: -0.15, noise: -0.15, treadwear: -0.2 },
  },
  {
    slug: 'crossover-suv-touring',
    name: 'Crossover and SUV touring',
    type: 'all-season',
    tread: 'all-season',
    definition: 'Touring comfort with the load capacity and tread depth that crossovers and SUVs need.',
    speeds: ['T', 'H', 'V', 'W'],
    heavySpeeds: none,
    treadwear: [500, 820],
    traction: 'A',
    warranty: [60_000, 80_000],
    depth: [10, 11],
    heft: 1.64,
    priceFactor: 1.04,
    character: { dry: 0.05, wet: 0.05, winter: -0.6, comfort: 0.15, noise: 0.1, treadwear: 0.15 },
  },
  {
    slug: 'ev-specific',
    name: 'Electric vehicle',
    type: 'all-season',
    tread: 'all-season',
    definition:
      'Low rolling resistance for range, load capacity for the battery, and foam or tread tuned against noise.',
    speeds: ['H', 'V', 'W', 'Y'],
    heavySpeeds: none,
    treadwear: [400, 700],
    traction: 'A',
    warranty: [40_000, 60_000],
    depth: [9, 10],
    heft: 1.6,
    priceFactor: 1.22,
    character: { dry: 0.1, wet: 0, winter: -0.7, comfort: 0.15, noise: 0.3, treadwear: -0.1 },
  },
  {
    slug: 'all-weather',
    name: 'All-weather',
    type: 'all-weather',
    tread: 'all-weather',
    definition: 'Three-peak rated for severe snow, yet left on all year. For places with a few real snow days.',
    speeds: ['T', 'H', 'V', 'W'],
    heavySpeeds: ['R', 'S'],
    treadwear: [500, 740],
    traction: 'A',
    warranty: [50_000, 80_000],
    depth: [10, 11],
    heft: 1.65,
    priceFactor: 1.08,
    character: { dry: 0, wet: 0.1, winter: 0.25, comfort: 0, noise: -0.05, treadwear: 0 },
  },
  {
    slug: 'max-performance-summer',
    name: 'Max performance summer',
    type: 'summer',
    tread: 'summer',
    definition:
      'For sports cars and sedans on warm roads, with very short wet stops and direct steering. Store it below 40 °F.',
    speeds: ['W', 'Y', '(Y)'],
    heavySpeeds: none,
    treadwear: [240, 340],
    traction: 'AA',
    warranty: [20_000, 35_000],
    depth: [9, 9.5],
    heft: 1.5,
    priceFactor: 1.3,
    character: { dry: 0.4, wet: 0.25, winter: null, comfort: -0.2, noise: -0.2, treadwear: -0.5 },
  },
  {
    slug: 'extreme-performance-summer',
    name: 'Extreme performance summer',
    type: 'summer',
    tread: 'summer',
    definition: 'A street tire that leans to the track. Puts autocross grip first, and wear and comfort last.',
    speeds: ['W', 'Y'],
    heavySpeeds: none,
    treadwear: [200, 200],
    traction: 'A',
    warranty: null,
    depth: [8, 9],
    heft: 1.52,
    priceFactor: 1.35,
    character: { dry: 0.55, wet: -0.1, winter: null, comfort: -0.6, noise: -0.6, treadwear: -0.9 },
  },
  {
    slug: 'track-competition',
    name: 'Track and competition',
    type: 'summer',
    tread: 'summer',
    definition: 'Street-legal competition rubber. Drive to the track if it is dry, change there if it is not.',
    speeds: ['W', 'Y'],
    heavySpeeds: none,
    treadwear: [40, 100],
    traction: 'A',
    warranty: null,
    depth: [4, 7],
    heft: 1.42,
    priceFactor: 1.6,
    character: { dry: 0.7, wet: -1.2, winter: null, comfort: -0.9, noise: -0.9, treadwear: -1.5 },
  },
  {
    slug: 'studless-winter',
    name: 'Studless winter',
    type: 'winter',
    tread: 'winter',
    definition: 'Soft rubber and thousands of fine cuts hold ice and packed snow without studs.',
    speeds: ['R', 'S', 'T', 'H'],
    heavySpeeds: ['Q', 'R'],
    treadwear: null,
    traction: 'A',
    warranty: null,
    depth: [11, 12],
    heft: 1.6,
    priceFactor: 1.1,
    character: { dry: -0.2, wet: 0, winter: 0.5, comfort: 0.05, noise: -0.05, treadwear: -0.2 },
  },
  {
    slug: 'studdable-winter',
    name: 'Studdable winter',
    type: 'winter',
    tread: 'winter',
    definition: 'Pinned for metal studs where the law allows them; deep open blocks for loose snow.',
    speeds: ['Q', 'R', 'T'],
    heavySpeeds: ['Q', 'R'],
    treadwear: null,
    traction: 'A',
    warranty: null,
    depth: [12, 13],
    heft: 1.64,
    priceFactor: 1.02,
    character: { dry: -0.3, wet: -0.15, winter: 0.5, comfort: -0.2, noise: -0.4, treadwear: -0.2 },
  },
  {
    slug: 'performance-winter',
    name: 'Performance winter',
    type: 'winter',
    tread: 'winter',
    definition: 'Winter grip with the speed ratings and steering that fast cars were built for.',
    speeds: ['H', 'V', 'W'],
    heavySpeeds: none,
    treadwear: null,
    traction: 'A',
    warranty: null,
    depth: [10, 11],
    heft: 1.56,
    priceFactor: 1.25,
    character: { dry: 0.05, wet: 0.1, winter: 0.35, comfort: 0, noise: 0, treadwear: -0.2 },
  },
  {
    slug: 'highway-all-season',
    name: 'Highway all-season',
    type: 'highway',
    tread: 'highway',
    definition: 'Straight ribs that run quiet and wear evenly on pickups, vans and large SUVs.',
    speeds: ['S', 'T', 'H'],
    heavySpeeds: ['R', 'S'],
    treadwear: [500, 700],
    traction: 'B',
    warranty: [50_000, 70_000],
    depth: [11, 13],
    heft: 1.7,
    priceFactor: 1.08,
    character: { dry: 0.05, wet: 0, winter: -0.7, comfort: 0.15, noise: 0.15, treadwear: 0.25 },
  },
  {
    slug: 'all-terrain',
    name: 'All-terrain',
    type: 'all-terrain',
    tread: 'all-terrain',
    definition: 'The tire for work sites, forest roads and camping trips that also drives to the office.',
    speeds: ['S', 'T'],
    heavySpeeds: ['Q', 'R', 'S'],
    treadwear: [500, 700],
    traction: 'B',
    warranty: [45_000, 70_000],
    depth: [12, 15],
    heft: 1.8,
    priceFactor: 1.2,
    character: { dry: 0.05, wet: -0.1, winter: -0.25, comfort: -0.1, noise: -0.3, treadwear: 0.1 },
  },
  {
    slug: 'rugged-terrain',
    name: 'Rugged-terrain',
    type: 'all-terrain',
    tread: 'all-terrain',
    definition:
      'Between all-terrain and mud-terrain, with tougher sidewalls and shoulders. Still comfortable enough on the highway.',
    speeds: none,
    heavySpeeds: ['Q', 'R'],
    treadwear: null,
    traction: 'B',
    warranty: [40_000, 55_000],
    depth: [14, 18],
    heft: 1.85,
    priceFactor: 1.32,
    character: { dry: 0, wet: -0.2, winter: -0.1, comfort: -0.25, noise: -0.5, treadwear: 0 },
  },
  {
    slug: 'mud-terrain',
    name: 'Mud-terrain',
    type: 'mud-terrain',
    tread: 'mud-terrain',
    definition: 'For mud, rock and loose climbs. Expect noise, and check the tread often.',
    speeds: none,
    heavySpeeds: ['P', 'Q'],
    treadwear: null,
    traction: 'B',
    warranty: null,
    depth: [17, 21],
    heft: 1.9,
    priceFactor: 1.45,
    character: { dry: 0, wet: -0.5, winter: -0.5, comfort: -0.4, noise: -1, treadwear: -0.4 },
  },
  {
    slug: 'commercial-light-truck',
    name: 'Commercial van and light truck',
    type: 'commercial',
    tread: 'commercial',
    definition: 'Load range C to E casings and scuff ribs for delivery vans and work trucks.',
    speeds: none,
    heavySpeeds: ['Q', 'R', 'S'],
    treadwear: null,
    traction: 'B',
    warranty: [40_000, 60_000],
    depth: [11, 14],
    heft: 1.9,
    priceFactor: 1.1,
    character: { dry: 0, wet: -0.1, winter: -0.6, comfort: -0.1, noise: -0.1, treadwear: 0.3 },
  },
  {
    slug: 'commercial-truck',
    name: 'Medium and heavy truck',
    type: 'commercial',
    tread: 'commercial',
    definition: 'Steer, drive and all-position tires in 19.5 to 24.5 inch sizes. We confirm these by phone.',
    speeds: none,
    heavySpeeds: ['L', 'M', 'N'],
    treadwear: null,
    traction: 'B',
    warranty: null,
    depth: [16, 24],
    heft: 4,
    priceFactor: 1,
    character: { dry: 0, wet: -0.1, winter: -0.6, comfort: -0.1, noise: -0.1, treadwear: 0.3 },
  },
  {
    slug: 'trailer-st',
    name: 'Trailer (ST)',
    type: 'trailer',
    tread: 'trailer',
    definition: 'For boat, utility, horse and travel trailers. Match the load range on the trailer label.',
    speeds: none,
    heavySpeeds: ['L', 'M', 'N'],
    treadwear: null,
    traction: 'B',
    warranty: null,
    depth: [8, 10],
    heft: 1.45,
    priceFactor: 0.72,
    character: { dry: 0.05, wet: 0, winter: null, comfort: 0, noise: 0, treadwear: 0.1 },
  },
  {
    slug: 'temporary-spare',
    name: 'Temporary spare',
    type: 'spare',
    tread: 'all-season',
    definition: 'The small spare in the trunk, in the size the vehicle lists for it.',
    speeds: none,
    heavySpeeds: ['M'],
    treadwear: null,
    traction: 'B',
    warranty: null,
    depth: [3, 4],
    heft: 1.75,
    priceFactor: 0.85,
    character: { dry: -0.1, wet: -0.2, winter: null, comfort: -0.3, noise: -0.2, treadwear: -0.2 },
  },
] as const satisfies readonly CategoryProfile[]

/** The same as rows of the table. */
export const categories: Row<'category'>[] = profiles.map(({ slug, name, type, definition }, index) => {
  return { slug, name, type_slug: type, definition, audience: categoryAudiences[slug], position: index + 1 }
})

export function profileOf(slug: CategorySlug): CategoryProfile {
  return profiles.find((profile) => profile.slug === slug) ?? profiles[0]
}
