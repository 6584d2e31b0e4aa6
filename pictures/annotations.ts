import { LETTER_GRAIN, lettersOnLine } from './lettering.ts'
import type { PictureSize } from './picture-data.ts'
import { sectionAt, type Projection } from './projection.ts'
import { short, type Point } from './svg.ts'

const SIGNAL = '#FFB400'
const LINE = '#5B616E'
const INK = '#14161A'

/** The three measures a size names, each a group that stays unlit until the page's style gives it an opacity. */
export function drawParts({ shape, point, surface, ellipse }: Projection): string {
  const across = (152 * Math.PI) / 180
  const width = Array.from({ length: 25 }, (_, i) => -1 + (2.5 * i) / 24).map((u) => surface(across, u, -2))
  const down = (40 * Math.PI) / 180
  const edge = sectionAt(shape, 1)
  const sidewall = [
    point(down, shape.faceDepth, shape.flangeRadius),
    point(down, shape.faceDepth, shape.faceRadius),
    point(down, edge.depth, edge.radius),
  ]
  const group = (part: string, content: string) =>
    `<g class="part part-${part}" fill="none" stroke="${SIGNAL}" stroke-width="6" stroke-linejoin="round" opacity="0">${content}</g>`
  const measured = (line: Point[]) =>
    `<polyline points="${line.flat().map(short).join(' ')}"/>${[line[0]!, line.at(-1)!].map(dot).join('')}`
  return (
    group('width', measured(width)) +
    group('sidewall', measured(sidewall)) +
    group('rim', `<ellipse ${ellipse(shape.faceDepth, shape.flangeRadius)}/>`)
  )
}

/** The height of the tire at its right and of the rim in its hole, in inches. */
export function drawDimensions({ shape, halfWidth, sin }: Projection, size: PictureSize): string {
  // Half way between the two openings the rim's true height falls just inside both.
  const middleOfHole = ((shape.faceDepth - shape.beadDepth) / 2) * sin
  return (
    measuredLine(halfWidth + 72, shape.radius, `${(size.overallDiameterMm / 25.4).toFixed(1)} in`) +
    measuredLine(middleOfHole, shape.rimRadius, `${size.rimIn} in`)
  )
}

function dot([x, y]: Point): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="7" fill="${SIGNAL}" stroke="none"/>`
}

/** An upright line from -half to half with a mark at each end, broken round its label. */
function measuredLine(x: number, half: number, label: string): string {
  // Drawn around their own origin, so that a page can scale them in place.
  const letters = lettersOnLine(label, { face: 'label', x: 0, y: 0, em: 18 })
  const [at, left, right, end] = [x, x - 7, x + 7, half].map(short)
  return (
    `<path class="dimension-line" d="M${at}-${end}V-20M${at} 20V${end}M${left}-${end}H${right}M${left} ${end}H${right}" fill="none" stroke="${LINE}" stroke-width="1.4"/>` +
    `<g transform="translate(${at})"><path class="dimension-label" transform="scale(${LETTER_GRAIN})" d="${letters}" fill="${INK}"/></g>`
  )
}
