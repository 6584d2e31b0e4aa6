import { drawDimensions, drawParts } from './annotations.ts'
import { describeTire, type TirePictureData, type TireView } from './picture-data.ts'
import { pictureKey, settleView, type SettledView } from './picture-key.ts'
import { project, shapeOf, type Projection } from './projection.ts'
import { drawInside, drawSidewall, sidewallGradients } from './sidewall.ts'
import { attribute, short } from './svg.ts'
import { drawCarcass, drawTreadBlocks } from './tread.ts'
import { treadPattern } from './tread-patterns.ts'

/**
 * The tire as a complete SVG document, from its data alone: the same data and view give the same bytes. Lengths inside are millimeters of the
 * tire; the axle is the origin. The hole is transparent. Throws a RangeError for a size that is not drawable or a yaw outside 0 to 60.
 */
export function drawTire(data: TirePictureData, view?: TireView): string {
  const settled = settleView(view)
  const pattern = treadPattern(data.kind)
  const projection = project(shapeOf(data.size, pattern), settled.yaw)
  const { shape, cos, sin, halfWidth } = projection
  const prefix = `t${settled.idPrefix}${pictureKey(data, view).slice(0, 8)}`
  const ids = { face: `${prefix}f`, light: `${prefix}l`, inside: `${prefix}i`, opening: `${prefix}o`, hole: `${prefix}h`, shadow: `${prefix}s`, letters: `${prefix}t` }

  const reach = `x="${short(-halfWidth - 40)}" y="${short(-shape.radius - 40)}" width="${short(2 * halfWidth + 80)}" height="${short(2 * shape.radius + 80)}"`
  const defs =
    sidewallGradients(shape, ids) +
    `<clipPath id="${ids.opening}"><ellipse ${projection.ellipse(shape.faceDepth, shape.flangeRadius)}/></clipPath>` +
    // What is seen through: the near opening, as far as the far bead leaves it open.
    `<mask id="${ids.hole}" maskUnits="userSpaceOnUse" ${reach}><rect ${reach} fill="#fff"/>` +
    `<g clip-path="url(#${ids.opening})"><ellipse ${projection.ellipse(-shape.beadDepth, shape.rimRadius)}/></g></mask>`
  const tire =
    `<g mask="url(#${ids.hole})">${drawCarcass(projection, pattern)}${drawTreadBlocks(projection, pattern, settled.detail)}${drawInside(projection, ids)}` +
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
  const width = 2 * (halfWidth + MARGIN)
  const height = 2 * (shape.radius + MARGIN) + (shadow ? ROOM_FOR_SHADOW : 0)
  const top = -shape.radius - MARGIN
  if (frame === 'tight') return [-width / 2, top, width + (dimensions ? ROOM_FOR_DIMENSIONS : 0), height]
  if (frame === 'square') {
    const side = Math.max(width, height)
    return [-side / 2, top - (side - height) / 2, side, side]
  }
  return [-frame.widthMm / 2, shape.radius + frame.groundMm - frame.heightMm, frame.widthMm, frame.heightMm]
}

function groundShadow({ shape, halfWidth }: Projection, id: string): string {
  return (
    `<defs><radialGradient id="${id}"><stop offset="0" stop-color="#14161a" stop-opacity=".42"/><stop offset=".6" stop-color="#14161a" stop-opacity=".16"/>` +
    `<stop offset="1" stop-color="#14161a" stop-opacity="0"/></radialGradient></defs>` +
    `<ellipse cy="${short(shape.radius - 2)}" rx="${short(halfWidth * 0.8)}" ry="${short(shape.radius * 0.045)}" fill="url(#${id})"/>`
  )
}
