import { GLYPH_FACES } from './glyphs/glyph-table.ts'
import { createPen, short, type Point } from './svg.ts'

/** Letters of one width and weight of the font. Units are 1/1000 of the letter size, y up. */
export type GlyphFace = {
  readonly capHeight: number
  /** Each letter's advance, and its outline in M, L, Q, and Z commands. */
  readonly glyphs: { readonly [letter: string]: readonly [advance: number, outline: string] }
  /** Pairs set closer or wider than their advances say: "AV-65 LT-160". */
  readonly kerning: string
}

export type FaceName = keyof typeof GLYPH_FACES

export type Lettering = {
  /** All letters as one path's text, in LETTER_GRAINs; "" when no letter of the text is known. */
  readonly path: string
  /** Letter size (the em), in mm. */
  readonly em: number
  /** The angle the text takes up, in degrees. */
  readonly degrees: number
}

/** The precision of letters in mm. */
export const LETTER_GRAIN = 0.1

export type Arc = {
  readonly face: FaceName
  /** The position of the text's center, in degrees clockwise from the right. */
  readonly at: number
  /** The circle that runs through the middle of the letters' height. */
  readonly radiusMm: number
  readonly capHeightMm: number
  /** Letters are made smaller where the text would take up more than this. */
  readonly maxDegrees: number
  /** Between letters, in ems. */
  readonly spacing: number
  /** Letter tops inwards, to be read at the bottom of the circle. */
  readonly isUpright?: boolean
}

/**
 * `text` set round a circle about the origin. A letter the font does not have is set without its accent; one that is
 * still not known is left out.
 */
export function lettersOnArc(text: string, arc: Arc): Lettering {
  const { letters, em, baseline, degrees } = layOnArc(text, arc)
  const pen = createPen(LETTER_GRAIN)
  for (const { glyph, turn } of letters) {
    const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
    trace(pen, glyph, em, (x, y) => [x * cos - (y + baseline) * sin, x * sin + (y + baseline) * cos])
  }
  return { path: pen.text(), em, degrees }
}

/** Returns several texts as elements that define each letter once and reuse it. This is shorter for small print. */
export function repeatedLettersOnArcs(
  texts: readonly { readonly text: string; readonly arc: Arc }[],
  idPrefix: string,
): string {
  const shapes = new Map<string, string>()
  const idOf = (glyph: Glyph, em: number) => {
    const pen = createPen(LETTER_GRAIN)
    trace(pen, glyph, em, (x, y) => [x, y])
    const id = shapes.get(pen.text()) ?? `${idPrefix}${shapes.size}`
    shapes.set(pen.text(), id)
    return id
  }
  const uses = texts.flatMap(({ text, arc }) => {
    const { letters, em, baseline } = layOnArc(text, arc)
    return letters
      .filter(({ glyph }) => glyph.steps.length > 0)
      .map(
        ({ glyph, turn }) =>
          `<use href="#${idOf(glyph, em)}" y="${short(baseline)}" transform="rotate(${short(turn)})"/>`,
      )
  })
  return `<defs>${[...shapes].map(([path, id]) => `<path id="${id}" transform="scale(${LETTER_GRAIN})" d="${path}"/>`).join('')}</defs>${uses.join('')}`
}

/** `text` set level, its middle at (x, y) in mm, `em` mm large; a path's text in LETTER_GRAINs. */
export function lettersOnLine(text: string, line: { face: FaceName; x: number; y: number; em: number }): string {
  const { letters, width } = setText(text, line.face, 0)
  const foot = line.y + (GLYPH_FACES[line.face].capHeight / 2000) * line.em
  const pen = createPen(LETTER_GRAIN)
  for (const { glyph, middle } of letters)
    trace(pen, glyph, line.em, (x, y) => [line.x + (middle - width / 2) * line.em + x, foot + y])
  return pen.text()
}

/**
 * `text` set level from `x` to the right, its feet at `y`, in the unit of `x`; smaller than `em` where it would be
 * longer than `maxLength`. A path's text in LETTER_GRAINs.
 */
export function lettersFromLeft(
  text: string,
  line: { face: FaceName; x: number; y: number; em: number; maxLength: number },
): string {
  const { letters, width } = setText(text, line.face, 0)
  const em = width > 0 ? Math.min(line.em, line.maxLength / width) : line.em
  const pen = createPen(LETTER_GRAIN)
  for (const { glyph, middle } of letters) trace(pen, glyph, em, (x, y) => [line.x + middle * em + x, line.y + y])
  return pen.text()
}

/** More than any sidewall has. Limits the size of the drawing. */
const MAX_LETTERS = 80

/** Height of a capital as a share of the letter size. */
const CAP_SHARE = 0.7

type Glyph = {
  readonly advance: number
  readonly steps: readonly { readonly command: string; readonly at: readonly number[] }[]
}
type Face = { readonly glyph: (letter: string) => Glyph | undefined; readonly kerning: ReadonlyMap<string, number> }

/**
 * Each letter with the degrees the page is turned to set it, upright, on the vertical through the origin, its foot at y
 * = `baseline`.
 */
function layOnArc(
  text: string,
  arc: Arc,
): { letters: { glyph: Glyph; turn: number }[]; em: number; baseline: number; degrees: number } {
  const line = setText(text, arc.face, arc.spacing)
  const maxLength = (arc.maxDegrees * Math.PI * arc.radiusMm) / 180
  const em = Math.min(arc.capHeightMm / CAP_SHARE, line.width > 0 ? maxLength / line.width : Infinity)
  const way = arc.isUpright ? -1 : 1
  const radius = arc.radiusMm - (way * em * CAP_SHARE) / 2
  const degreesPerEm = ((em / radius) * 180) / Math.PI
  return {
    letters: line.letters.map(({ glyph, middle }) => ({
      glyph,
      turn: arc.at + way * (90 + (middle - line.width / 2) * degreesPerEm),
    })),
    em,
    baseline: -way * radius,
    degrees: line.width * degreesPerEm,
  }
}

/** The letters with the middle of each one's advance, and the whole width, in ems; `spacing` ems between letters. */
function setText(
  text: string,
  faceName: FaceName,
  spacing: number,
): { letters: { glyph: Glyph; middle: number }[]; width: number } {
  const face = openFace(faceName)
  const letters: { glyph: Glyph; middle: number }[] = []
  let right = 0
  let before = ''
  for (const character of text.slice(0, MAX_LETTERS).normalize('NFC')) {
    const plain = character.normalize('NFD')[0]!
    const glyph = face.glyph(character) ?? face.glyph(plain)
    if (!glyph) continue
    if (before) right += (face.kerning.get(before + plain) ?? 0) / 1000 + spacing
    letters.push({ glyph, middle: right + glyph.advance / 2000 })
    right += glyph.advance / 1000
    before = plain
  }
  return { letters, width: right }
}

/** Renders a letter through `place`, with its center at x = 0 and its baseline at y = 0 (y down). */
function trace(
  pen: ReturnType<typeof createPen>,
  glyph: Glyph,
  em: number,
  place: (x: number, y: number) => Point,
): void {
  const put = (x: number, y: number) => place(((x - glyph.advance / 2) * em) / 1000, (-y * em) / 1000)
  for (const { command, at } of glyph.steps) {
    const [x, y] = put(at[0] ?? 0, at[1] ?? 0)
    if (command === 'M') pen.move(x, y)
    else if (command === 'L') pen.line(x, y)
    else if (command === 'Q') pen.curve(x, y, ...put(at[2]!, at[3]!))
    else pen.close()
  }
}

const faces = new Map<FaceName, Face>()

/** Reads each face and each letter once, when it is first asked for. */
function openFace(name: FaceName): Face {
  const open = faces.get(name)
  if (open) return open
  const { glyphs, kerning } = GLYPH_FACES[name]
  const read = new Map<string, Glyph>()
  const face: Face = {
    glyph(letter) {
      const known = read.get(letter)
      if (known || !Object.hasOwn(glyphs, letter)) return known
      const [advance, outline] = glyphs[letter]!
      const steps = [...outline.matchAll(/([MLQZ])([^MLQZ]*)/g)].map(([, command, at]) => ({
        command: command!,
        at: at ? at.split(' ').map(Number) : [],
      }))
      const glyph = { advance, steps }
      read.set(letter, glyph)
      return glyph
    },
    kerning: new Map(kerning ? kerning.split(' ').map((pair) => [pair.slice(0, 2), Number(pair.slice(2))]) : []),
  }
  faces.set(name, face)
  return face
}
