import type { TirePictureData } from './picture-data.ts'
import { fnv1a64 } from './picture-key.ts'
import { shapeOf } from './projection.ts'
import { attribute, closedPath, openPath, short, type Point } from './svg.ts'
import { treadPattern } from './tread-patterns.ts'

/** How far over the tread's edge the strip still shows. */
const REACH = 1.1

/** The finest step drawn, in mm. */
const GRAIN = 0.5

/**
 * The tread unrolled and seen from above, as a complete SVG document: `lengthMm` of it (420 if not given), as wide as
 * the tire's tread. The picture fills whatever box it is put into and is cut off where it does not fit.
 */
export function drawTread(data: TirePictureData, { lengthMm = 420 }: { lengthMm?: number } = {}): string {
  const pattern = treadPattern(data.kind)
  const shape = shapeOf(data.size, pattern)
  const width = 2 * shape.treadHalfWidth * REACH
  const pitch = (2 * Math.PI * shape.radius) / pattern.pitches
  const place = ([p, u]: Point): Point => [p * pitch, Math.max(-REACH, Math.min(REACH, u)) * shape.treadHalfWidth]
  const id = `s${fnv1a64(`${data.kind} ${width} ${pitch} ${lengthMm}`)}`

  const end = lengthMm / pitch + 1
  const ribs = closedPath(
    pattern.ribs.map(([from, to]) =>
      (
        [
          [-1, from],
          [end, from],
          [end, to],
          [-1, to],
        ] as const
      ).map(place),
    ),
    GRAIN,
  )
  const layers = {
    block: closedPath(
      pattern.blocks.map((block) => block.map(place)),
      GRAIN,
    ),
    cut: closedPath(
      pattern.cuts.map((cut) => cut.map(place)),
      GRAIN,
    ),
    sipe: openPath(
      pattern.sipes.map((line) => line.map(place)),
      GRAIN,
    ),
  }
  // Defines one pitch of each layer and repeats it. A slanted block can start two pitches before the edge.
  const repeated = (name: keyof typeof layers, attributes: string) => {
    if (layers[name] === '') return ''
    const copies = Array.from(
      { length: Math.ceil(lengthMm / pitch) + 4 },
      (_, i) => `<use href="#${id}${name}" x="${short(((i - 2) * pitch) / GRAIN)}"/>`,
    )
    return `<g ${attributes}>${copies.join('')}</g>`
  }
  const blocks = (attributes: string) => `<g ${attributes}><path d="${ribs}"/>${repeated('block', '')}</g>`
  const paper = `y="${short(-width / 2)}" width="${short(lengthMm)}" height="${short(width)}"`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="tread" viewBox="0 ${short(-width / 2)} ${short(lengthMm)} ${short(width)}" preserveAspectRatio="xMidYMid slice" role="img" aria-label="${attribute(`Tread pattern of ${data.brand} ${data.line}, unrolled`)}">` +
    `<defs>${Object.entries(layers)
      .map(([name, d]) => (d ? `<path id="${id}${name}" d="${d}"/>` : ''))
      .join('')}` +
    `<linearGradient id="${id}light" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".02"/>` +
    '<stop offset=".4" stop-color="#fff" stop-opacity=".18"/><stop offset="1" stop-color="#000" stop-opacity=".45"/></linearGradient></defs>' +
    `<rect ${paper} fill="#0d0e10"/><g transform="scale(${GRAIN})">` +
    blocks('fill="#15171a" transform="translate(3 4)"') +
    blocks('fill="#3c4047"') +
    repeated('cut', 'fill="#0d0e10"') +
    repeated('sipe', 'fill="none" stroke="#0d0e10" stroke-width="2.6"') +
    `</g><rect ${paper} fill="url(#${id}light)"/></svg>`
  )
}
