import type { Detail, TirePictureData } from './picture-data.ts'
import { isTall, type Projection, type TireShape } from './projection.ts'
import { drawSidewallLettering } from './sidewall-lettering.ts'
import { mix, short, type Rgb } from './svg.ts'

const LINER_DARK: Rgb = [30, 32, 36]
const LINER_LIT: Rgb = [72, 76, 84]

/** Renders the inner wall through the near bead, with the liner, the far bead, and the throat between the beads. */
export function drawInside(projection: Projection, ids: { inside: string; opening: string }): string {
  const { shape } = projection
  const throat = Array.from({ length: 7 }, (_, i) => {
    const way = i / 6
    const depth = shape.beadDepth + (shape.faceDepth - shape.beadDepth) * way
    const radius = shape.rimRadius + (shape.flangeRadius - shape.rimRadius) * way ** 2
    return `<ellipse ${projection.ellipse(depth, radius + 3)} stroke="${mix(LINER_DARK, LINER_LIT, Math.sin(way * Math.PI) * 0.8)}"/>`
  })
  return (
    `<ellipse ${projection.ellipse(shape.faceDepth, shape.flangeRadius + 1)} fill="url(#${ids.inside})"/>` +
    `<g clip-path="url(#${ids.opening})" fill="none" stroke-width="7">` +
    `<ellipse ${projection.ellipse(-shape.beadDepth, shape.rimRadius * 1.05)} stroke="#2c2f35" stroke-width="14"/>` +
    `<ellipse ${projection.ellipse(-shape.beadDepth, shape.rimRadius * 1.012)} stroke="#4b4f57" stroke-width="3"/>` +
    `${throat.join('')}</g>`
  )
}

/**
 * Renders the near sidewall from the front, around the origin, with rubber, mold rings, serration, lettering, and the
 * light.
 */
export function drawSidewall(
  shape: TireShape,
  data: TirePictureData,
  detail: Detail,
  ids: { face: string; light: string; letters: string },
): string {
  const { faceRadius, flangeRadius } = shape
  const wall = faceRadius - flangeRadius
  const bandRadius = flangeRadius + wall * 0.58
  const lettering = drawSidewallLettering(shape, data, detail, { wall, bandRadius, idPrefix: ids.letters })
  const band = wall * (isTall(shape) ? 0.44 : 0.5)
  const { top, left, right } = lettering.taken
  const fromBrand = top / 2 + 7
  const serration =
    detail === 0
      ? ''
      : serrated(
          bandRadius,
          band,
          Math.max(-90 - fromBrand - SERRATION, -180 + left / 2 + 5),
          -90 - fromBrand,
          detail,
        ) + serrated(bandRadius, band, -90 + fromBrand, Math.min(-90 + fromBrand + SERRATION, -right / 2), detail)
  return drawFace(shape, ids, serration, lettering.svg)
}

/** Renders the near sidewall's rubber with its mold rings. `raised` is below the light. */
export function drawFace(
  { faceRadius, flangeRadius }: TireShape,
  ids: { face: string; light: string },
  serration: string,
  raised: string,
): string {
  return (
    `<path fill-rule="evenodd" d="${annulus(faceRadius + 0.8, flangeRadius)}" fill="url(#${ids.face})"/>` +
    `<g fill="none">${moldRings(faceRadius, flangeRadius, faceRadius - flangeRadius)}${serration}</g>` +
    raised +
    `<path fill-rule="evenodd" d="${annulus(faceRadius + 0.8, flangeRadius)}" fill="url(#${ids.light})"/>`
  )
}

/** Gradients for the two functions above, by the same ids. */
export function sidewallGradients(shape: TireShape, ids: { face: string; light: string; inside: string }): string {
  const { faceRadius, flangeRadius, rimRadius } = shape
  const wall = faceRadius - flangeRadius
  const stops: [radius: number, color: string][] = [
    [flangeRadius, '#17191c'],
    [flangeRadius + wall * 0.05, '#3a3d44'],
    [flangeRadius + wall * 0.085, '#1d1f23'],
    [flangeRadius + wall * 0.16, '#22252a'],
    [flangeRadius + wall * 0.5, '#33363d'],
    [flangeRadius + wall * 0.72, '#3d4047'],
    [flangeRadius + wall * 0.9, '#34373d'],
    [faceRadius + 1, '#2a2d32'],
  ]
  const rubber = stops.map(
    ([radius, color]) => `<stop offset="${(radius / (faceRadius + 1)).toFixed(4)}" stop-color="${color}"/>`,
  )
  return (
    `<radialGradient id="${ids.face}" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="${short(faceRadius + 1)}">${rubber.join('')}</radialGradient>` +
    `<linearGradient id="${ids.light}" gradientUnits="userSpaceOnUse" x1="${short(-faceRadius * 0.62)}" y1="${short(-faceRadius * 0.8)}" x2="${short(faceRadius * 0.6)}" y2="${short(faceRadius * 0.8)}">` +
    '<stop offset="0" stop-color="#fff" stop-opacity=".3"/><stop offset=".34" stop-color="#fff" stop-opacity=".06"/>' +
    '<stop offset=".5" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".5"/></linearGradient>' +
    `<linearGradient id="${ids.inside}" gradientUnits="userSpaceOnUse" x1="${short(-rimRadius)}" y1="${short(-rimRadius)}" x2="${short(rimRadius)}" y2="${short(rimRadius * 0.8)}">` +
    '<stop offset="0" stop-color="#08090a"/><stop offset=".55" stop-color="#141619"/><stop offset="1" stop-color="#3b3e45"/></linearGradient>'
  )
}

function moldRings(faceRadius: number, flangeRadius: number, wall: number): string {
  const ring = (radius: number, color: string, width: number, opacity: number) =>
    `<circle r="${short(radius)}" stroke="${color}" stroke-width="${width}" stroke-opacity="${opacity}"/>`
  return (
    ring(faceRadius - wall * 0.05, '#0d0e10', 1.6, 0.9) +
    ring(faceRadius - wall * 0.05 - 2, '#6b7079', 1, 0.5) +
    ring(flangeRadius + wall * 0.23, '#0d0e10', 1.4, 0.9) +
    ring(flangeRadius + wall * 0.23 + 1.6, '#747982', 1, 0.45) +
    ring(flangeRadius + wall * 0.115, '#777c86', 1.3, 0.55) +
    ring(flangeRadius + wall * 0.02, '#000', 2.4, 0.6)
  )
}

/** How many degrees of fine ribs stand on either side of the brand where there is room. */
const SERRATION = 26

/** Renders fine radial ribs as one wide arc with dashes. Skipped if the letters leave too little room. */
function serrated(radius: number, width: number, from: number, to: number, detail: Detail): string {
  const at = (degrees: number) => {
    const turn = (degrees * Math.PI) / 180
    return `${short(radius * Math.cos(turn))} ${short(radius * Math.sin(turn))}`
  }
  if (to - from < SERRATION / 2) return ''
  const dash = (((SERRATION * Math.PI) / 180) * radius) / (detail > 1 ? 34 : 20) / 2
  return `<path d="M${at(from)}A${short(radius)} ${short(radius)} 0 0 1 ${at(to)}" stroke="#0c0d0f" stroke-opacity=".55" stroke-width="${short(width)}" stroke-dasharray="${dash.toFixed(2)}"/>`
}

function annulus(outer: number, inner: number): string {
  const circle = (radius: number) => {
    const r = short(radius)
    return `M-${r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1-${r} 0Z`
  }
  return circle(outer) + circle(inner)
}
