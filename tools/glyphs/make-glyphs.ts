/**
 * Writes `pictures/glyphs/glyph-table.ts`: the outlines of the letters on a tire, from the Archivo variable font in the
 * widths and weights that the drawing uses. An SVG in an image tag can't use a page's fonts, so its letters are paths.
 * Run it manually after changing the font or a set below: `node tools/glyphs/make-glyphs.ts`. The outlines are under
 * the font's license (`OFL.txt` next to the table).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import type { GlyphFace } from '#pictures/lettering.ts'
import { unpackWoff2 } from './woff2.ts'

const DIGITS = '0123456789'
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const WESTERN_CAPITALS = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ'
const SIDEWALL = `${CAPITALS}${DIGITS} .,:;!?'’"&+-–/()#*@%=<>·®™${WESTERN_CAPITALS}`

const FACES = {
  brand: { wdth: 125, wght: 800, letters: SIDEWALL },
  line: { wdth: 125, wght: 700, letters: SIDEWALL },
  size: { wdth: 118, wght: 700, letters: `${CAPITALS}${DIGITS} ./-()` },
  label: { wdth: 100, wght: 600, letters: `${DIGITS} .,/-${CAPITALS.toLowerCase()}` },
}

export function makeGlyphFaces(): Record<keyof typeof FACES, GlyphFace> {
  const file = createRequire(import.meta.url).resolve(
    '@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2',
  )
  // fontkit cannot vary outlines of WOFF2 fonts, only of plain TrueType.
  const font = create(Buffer.from(unpackWoff2(readFileSync(file))))
  const face = ({ letters, ...axes }: { wdth: number; wght: number; letters: string }) =>
    faceOf(font.getVariation(axes), letters)
  return { brand: face(FACES.brand), line: face(FACES.line), size: face(FACES.size), label: face(FACES.label) }
}

function faceOf(font: Font, letters: string): GlyphFace {
  const glyphs = Array.from(
    letters,
    (letter) => [letter, font.glyphForCodePoint(letter.codePointAt(0)!)] as const,
  ).filter(([, glyph]) => glyph.id !== 0)
  return {
    capHeight: Math.round(font.capHeight),
    glyphs: Object.fromEntries(
      glyphs.map(([letter, glyph]) => [letter, [Math.round(glyph.advanceWidth), outline(glyph.path.commands)]]),
    ),
    kerning: kerning(
      font,
      glyphs.map(([letter]) => letter),
    ),
  }
}

function outline(commands: { command: string; args: number[] }[]): string {
  const letters: Record<string, string> = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', closePath: 'Z' }
  return commands.map(({ command, args }) => letters[command] + args.map(Math.round).join(' ')).join('')
}

/**
 * Pairs of plain letters and signs that the font sets closer or wider, as "AV-65 LT-160"; accented letters follow their
 * base letter.
 */
function kerning(font: Font, letters: readonly string[]): string {
  const plain = letters.filter((letter) => letter > ' ' && letter < '\x7f')
  const pairs: string[] = []
  for (const left of plain) {
    for (const right of plain) {
      const { glyphs, positions } = font.layout(left + right)
      const kern = Math.round((positions[0]?.xAdvance ?? 0) - (glyphs[0]?.advanceWidth ?? 0))
      if (glyphs.length === 2 && Math.abs(kern) >= 8) pairs.push(`${left}${right}${kern}`)
    }
  }
  return pairs.join(' ')
}

if (import.meta.main) {
  const faces = Object.entries(makeGlyphFaces()).map(([name, { capHeight, glyphs, kerning }]) => {
    const lines = Object.entries(glyphs).map(
      ([letter, glyph]) => `      ${JSON.stringify(letter)}: ${JSON.stringify(glyph)},\n`,
    )
    return `  ${name}: {\n    capHeight: ${capHeight},\n    glyphs: {\n${lines.join('')}    },\n    kerning: ${JSON.stringify(kerning)},\n  },\n`
  })
  const source = `// Written by tools/glyphs/make-glyphs.ts from Archivo (SIL Open Font License 1.1, see OFL.txt). Do not edit.
import type { GlyphFace } from '../lettering.ts'

/** Outlines in 1/1000 of the letter size, y up. */
export const GLYPH_FACES: Record<${Object.keys(FACES)
    .map((name) => `'${name}'`)
    .join(' | ')}, GlyphFace> = {\n${faces.join('')}}\n`
  writeFileSync(new URL('../../pictures/glyphs/glyph-table.ts', import.meta.url), source)
}
