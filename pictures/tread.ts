import type { Detail } from './picture-data.ts'
import { sectionAt, type Projection } from './projection.ts'
import { closedPath, mix, openPath, type Point, type Rgb } from './svg.ts'
import type { Rib, TreadPattern } from './tread-patterns.ts'

const RUBBER_DARK: Rgb = [15, 17, 20]
const RUBBER_LIT: Rgb = [134, 139, 148]
const GROUND: Rgb = [11, 12, 14]
const SHOULDER: Rgb = [44, 47, 53]
const SIDE = '#141619'
const HOLLOW = '#0b0c0e'

/** The finest step drawn, in mm. */
const GRAIN = 0.5

/** The number of tone steps, so that blocks of one tone share a path. */
const TONE_STEPS = 48

/** Renders the tire's body without its sidewall, as a stack of dark circles from the far shoulder to the near one. */
export function drawCarcass(projection: Projection, pattern: TreadPattern): string {
  const { shape } = projection
  const circles = Array.from({ length: 27 }, (_, i) => {
    const u = -1.5 + (3 * i) / 26
    const out = Math.abs(u)
    const { depth, radius } = sectionAt(shape, u)
    const inset = pattern.groundDepthMm * (out < 1 ? 1 : Math.max(0, 1 - (out - 1) / 0.45))
    return `<ellipse ${projection.ellipse(depth, radius - inset)} fill="${mix(GROUND, SHOULDER, (out - 1.02) / 0.45)}"/>`
  })
  return circles.join('')
}

/** The blocks and ribs on the visible side, lit one by one over their dark sides, with their cuts and sipes. */
export function drawTreadBlocks(projection: Projection, pattern: TreadPattern, detail: Detail): string {
  const parts = [...pattern.ribs.map((rib) => ribPart(rib, pattern.pitches)), ...pattern.blocks.map(blockPart)]
  const runs = parts.flatMap((part) => visibleRuns(projection, pattern, part))

  // Ribs and blocks use separate paths because overlapping walls in one path could cancel each other out.
  const walls = (isRib: boolean) =>
    joined(runs.filter((run) => run.part.isRib === isRib)).map((run) => sides(projection, pattern, run))
  const tops = [...Map.groupBy(runs, (run) => run.tone)].map(([tone, same]) =>
    filled(
      closedPath(same.map((run) => top(projection, pattern, run)).filter(isSeen), GRAIN),
      mix(RUBBER_DARK, RUBBER_LIT, tone / TONE_STEPS),
    ),
  )
  const sipes = detail > 0 ? openPath(seenLines(projection, pattern), GRAIN) : ''
  return (
    `<g transform="scale(${GRAIN})">` +
    (detail > 0 ? filled(closedPath(walls(true), GRAIN), SIDE) + filled(closedPath(walls(false), GRAIN), SIDE) : '') +
    tops.join('') +
    filled(closedPath(seenSlots(projection, pattern), GRAIN), HOLLOW) +
    (sipes &&
      `<path d="${sipes}" fill="none" stroke="${HOLLOW}" stroke-opacity=".8" stroke-width="${(detail > 1 ? 1.3 : 1.8) / GRAIN}"/>`) +
    '</g>'
  )
}

function filled(d: string, color: string): string {
  return d && `<path d="${d}" fill="${color}"/>`
}

/** A block of one pitch, or a rib that continues across pitches. */
type Part = {
  readonly isRib: boolean
  /** Its position for lighting (the center along the pitch, and the center and near edge across). */
  readonly phase: number
  readonly middle: number
  readonly edge: number
  outline(from: number, to: number): Point[]
}

/** Neighboring pitches of one part that share a tone (0 to TONE_STEPS). */
type Run = { readonly part: Part; readonly from: number; readonly to: number; readonly tone: number }

function ribPart([fromU, toU]: Rib, pitches: number): Part {
  // Short enough steps for the tire to look round.
  const stepsPerPitch = Math.ceil(360 / pitches / 6.5)
  return {
    isRib: true,
    phase: 0.51,
    middle: (fromU + toU) / 2,
    edge: toU,
    outline(from, to) {
      const ps = [
        ...Array.from({ length: (to - from + 1) * stepsPerPitch }, (_, i) => from + i / stepsPerPitch),
        to + 1.02,
      ]
      return [...ps.map((p): Point => [p, fromU]), ...ps.toReversed().map((p): Point => [p, toU])]
    },
  }
}

function blockPart(points: readonly Point[]): Part {
  return {
    isRib: false,
    phase: mean(points.map(([p]) => p)),
    middle: mean(points.map(([, u]) => u)),
    edge: Math.max(...points.map(([, u]) => u)),
    outline: (from) => points.map(([p, u]) => [from + p, u]),
  }
}

function visibleRuns(projection: Projection, { pitches }: TreadPattern, part: Part): Run[] {
  const runs: Run[] = []
  for (let pitch = 0; pitch < pitches; pitch++) {
    const turn = ((pitch + part.phase) / pitches) * Math.PI * 2
    // A wall is still visible slightly beyond the visible part of its top.
    if (projection.seenFrom(turn) >= part.edge + 0.3) continue
    // What wraps over the shoulder is lit as its edge is, or it would look flat.
    const tone = Math.round(projection.tone(turn, part.edge > 1.05 ? 1 : part.middle) * TONE_STEPS)
    const last = runs.at(-1)
    if (part.isRib && last?.to === pitch - 1 && last.tone === tone) runs[runs.length - 1] = { ...last, to: pitch }
    else runs.push({ part, from: pitch, to: pitch, tone })
  }
  return runs
}

/** Joins each rib's runs regardless of their tone because the part below the tops has one color. */
function joined(runs: readonly Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (run.part.isRib && last?.part === run.part && last.to === run.from - 1)
      out[out.length - 1] = { ...last, to: run.to }
    else out.push(run)
  }
  return out
}

/**
 * Returns the positions of a pattern's points in the drawing. Points that face away move to the edge of the tire, but
 * not beyond the shape's own edge. Otherwise they would overlap the part in front or stick out.
 */
function placed(
  projection: Projection,
  pitches: number,
  points: readonly Point[],
  inset = 0,
  edge = Math.max(...points.map(([, u]) => u)),
): Point[] {
  return points.map(([p, u]) => {
    const turn = (p / pitches) * Math.PI * 2
    return projection.surface(turn, Math.min(edge, Math.max(u, projection.seenFrom(turn))), inset)
  })
}

function top(projection: Projection, { pitches }: TreadPattern, { part, from, to }: Run): Point[] {
  return placed(projection, pitches, part.outline(from, to))
}

/** Returns false if the shape has no area after its points moved to the tire's edge. */
function isSeen(points: readonly Point[]): boolean {
  const doubleArea = points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length]!
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(doubleArea) > 2
}

/**
 * Renders the visible sides of a block or rib from its top to the ground, where its base is wider. Without them, the
 * background would be visible under the tops at the edge of the tire.
 */
function sides(
  projection: Projection,
  { pitches, groundDepthMm, footMm }: TreadPattern,
  { part, from, to }: Run,
): Point[] {
  const outline = part.outline(from, to)
  const footU = footMm / projection.shape.treadHalfWidth
  if (part.isRib) {
    // Only the wall on the near side can be seen.
    const half = outline.length / 2
    const foot = outline.slice(half).map(([p, u]): Point => [p, u + footU])
    return [
      ...placed(projection, pitches, outline.slice(0, half), 0, part.edge),
      ...placed(projection, pitches, foot, groundDepthMm),
    ]
  }
  const footP = (footMm / (2 * Math.PI * projection.shape.radius)) * pitches
  const middleP = mean(outline.map(([p]) => p))
  const foot = outline.map(([p, u]): Point => [
    p + Math.sign(p - middleP) * footP,
    u + Math.sign(u - part.middle) * footU,
  ])
  return hull([...placed(projection, pitches, outline), ...placed(projection, pitches, foot, groundDepthMm)])
}

/** Slots on every pitch, as far as they are seen. */
function seenSlots(projection: Projection, { pitches, cuts }: TreadPattern): Point[][] {
  return everyPitch(cuts, pitches)
    .map((points) => placed(projection, pitches, points))
    .filter(isSeen)
}

/** Thin lines on every pitch, broken off where they would go out of sight. */
function seenLines(projection: Projection, { pitches, sipes }: TreadPattern): Point[][] {
  const turnOf = (p: number) => (p / pitches) * Math.PI * 2
  return everyPitch(sipes, pitches)
    .map((points) =>
      points
        .filter(([p, u]) => u > projection.seenFrom(turnOf(p)) + 0.08)
        .map(([p, u]) => projection.surface(turnOf(p), u)),
    )
    .filter((points) => points.length > 1)
}

function everyPitch(shapes: readonly (readonly Point[])[], pitches: number): Point[][] {
  return shapes.flatMap((shape) =>
    Array.from({ length: pitches }, (_, pitch) => shape.map(([p, u]): Point => [pitch + p, u])),
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The smallest convex shape around the points (Andrew's monotone chain). */
function hull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by)
  const chain = (along: readonly Point[]) => {
    const out: Point[] = []
    for (const point of along) {
      while (out.length > 1 && turnOf(out.at(-2)!, out.at(-1)!, point) <= 0) out.pop()
      out.push(point)
    }
    return out.slice(0, -1)
  }
  return [...chain(sorted), ...chain(sorted.toReversed())]
}

function turnOf([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}
