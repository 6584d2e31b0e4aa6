/** The views of one photo for an OCR engine, most promising first. It may stop once it is certain. */
import { evenedOut, grainOf, inverted, printed, scaled, smoothed, type GrayPicture } from './gray-picture.ts'
import { findCenter, unwrapRing, type Center, type Ring } from './unwrap.ts'

/**
 * One way to prepare a photo, with `passes` of smoothing, the height of ring strips in pixels with the photo scaled
 * down accordingly, the share of camera grain not amplified, and the range of shades to spread. No preparation is best
 * for every photo, and two rarely make the same mistake.
 */
type Way = {
  readonly passes: number
  readonly stripHeight: number
  readonly grainShare: number
  readonly shades: readonly [paper: number, ink: number]
}

/** Sorted by each one's individual success rate, as measured with `bench/read-sidewalls.ts`. */
const ways = [
  { passes: 6, stripHeight: 250, grainShare: 1, shades: [128, 200] },
  { passes: 1, stripHeight: 380, grainShare: 1, shades: [128, 200] },
  { passes: 3, stripHeight: 300, grainShare: 0.3, shades: [140, 180] },
] as const satisfies Way[]

/**
 * The number of views per photo. Each preparation has three with light letters, and the first also has three with dark
 * letters.
 */
export const viewCount = ways.length * 3 + 3

/**
 * Yields the straightened ring around the center, read from outside and from inside, and the photo as it is; light
 * letters first, dark ones last. `around` is the shopper's center; without it the center is searched for, and a photo
 * without one is first read as it is. Views are made lazily.
 */
export function* pictureViews(
  photo: GrayPicture,
  around?: { readonly x: number; readonly y: number },
): Generator<GrayPicture, void> {
  const center: Center = around ? { ...around, strength: 1 } : findCenter(photo)
  const grain = grainOf(photo, smoothed(photo))
  const layouts =
    center.strength > roundStrength
      ? (['ring', 'ring-upright', 'flat'] as const)
      : (['flat', 'ring', 'ring-upright'] as const)
  for (const way of ways) {
    const smooth = smoothedOften(photo, way.passes)
    for (const layout of layouts) yield printed(laidOut(smooth, center, layout, way, grain), way.shades)
  }
  const [way] = ways
  const smooth = smoothedOften(inverted(photo), way.passes)
  for (const layout of layouts) yield printed(laidOut(smooth, center, layout, way, grain), way.shades)
}

/** A point with more than this share of edges is the center of a wheel. */
const roundStrength = 0.2
/** At this strip height, letters are 30 to 60 pixels high in a photo with the whole wheel. */
const fullHeight = 380
const leastScale = 0.3
const wrapDegrees = 70
/** Ribs and scuffs of the rubber, present even in the cleanest photo, in shades. */
const leastGrain = 10

function smoothedOften(photo: GrayPicture, passes: number): GrayPicture {
  let smooth = photo
  for (let pass = 0; pass < passes; pass++) smooth = smoothed(smooth)
  return smooth
}

function laidOut(
  smooth: GrayPicture,
  center: Center,
  layout: 'ring' | 'ring-upright' | 'flat',
  way: Way,
  grain: number,
): GrayPicture {
  const laid =
    layout === 'flat'
      ? scaled(smooth, way.stripHeight / fullHeight)
      : ringStrip(smooth, center, layout === 'ring-upright', way.stripHeight)
  return evenedOut(
    laid,
    Math.max(8, Math.round(Math.min(laid.width, laid.height) / 24)),
    leastGrain + grain * way.grainShare,
  )
}

function ringStrip(photo: GrayPicture, center: Center, isUpright: boolean, stripHeight: number): GrayPicture {
  const ring = ringOf(photo, center, isUpright)
  return unwrapRing(photo, ring, Math.min(2, Math.max(leastScale, stripHeight / (ring.outer - ring.inner))))
}

/** The full circle around a center well inside the photo; otherwise the visible part of the ring. */
function ringOf({ width, height }: GrayPicture, { x, y }: Center, isUpright: boolean): Ring {
  const [beside, above] = [Math.min(x, width - x), Math.min(y, height - y)]
  if (Math.min(beside, above) > Math.min(width, height) / 4) {
    const room = Math.max(beside, above)
    // The strip is cut opposite to where its letters are most often read.
    return {
      x,
      y,
      inner: room * 0.34,
      outer: room,
      from: isUpright ? -90 - wrapDegrees / 2 : 90 - wrapDegrees / 2,
      degrees: 360 + wrapDegrees,
      isUpright,
    }
  }
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const
  const toMiddle = Math.atan2(height / 2 - y, width / 2 - x)
  const turns = corners.map(([cornerX, cornerY]) => turnFrom(toMiddle, Math.atan2(cornerY - y, cornerX - x)))
  const [least, most] = [Math.min(...turns), Math.max(...turns)]
  const outer = Math.max(...corners.map(([cornerX, cornerY]) => Math.hypot(cornerX - x, cornerY - y)))
  const inner = Math.hypot(Math.max(0, -x, x - width), Math.max(0, -y, y - height))
  const degrees = ((most - least) * 180) / Math.PI
  return {
    x,
    y,
    inner: Math.max(inner, outer * 0.2),
    outer,
    from: ((toMiddle + least) * 180) / Math.PI,
    degrees,
    isUpright,
  }
}

/** The shorter turn from one direction to another, in radians. */
function turnFrom(direction: number, other: number): number {
  const turn = other - direction
  return Math.atan2(Math.sin(turn), Math.cos(turn))
}
