/** What a reader of text is shown of one photo, likeliest first. It may stop as soon as it is sure. */
import { evenedOut, inverted, type GreyPicture } from './grey-picture.ts'
import { findCenter, unwrapRing, type Center, type Ring } from './unwrap.ts'

export type PictureView = { readonly name: 'ring' | 'ring-upright' | 'flat' | 'flat-dark' | 'ring-dark' | 'ring-upright-dark'; readonly picture: GreyPicture }

/**
 * The ring about the center laid straight, read from outside and from inside, and the photo as it is; each with light letters, then with dark ones.
 * `around` is where the shopper put the center; without it, it is looked for, and a photo without one is first read as it is. Each view is made when
 * it is asked for.
 */
export function* pictureViews(photo: GreyPicture, around?: { readonly x: number; readonly y: number }): Generator<PictureView, void> {
  const center: Center = around ? { ...around, strength: 1 } : findCenter(photo)
  const lightFlat = once(() => inverted(even(photo)))
  const ring = (isUpright: boolean) => once(() => inverted(even(ringStrip(photo, center, isUpright))))
  const [outward, upright] = [ring(false), ring(true)]
  const flat: () => PictureView = () => ({ name: 'flat', picture: lightFlat() })
  const isRound = center.strength > roundStrength
  if (!isRound) yield flat()
  yield { name: 'ring', picture: outward() }
  yield { name: 'ring-upright', picture: upright() }
  if (isRound) yield flat()
  yield { name: 'flat-dark', picture: inverted(lightFlat()) }
  yield { name: 'ring-dark', picture: inverted(outward()) }
  yield { name: 'ring-upright-dark', picture: inverted(upright()) }
}

/** Above this share of edges round one point, that point is the middle of a wheel. */
const roundStrength = 0.2
/** Letters of a strip so high are 20 to 60 pixels high, which readers of text like best. */
const stripHeight = 380
const wrapDegrees = 70

function even(picture: GreyPicture): GreyPicture {
  return evenedOut(picture, Math.max(8, Math.round(Math.min(picture.width, picture.height) / 12)))
}

function ringStrip(photo: GreyPicture, center: Center, isUpright: boolean): GreyPicture {
  const ring = ringOf(photo, center, isUpright)
  const height = ring.outer - ring.inner
  return unwrapRing(photo, ring, Math.min(2, Math.max(0.6, stripHeight / height)))
}

/** All round a center that lies well inside the photo; else the part of the ring that the photo shows. */
function ringOf({ width, height }: GreyPicture, { x, y }: Center, isUpright: boolean): Ring {
  const [beside, above] = [Math.min(x, width - x), Math.min(y, height - y)]
  if (Math.min(beside, above) > Math.min(width, height) / 4) {
    const room = Math.max(beside, above)
    // Where the strip is cut, it starts at the far side of where its letters are read most often.
    return { x, y, inner: room * 0.34, outer: room, from: isUpright ? -90 - wrapDegrees / 2 : 90 - wrapDegrees / 2, degrees: 360 + wrapDegrees, isUpright }
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
  return { x, y, inner: Math.max(inner, outer * 0.2), outer, from: ((toMiddle + least) * 180) / Math.PI, degrees, isUpright }
}

/** From one direction to another, by the shorter way, in radians. */
function turnFrom(direction: number, other: number): number {
  const turn = other - direction
  return Math.atan2(Math.sin(turn), Math.cos(turn))
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
