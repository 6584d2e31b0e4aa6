/** The tread of each kind of tire. Over 400 lines: one table of drawings. */
import type { TireKind } from './picture-data.ts'
import type { Point } from './svg.ts'

/**
 * A tread as one pitch that repeats around the tire. Points are (p, u), where p runs 0 to 1 along the pitch, and u
 * runs -1 to 1 across the tread. Beyond 1, a block wraps over the shoulder onto the sidewall.
 */
export type TreadPattern = {
  /** Tread width as a share of the section width. */
  readonly widthShare: number
  /** Crown drop as a share of the radius. */
  readonly crownDropShare: number
  readonly pitches: number
  /** The drawn depth of the ground between the blocks, and how far a block's base extends beyond its top, in mm. */
  readonly groundDepthMm: number
  readonly footMm: number
  /** Unbroken round the tire, from one u to another. */
  readonly ribs: readonly Rib[]
  readonly blocks: readonly (readonly Point[])[]
  /** Slots cut into blocks and ribs. */
  readonly cuts: readonly (readonly Point[])[]
  /** Thin lines. */
  readonly sipes: readonly (readonly Point[])[]
}

export type Rib = readonly [from: number, to: number]

export function treadPattern(kind: TireKind): TreadPattern {
  return PATTERNS[kind]
}

type Slant = (u: number) => number

const straight: Slant = () => 0

/** Both sides of the tread; `side` is 1 on the near half, -1 on the far. */
function bothSides<T>(make: (side: 1 | -1) => T[]): T[] {
  return [...make(1), ...make(-1)]
}

/** A slot or block between two p and two u, leaning along the tread by `slant`. */
function bar(fromP: number, toP: number, fromU: number, toU: number, slant = straight): Point[] {
  const steps = Math.ceil(Math.abs(toU - fromU) / 0.15)
  const us = Array.from({ length: steps + 1 }, (_, i) => fromU + ((toU - fromU) * i) / steps)
  return [...us.map((u): Point => [fromP + slant(u), u]), ...us.toReversed().map((u): Point => [toP + slant(u), u])]
}

/** A thin line across the tread at `p`, zigzagging by `zigzag` pitches. */
function sipe(p: number, fromU: number, toU: number, slant = straight, zigzag = 0, steps = 8): Point[] {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const u = fromU + ((toU - fromU) * i) / steps
    return [p + slant(u) + (i % 2 ? zigzag : -zigzag), u]
  })
}

/** Mirrored to the other half of the tread. */
function mirrored(points: readonly Point[]): Point[] {
  return points.map(([p, u]) => [p, -u])
}

function shifted(points: readonly Point[], byP: number): Point[] {
  return points.map(([p, u]) => [p + byP, u])
}

const allSeason: TreadPattern = (() => {
  const middle: Slant = (u) => 0.8 * u
  const inner =
    (side: number): Slant =>
    (u) =>
      0.9 * (u - side * 0.4)
  const shoulder: Slant = (u) => 0.45 * (Math.abs(u) - 0.6) ** 1.4
  return {
    widthShare: 0.8,
    crownDropShare: 0.02,
    pitches: 62,
    groundDepthMm: 3.2,
    footMm: 2,
    ribs: [
      [-0.165, 0.165],
      [0.235, 0.55],
      [-0.55, -0.235],
    ],
    blocks: [bar(0.08, 0.97, 0.63, 1.28, shoulder), bar(0.08, 0.97, -1.28, -0.63, shoulder)],
    cuts: [
      bar(0.1, 0.22, -0.165, -0.02, middle),
      bar(0.6, 0.72, 0.02, 0.165, middle),
      ...bothSides((side) => [
        bar(0.12, 0.27, side * 0.33, side * 0.55, inner(side)),
        bar(0.62, 0.68, side * 0.235, side * 0.45, inner(side)),
      ]),
    ],
    sipes: [
      sipe(0.42, -0.12, 0.13, middle),
      sipe(0.9, -0.12, 0.13, middle),
      ...bothSides((side) => [
        sipe(0.92, side * 0.25, side * 0.54, inner(side), 0.03, 6),
        sipe(0.38, side * 0.68, side * 1.02, shoulder, 0.03),
        sipe(0.7, side * 0.68, side * 1.02, shoulder, 0.03),
      ]),
    ],
  }
})()

const summer: TreadPattern = (() => {
  const outer: Slant = (u) => 1.5 * (u + 0.3)
  const middle: Slant = (u) => -1.1 * u
  const inner: Slant = (u) => 0.9 * Math.max(0, u - 0.4) ** 1.3
  return {
    widthShare: 0.88,
    crownDropShare: 0.012,
    pitches: 40,
    groundDepthMm: 2.8,
    footMm: 2,
    ribs: [
      [-1.3, -0.58],
      [-0.48, -0.085],
      [0.02, 0.36],
      [0.45, 1.3],
    ],
    blocks: [],
    cuts: [
      bar(0.2, 0.29, -0.48, -0.22, outer),
      bar(0.3, 0.37, 0.12, 0.36, middle),
      bar(0.22, 0.32, 0.6, 1.14, inner),
      bar(0.1, 0.2, -1.1, -0.66, outer),
      bar(0.6, 0.66, -1, -0.75, outer),
    ],
    sipes: [sipe(0.8, 0.06, 0.2, middle), sipe(0.78, 0.52, 0.86, inner)],
  }
})()

const allTerrain: TreadPattern = (() => {
  const claw: Point[] = [
    [0.06, -0.36],
    [0.18, -0.1],
    [0.08, 0.05],
    [0.42, 0.13],
    [0.58, 0.02],
    [0.86, -0.06],
    [0.8, -0.3],
    [0.5, -0.4],
  ]
  const lug = (p: number, reach: number): Point[] => [
    [p + 0.02, 0.48],
    [p + 0.08, 0.42],
    [p + 0.34, 0.46],
    [p + 0.4, 0.54],
    [p + 0.42, 0.8],
    [p + 0.41, 1],
    [p + 0.4, 1.15],
    [p + 0.38, reach],
    [p + 0.08, reach],
    [p + 0.05, 1.15],
    [p + 0.03, 1],
    [p, 0.8],
  ]
  const lugSipe: Point[] = [
    [0.16, 0.56],
    [0.27, 0.66],
    [0.2, 0.76],
    [0.28, 0.9],
  ]
  return {
    widthShare: 0.84,
    crownDropShare: 0.022,
    pitches: 27,
    groundDepthMm: 7.8,
    footMm: 4.5,
    ribs: [],
    blocks: [
      claw,
      shifted(mirrored(claw), 0.5).toReversed(),
      lug(0.04, 1.42),
      lug(0.54, 1.26),
      mirrored(lug(0.29, 1.42)),
      mirrored(lug(0.79, 1.26)),
    ],
    cuts: [],
    sipes: [
      [
        [0.28, -0.3],
        [0.4, -0.2],
        [0.34, -0.1],
        [0.5, 0],
      ],
      [
        [0.6, -0.32],
        [0.68, -0.2],
        [0.62, -0.1],
      ],
      [
        [0.78, 0.3],
        [0.9, 0.2],
        [0.84, 0.1],
        [1, 0],
      ],
      [
        [1.1, 0.32],
        [1.18, 0.2],
        [1.12, 0.1],
      ],
      lugSipe,
      shifted(lugSipe, 0.5),
      mirrored(shifted(lugSipe, 0.25)),
      mirrored(shifted(lugSipe, 0.75)),
    ],
  }
})()

const mudTerrain: TreadPattern = (() => {
  const paddle: Point[] = [
    [0.02, -0.4],
    [0.12, -0.14],
    [0.04, 0.1],
    [0.2, 0.22],
    [0.4, 0.16],
    [0.42, -0.02],
    [0.5, -0.2],
    [0.42, -0.42],
    [0.2, -0.48],
  ]
  const lug = (p: number, start: number, reach: number): Point[] => [
    [p + 0.05, start],
    [p + 0.3, start + 0.04],
    [p + 0.35, 0.72],
    [p + 0.36, 1],
    [p + 0.35, 1.2],
    [p + 0.31, reach],
    [p + 0.06, reach],
    [p + 0.02, 1.2],
    [p + 0.01, 1],
    [p, 0.72],
  ]
  const lugCut = bar(0.16, 0.2, 0.7, 0.98)
  return {
    widthShare: 0.87,
    crownDropShare: 0.02,
    pitches: 21,
    groundDepthMm: 11,
    footMm: 4.5,
    ribs: [],
    blocks: [
      paddle,
      shifted(mirrored(paddle), 0.5).toReversed(),
      lug(0.08, 0.56, 1.5),
      lug(0.58, 0.42, 1.34),
      mirrored(lug(0.33, 0.42, 1.34)),
      mirrored(lug(0.83, 0.56, 1.5)),
    ],
    cuts: [
      shifted(lugCut, 0.1),
      shifted(lugCut, 0.6),
      mirrored(shifted(lugCut, 0.35)),
      mirrored(shifted(lugCut, 0.85)),
    ],
    sipes: [
      [
        [0.16, -0.3],
        [0.24, -0.14],
        [0.2, 0.04],
      ],
      [
        [0.66, 0.3],
        [0.74, 0.14],
        [0.7, -0.04],
      ],
    ],
  }
})()

/** Two mirrored halves, half a pitch apart, of blocks swept back along `slant`; `rows` from inside out. */
function swept(
  slant: Slant,
  length: number,
  rows: readonly Rib[],
  sipesPerBlock: number,
  zigzag: number,
): Pick<TreadPattern, 'blocks' | 'sipes'> {
  const start = (side: number) => (side > 0 ? 0 : 0.5)
  return {
    blocks: bothSides((side) =>
      rows.map(([from, to]) => bar(start(side), start(side) + length, side * from, side * to, slant)),
    ),
    sipes: bothSides((side) =>
      rows.flatMap(([from, to]) =>
        Array.from({ length: sipesPerBlock }, (_, i) =>
          sipe(
            start(side) + (length * (i + 1)) / (sipesPerBlock + 1),
            side * (from + 0.03),
            side * Math.min(to - 0.03, 1.02),
            slant,
            zigzag,
            7,
          ),
        ),
      ),
    ),
  }
}

const winter: TreadPattern = {
  widthShare: 0.78,
  crownDropShare: 0.024,
  pitches: 44,
  groundDepthMm: 3.6,
  footMm: 3,
  ribs: [],
  cuts: [],
  ...swept(
    (u) => -1.25 * Math.abs(u) ** 0.85,
    0.78,
    [
      [0.05, 0.33],
      [0.4, 0.68],
      [0.75, 1.28],
    ],
    4,
    0.035,
  ),
}

const allWeather: TreadPattern = (() => {
  const halves = swept(
    (u) => -0.8 * Math.abs(u) ** 0.9,
    0.84,
    [
      [0.17, 0.55],
      [0.63, 1.28],
    ],
    3,
    0.03,
  )
  return {
    ...winter,
    pitches: 54,
    groundDepthMm: 3.2,
    ribs: [[-0.1, 0.1]],
    ...halves,
    sipes: [sipe(0.5, -0.08, 0.08, straight, 0.05, 4), ...halves.sipes],
  }
})()

const trailer: TreadPattern = {
  widthShare: 0.76,
  crownDropShare: 0.022,
  pitches: 58,
  groundDepthMm: 3.2,
  footMm: 2,
  ribs: [
    [-0.15, 0.15],
    [0.23, 0.52],
    [-0.52, -0.23],
    [0.61, 1.16],
    [-1.16, -0.61],
  ],
  blocks: [],
  cuts: bothSides((side) => [
    bar(0.2, 0.3, side * 0.23, side * 0.31),
    bar(0.7, 0.8, side * 0.44, side * 0.52),
    bar(0.2, 0.3, side * 0.61, side * 0.7),
    bar(0.6, 0.78, side * 0.98, side * 1.16),
  ]),
  sipes: [sipe(0.1, -0.13, -0.03), sipe(0.6, 0.03, 0.13)],
}

const commercial: TreadPattern = (() => {
  const zigzagRib = (from: number, to: number): Point[] => [
    [0, from],
    [0.5, from + 0.05],
    [1.02, from],
    [1.02, to],
    [0.5, to + 0.05],
    [0, to],
  ]
  return {
    widthShare: 0.84,
    crownDropShare: 0.012,
    pitches: 46,
    groundDepthMm: 5.5,
    footMm: 2.5,
    ribs: [
      [0.66, 1.2],
      [-1.2, -0.66],
    ],
    blocks: [zigzagRib(-0.17, 0.12), zigzagRib(0.23, 0.53), mirrored(zigzagRib(0.23, 0.53))],
    cuts: bothSides((side) => [bar(0.3, 0.42, side * 0.66, side * 0.8), bar(0.3, 0.55, side * 1, side * 1.2)]),
    sipes: [
      sipe(0.25, -0.13, 0.1, straight, 0.04, 6),
      ...bothSides((side) => [
        sipe(0.75, side * 0.28, side * 0.5, straight, 0.04, 6),
        sipe(0.85, side * 0.7, side * 0.95),
      ]),
    ],
  }
})()

const PATTERNS: Record<TireKind, TreadPattern> = {
  'all-season': allSeason,
  summer,
  winter,
  'all-weather': allWeather,
  'all-terrain': allTerrain,
  'mud-terrain': mudTerrain,
  highway: { ...allSeason, pitches: 52 },
  trailer,
  commercial,
}
