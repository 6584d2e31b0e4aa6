import { isDrawable, type PictureSize } from './picture-data.ts'
import { short, type Point } from './svg.ts'

/**
 * The tire's measures in mm. The size gives radius, rim, sidewall and section width; the other proportions are the look
 * of the drawing.
 */
export type TireShape = {
  readonly radius: number
  readonly rimRadius: number
  readonly sidewall: number
  readonly sectionWidth: number
  readonly treadHalfWidth: number
  /** How much lower the tread is at its edge than in the middle. */
  readonly crownDrop: number
  readonly shoulderHeight: number
  /** The flat part of the near sidewall, with its distance from the center plane, and its outer and inner radius. */
  readonly faceDepth: number
  readonly faceRadius: number
  readonly flangeRadius: number
  /** How far the beads stand from the middle plane. */
  readonly beadDepth: number
}

/** Throws a RangeError for a size that is not drawable. */
export function shapeOf(
  size: PictureSize,
  tread: { readonly widthShare: number; readonly crownDropShare: number },
): TireShape {
  if (!isDrawable(size)) throw new RangeError(`No tire has the measures of ${JSON.stringify(size)}`)
  const radius = size.overallDiameterMm / 2
  const rimRadius = size.rimIn * 12.7
  const sidewall = radius - rimRadius
  const crownDrop = radius * tread.crownDropShare
  const shoulderHeight = Math.min(sidewall * 0.26, 44)
  return {
    radius,
    rimRadius,
    sidewall,
    sectionWidth: size.sectionWidthMm,
    treadHalfWidth: (size.sectionWidthMm / 2) * tread.widthShare,
    crownDrop,
    shoulderHeight,
    faceDepth: (size.sectionWidthMm / 2) * 0.965,
    faceRadius: radius - crownDrop - shoulderHeight,
    flangeRadius: rimRadius * 1.045,
    beadDepth: size.sectionWidthMm * 0.37,
  }
}

/** Tall sidewalls carry letters that are smaller in proportion. */
export function isTall(shape: TireShape): boolean {
  return shape.sidewall > 120
}

/**
 * Returns the outer surface's cross section. `u` runs from -1.5 on the far shoulder, -1 to 1 across the tread, to 1.5
 * on the near shoulder.
 */
export function sectionAt(shape: TireShape, u: number): { depth: number; radius: number } {
  const out = Math.abs(u)
  if (out <= 1) return { depth: u * shape.treadHalfWidth, radius: shape.radius - shape.crownDrop * out ** 2.6 }
  const turn = (Math.min(1, (out - 1) / 0.5) * Math.PI) / 2
  return {
    depth: Math.sign(u) * (shape.treadHalfWidth + (shape.faceDepth - shape.treadHalfWidth) * Math.sin(turn)),
    radius: shape.radius - shape.crownDrop - shape.shoulderHeight * (1 - Math.cos(turn)),
  }
}

/**
 * The tire seen along a level line, turned by `yaw` degrees from straight on to its sidewall. No perspective, so each
 * circle round the axle is an ellipse, and the flat sidewall is its front view narrowed by `cos`.
 */
export type Projection = {
  readonly shape: TireShape
  readonly sin: number
  readonly cos: number
  /** Half of the drawing's width. */
  readonly halfWidth: number
  /**
   * The point `turn` radians round the axle (0 right, a quarter turn up), at a depth towards the viewer and a radius.
   */
  point(turn: number, depth: number, radius: number): Point
  /** The same for a point of the outer surface, `inset` mm under it. */
  surface(turn: number, u: number, inset?: number): Point
  /**
   * Returns the visible part of the surface at that turn, from this u to the near shoulder's 1.5. The rest faces away.
   */
  seenFrom(turn: number): number
  /** How light the surface there is: 0.1 in shade to about 0.9. */
  tone(turn: number, u: number): number
  /** The circle round the axle as the attributes of an ellipse element. */
  ellipse(depth: number, radius: number): string
}

export function project(shape: TireShape, yaw: number): Projection {
  const sin = Math.sin((yaw * Math.PI) / 180)
  const cos = Math.cos((yaw * Math.PI) / 180)
  const point = (turn: number, depth: number, radius: number): Point => [
    radius * Math.cos(turn) * cos + depth * sin,
    -radius * Math.sin(turn),
  ]
  const normals = Array.from({ length: NORMALS + 1 }, (_, i) => normalAt(shape, -1.5 + (3 * i) / NORMALS))
  const facing = (turn: number, { axial, radial }: SectionNormal) => axial * cos - radial * Math.cos(turn) * sin
  return {
    shape,
    sin,
    cos,
    halfWidth: shape.radius * cos + (shape.sectionWidth / 2) * sin,
    point,
    surface(turn, u, inset = 0) {
      const { depth, radius } = sectionAt(shape, u)
      return point(turn, depth, radius - inset)
    },
    seenFrom(turn) {
      // The farther to the near side, the more the surface faces the eye: halve the range until its edge is found.
      let [hidden, seen] = [0, NORMALS]
      while (seen - hidden > 1) {
        const middle = (hidden + seen) >> 1
        if (facing(turn, normals[middle]!) < 0) hidden = middle
        else seen = middle
      }
      return -1.5 + (3 * seen) / NORMALS
    },
    tone(turn, u) {
      const section = normalAt(shape, u)
      const normal: Vector = [
        section.radial * Math.cos(turn) * cos + section.axial * sin,
        section.radial * Math.sin(turn),
        facing(turn, section),
      ]
      return 0.1 + 0.46 * Math.max(0, dot(normal, LIGHT)) + 0.36 * Math.max(0, dot(normal, GLOSS)) ** 9
    },
    ellipse: (depth, radius) => `cx="${short(depth * sin)}" rx="${short(radius * cos)}" ry="${short(radius)}"`,
  }
}

type Vector = readonly [right: number, up: number, towardsEye: number]

/** From the upper left, in front; the gloss is brightest half way between it and the eye. */
const LIGHT: Vector = [-0.56, 0.64, 0.53]
const GLOSS = unit([LIGHT[0], LIGHT[1], LIGHT[2] + 1])

/** The directions across the section, toward the viewer and away from the axle. */
type SectionNormal = { readonly axial: number; readonly radial: number }

/** In how many steps of u the section's normals are kept. */
const NORMALS = 240

function normalAt(shape: TireShape, u: number): SectionNormal {
  const before = sectionAt(shape, Math.max(-1.5, u - 0.02))
  const after = sectionAt(shape, Math.min(1.5, u + 0.02))
  const depth = after.depth - before.depth
  const radius = after.radius - before.radius
  const length = Math.hypot(depth, radius) || 1
  return { axial: -radius / length, radial: depth / length }
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function unit(v: Vector): Vector {
  const length = Math.hypot(...v)
  return [v[0] / length, v[1] / length, v[2] / length]
}
