import { LETTER_GRAIN, lettersOnArc, type Arc, type Lettering } from './lettering.ts'
import type { TirePictureData } from './picture-data.ts'
import { pictureKey } from './picture-key.ts'
import { project, shapeOf, type TireShape } from './projection.ts'
import { drawFace, sidewallGradients } from './sidewall.ts'
import { peakMark } from './sidewall-lettering.ts'
import { attribute, short } from './svg.ts'
import { drawCarcass, drawTreadBlocks } from './tread.ts'
import { treadPattern } from './tread-patterns.ts'

/**
 * The position of a marking on the sidewall. The size's markings are consecutive. `after` is the gap before one, in
 * letter heights.
 */
export type MarkPlace =
  | { readonly row: 'size'; readonly after?: number }
  | { readonly row: 'left' | 'right' | 'inner-top' | 'inner-bottom' | 'peaks' }

/** A marking. `id` names its group for the page's style (`.mark-width`), and `href` is its link. */
export type SidewallMark = {
  readonly id: string
  readonly text: string
  readonly href: string
  readonly place: MarkPlace
}

/**
 * Returns the tire's side view as a complete SVG with enlarged lettering, each marking with a separate link.
 * `.mark-band` is the clickable background, and `.mark-letters` the letters. Hidden from assistive technology because
 * the page has the same content as text. Throws a RangeError for a size that isn't drawable.
 */
export function drawMarkedSidewall(data: TirePictureData, marks: readonly SidewallMark[]): string {
  const pattern = treadPattern(data.kind)
  const projection = project(shapeOf(data.size, pattern), 0)
  const { shape } = projection
  const id = `m${pictureKey(data).slice(0, 8)}`
  const ids = { face: `${id}f`, light: `${id}l`, inside: `${id}i` }
  const rows = rowsOf(shape)
  const title = lettersOnArc(`${data.brand} ${data.line}`.toUpperCase(), { ...rows.title, maxDegrees: 96 })
  const reach = Math.ceil(shape.radius) + MARGIN
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="tire" viewBox="${-reach} ${-reach} ${2 * reach} ${2 * reach}" aria-hidden="true">` +
    `<defs>${sidewallGradients(shape, ids)}<clipPath id="${id}c"><path clip-rule="evenodd" d="${ring(reach)}${ring(shape.flangeRadius)}"/></clipPath></defs>` +
    `<g clip-path="url(#${id}c)">${drawCarcass(projection, pattern)}${drawTreadBlocks(projection, pattern, 1)}</g>` +
    drawFace(shape, ids, '', raise(title, `${id}t`, '')) +
    placed(marks, rows)
      .map(({ mark, arc, letters, degrees }, index) => link(mark, arc, letters, degrees, `${id}${index}`))
      .join('') +
    '</svg>'
  )
}

const MARGIN = 6

type Rows = Readonly<Record<'title' | 'size' | 'left' | 'right' | 'inner', Omit<Arc, 'maxDegrees'>>>
type Placed = { readonly mark: SidewallMark; readonly arc: Arc; readonly letters: Lettering; readonly degrees: number }

/**
 * Returns two circles around the rim. The outer is for large text, the inner for small print. Letters scale with the
 * sidewall's height, so that they fit low profiles.
 */
function rowsOf({ faceRadius, flangeRadius }: TireShape): Rows {
  const wall = faceRadius - flangeRadius
  const outer = flangeRadius + wall * 0.68
  return {
    title: { face: 'brand', at: -90, radiusMm: outer, capHeightMm: wall * 0.3, spacing: 0.06 },
    size: { face: 'size', at: 90, radiusMm: outer, capHeightMm: wall * 0.32, spacing: 0.05, isUpright: true },
    left: { face: 'size', at: 180, radiusMm: outer, capHeightMm: wall * 0.19, spacing: 0.07 },
    right: { face: 'line', at: 9, radiusMm: outer, capHeightMm: wall * 0.2, spacing: 0.05 },
    inner: { face: 'line', at: -90, radiusMm: flangeRadius + wall * 0.3, capHeightMm: wall * 0.13, spacing: 0.12 },
  }
}

function placed(marks: readonly SidewallMark[], rows: Rows): Placed[] {
  const single = marks.flatMap((mark): Placed[] => {
    if (mark.place.row === 'size') return []
    const row = mark.place.row
    const arc: Arc =
      row === 'inner-top' || row === 'inner-bottom'
        ? { ...rows.inner, at: row === 'inner-top' ? -90 : 90, isUpright: row === 'inner-bottom', maxDegrees: 150 }
        : { ...rows[row === 'peaks' ? 'right' : row], maxDegrees: 54, ...(row === 'peaks' ? { at: -9 } : {}) }
    const letters =
      row === 'peaks' ? { path: '', em: arc.capHeightMm / 0.7, degrees: 12 } : lettersOnArc(mark.text, arc)
    return [{ mark, arc, letters, degrees: letters.degrees }]
  })
  return [...inOneRow(marks, rows.size), ...single]
}

/**
 * The parts of the size side by side, the whole centered at the bottom. Together they are made smaller where they would
 * take up too much.
 */
function inOneRow(marks: readonly SidewallMark[], row: Rows['size']): Placed[] {
  const parts = marks.flatMap((mark) => (mark.place.row === 'size' ? [{ mark, after: mark.place.after ?? 0.16 }] : []))
  const measure = (capHeightMm: number) => {
    const degreesPerHeight = ((capHeightMm / row.radiusMm) * 180) / Math.PI
    const sized = parts.map(({ mark, after }, index) => {
      const arc = { ...row, capHeightMm, maxDegrees: 180 }
      return { mark, arc, gap: index === 0 ? 0 : after * degreesPerHeight, letters: lettersOnArc(mark.text, arc) }
    })
    return { sized, total: sized.reduce((sum, { gap, letters }) => sum + gap + letters.degrees, 0) }
  }
  const natural = measure(row.capHeightMm)
  const { sized, total } =
    natural.total > MAX_SIZE_DEGREES ? measure((row.capHeightMm * MAX_SIZE_DEGREES) / natural.total) : natural
  let before = 0
  return sized.map(({ mark, arc, gap, letters }) => {
    const at = row.at + total / 2 - before - gap - letters.degrees / 2
    before += gap + letters.degrees
    return { mark, arc: { ...arc, at }, letters: lettersOnArc(mark.text, { ...arc, at }), degrees: letters.degrees }
  })
}

const MAX_SIZE_DEGREES = 112

function link(
  { id, text, href, place }: SidewallMark,
  arc: Arc,
  letters: Lettering,
  degrees: number,
  unique: string,
): string {
  const sign =
    place.row === 'peaks'
      ? `<g class="mark-peaks">${peakMark(arc.radiusMm, arc.at, arc.capHeightMm / 13, unique)}</g>`
      : raise(letters, unique, 'mark-letters')
  return (
    `<a class="mark mark-${attribute(id)}" href="${attribute(href)}" tabindex="-1"><title>${attribute(text)}</title>` +
    `<path class="mark-band" d="${arcPath(arc.radiusMm, arc.at - degrees / 2 - 1, arc.at + degrees / 2 + 1)}" fill="none" stroke="#FFB400" stroke-opacity="0" ` +
    `stroke-width="${short((letters.em * 0.7 || arc.capHeightMm) * 1.7)}"/>${sign}</a>`
  )
}

function raise({ path, em }: Lettering, id: string, face: string): string {
  if (path === '') return ''
  const edge = Math.max(0.7, em * 0.035)
  return (
    `<defs><path id="${id}" transform="scale(${LETTER_GRAIN})" d="${path}"/></defs>` +
    `<use href="#${id}" x="${short(edge)}" y="${short(edge * 1.25)}" fill="#060708" fill-opacity=".85"/>` +
    `<use href="#${id}" class="${face}" fill="#b4b9c1"/>`
  )
}

function arcPath(radius: number, from: number, to: number): string {
  const at = (degrees: number) => {
    const turn = (degrees * Math.PI) / 180
    return `${short(radius * Math.cos(turn))} ${short(radius * Math.sin(turn))}`
  }
  return `M${at(from)}A${short(radius)} ${short(radius)} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`
}

function ring(radius: number): string {
  const r = short(radius)
  return `M-${r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1-${r} 0Z`
}
