import { drawDimensions, drawParts } from './annotations.ts'
import { describeTire, type TirePictureData, type TireView } from './picture-data.ts'
import { pictureKey, settleView, type SettledView } from './picture-key.ts'
import { project, shapeOf, type Projection } from './projection.ts'
import { drawInside, drawSidewall, sidewallGradients } from './sidewall.ts'
import { attribute, short } from './svg.ts'
import { drawCarcass, drawTreadBlocks } from './tread.ts'
import { treadPattern } from './tread-patterns.ts'

/**
 * Returns the tire as a complete SVG document. The same data and view give the same bytes. Lengths are millimeters of
 * the tire, and the axle is the origin. The hole is transparent. Throws a RangeError for a size that isn't drawable or
 * a yaw outside 0 to 60.
 */
export function drawTire(data: TirePictureData, view?: TireView): string {
  const settled = settleView(view)
  const pattern = treadPattern(data.kind)
  const projection = project(shapeOf(data.size, pattern), settled.yaw)
  const { shape, cos, sin } = projection
  const id = `t${pictureKey(data, view).slice(0, 8)}`
  const ids = {
    face: `${id}f`,
    light: `${id}l`,
    inside: `${id}i`,
    opening: `${id}o`,
    rubber: `${id}r`,
    shadow: `${id}s`,
    letters: `${id}t`,
  }

  const reach = Math.ceil(Math.max(shape.radius, projection.halfWidth)) + MARGIN
  const defs =
    sidewallGradients(shape, ids) +
    `<clipPath id="${ids.opening}"><ellipse ${projection.ellipse(shape.faceDepth, shape.flangeRadius)}/></clipPath>` +
    // A mask instead of a clip path. It's applied once to the finished tire, so the edge of the hole stays smooth with
    // any number of layers.
    `<mask id="${ids.rubber}" maskUnits="userSpaceOnUse" x="-${reach}" y="-${reach}" width="${2 * reach}" height="${2 * reach}">` +
    `<path fill="#fff" fill-rule="evenodd" d="M-${reach}-${reach}h${2 * reach}v${2 * reach}h-${2 * reach}z${hole(projection)}"/></mask>`
  const tire =
    `<g mask="url(#${ids.rubber})">${drawCarcass(projection, pattern)}${drawTreadBlocks(projection, pattern, settled.detail)}${drawInside(projection, ids)}` +
    `<g transform="translate(${short(shape.faceDepth * sin)})scale(${cos.toFixed(4)} 1)">${drawSidewall(shape, data, settled.detail, ids)}</g></g>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="tire" viewBox="${frameOf(projection, settled).map(short).join(' ')}" role="img" aria-label="${attribute(describeTire(data))}">` +
    `<defs>${defs}</defs>${settled.shadow ? groundShadow(projection, ids.shadow) : ''}${tire}` +
    `${settled.parts ? drawParts(projection) : ''}${settled.dimensions ? drawDimensions(projection, data.size) : ''}</svg>`
  )
}

/** How wide and high the drawing is, in mm of the tire, so that a page can keep its place free. */
export function pictureProportions(data: TirePictureData, view?: TireView): { widthMm: number; heightMm: number } {
  const settled = settleView(view)
  const [, , widthMm, heightMm] = frameOf(project(shapeOf(data.size, treadPattern(data.kind)), settled.yaw), settled)
  return { widthMm, heightMm }
}

const MARGIN = 10
const ROOM_FOR_SHADOW = 18
const ROOM_FOR_DIMENSIONS = 118

type Frame = [left: number, top: number, width: number, height: number]

function frameOf({ shape, halfWidth }: Projection, { frame, shadow, dimensions }: SettledView): Frame {
  if (typeof frame === 'object')
    return [-frame.widthMm / 2, shape.radius + frame.groundMm - frame.heightMm, frame.widthMm, frame.heightMm]
  const tireWidth = 2 * (halfWidth + MARGIN)
  const tireHeight = 2 * (shape.radius + MARGIN) + (shadow ? ROOM_FOR_SHADOW : 0)
  const width = frame === 'square' ? Math.max(tireWidth, tireHeight) : tireWidth
  const height = frame === 'square' ? width : tireHeight
  const top = -shape.radius - MARGIN - (height - tireHeight) / 2
  return [-width / 2, top, width + (dimensions ? ROOM_FOR_DIMENSIONS : 0), height]
}

/**
 * Returns the opening, the part of the far bead's circle that is visible through the near one. Returns "" if it isn't
 * visible.
 */
function hole({ shape, sin, cos }: Projection): string {
  const [nearRadius, farRadius] = [shape.flangeRadius, shape.rimRadius]
  // Without the narrowing by the turn both edges are circles, this far apart.
  const apart = ((shape.faceDepth + shape.beadDepth) * sin) / cos
  const farX = (-shape.beadDepth * sin) / cos
  const arc = (radius: number, isLarge: boolean) => `A${short(radius * cos)} ${short(radius)} 0 ${isLarge ? 1 : 0} 1 `
  if (apart <= nearRadius - farRadius) {
    const [left, right] = [short((farX - farRadius) * cos), short((farX + farRadius) * cos)]
    return `M${left} 0${arc(farRadius, false)}${right} 0${arc(farRadius, false)}${left} 0Z`
  }
  if (apart >= nearRadius + farRadius) return ''
  // The two circles cross at the top and the bottom of a lens, so far to the near side of the far circle's middle.
  const across = (apart ** 2 - nearRadius ** 2 + farRadius ** 2) / (2 * apart)
  const x = short((farX + across) * cos)
  const y = short(Math.sqrt(farRadius ** 2 - across ** 2))
  return `M${x}-${y}${arc(farRadius, across < 0)}${x} ${y}${arc(nearRadius, across > apart)}${x}-${y}Z`
}

function groundShadow({ shape, halfWidth }: Projection, id: string): string {
  return (
    `<defs><radialGradient id="${id}"><stop offset="0" stop-color="#14161a" stop-opacity=".42"/><stop offset=".6" stop-color="#14161a" stop-opacity=".16"/>` +
    `<stop offset="1" stop-color="#14161a" stop-opacity="0"/></radialGradient></defs>` +
    `<ellipse cy="${short(shape.radius - 2)}" rx="${short(halfWidth * 0.8)}" ry="${short(shape.radius * 0.045)}" fill="url(#${id})"/>`
  )
}
