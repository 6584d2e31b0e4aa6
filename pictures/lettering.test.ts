import { expect, test } from 'vitest'
import { GLYPH_FACES } from './glyphs/glyph-table.ts'
import { lettersOnArc, lettersOnLine, repeatedLettersOnArcs, type Arc } from './lettering.ts'

const onTop: Arc = { face: 'brand', at: -90, radiusMm: 300, capHeightMm: 42, maxDegrees: 120, spacing: 0.05 }

test('the widths and the kerning are those a browser sets', () => {
  // Measured in Chromium 153 with the same font at 800 weight, 125 % width, 1000 px: "A" 933, "AV" 1771.56, "AT"
  // 1643.28, "LT" 1442.
  const { glyphs, kerning } = GLYPH_FACES.brand
  const pair = (letters: string) =>
    Array.from(letters, (letter) => glyphs[letter]![0]).reduce((sum, advance) => sum + advance) +
    Number(new RegExp(`(?:^| )${letters}(-?\\d+)`).exec(kerning)?.[1] ?? 0)
  expect(['A', 'AV', 'AT', 'LT'].map(pair)).toEqual([933, 1772, 1643, 1442])
})

test('letters on top stand with their heads outwards, upright letters at the bottom with their heads inwards', () => {
  const top = extent(lettersOnArc('I', onTop).path)
  expect(top.left + top.right).toBeCloseTo(0, 0)
  expect(top.top).toBeCloseTo(-320.6, 0)
  expect(top.bottom).toBeCloseTo(-279, 0)
  const bottom = extent(lettersOnArc('I', { ...onTop, at: 90, isUpright: true }).path)
  expect(bottom.left + bottom.right).toBeCloseTo(0, 0)
  expect(bottom.top).toBeCloseTo(279.4, 0)
  expect(bottom.bottom).toBeCloseTo(321, 0)
})

test('upright text reads from left to right', () => {
  const thin = extent(lettersOnArc('I.', { ...onTop, at: 90, isUpright: true }).path.split('z')[0]!)
  expect(thin.right).toBeLessThan(0)
})

test('letters are set with the kerning of their pair and the spacing asked for', () => {
  const { em, degrees } = lettersOnArc('LT', onTop)
  const length = ((754 + 848 - 160) / 1000 + onTop.spacing) * em
  expect(degrees).toBeCloseTo(((length / (onTop.radiusMm - 21)) * 180) / Math.PI, 1)
})

test('a long text is made smaller until it fits', () => {
  const short = lettersOnArc('TARN', onTop)
  expect(short.em).toBeCloseTo(60)
  const long = lettersOnArc('NORTHPASS NORTHPASS', onTop)
  expect(long.em).toBeLessThan(40)
  // Measured along the feet of the letters, which stand a little inside the circle.
  expect(long.degrees).toBeGreaterThan(120)
  expect(long.degrees).toBeLessThan(128)
})

test('accents are kept where the font has them, dropped where it has only the letter, and unknown letters are left out', () => {
  expect(lettersOnArc('É', onTop).path).not.toBe(lettersOnArc('E', onTop).path)
  expect(lettersOnArc('E\u0301', onTop).path).toBe(lettersOnArc('É', onTop).path)
  expect(lettersOnArc('ŠKODA', onTop).path).toBe(lettersOnArc('SKODA', onTop).path)
  expect(lettersOnArc('日A本', onTop).path).toBe(lettersOnArc('A', onTop).path)
  expect(lettersOnArc('日本', onTop)).toMatchObject({ path: '', degrees: 0 })
})

test('a label is set about its middle', () => {
  const { left, right, top, bottom } = extent(lettersOnLine('1', { face: 'label', x: 50, y: 20, em: 18 }))
  expect((left + right) / 2).toBeCloseTo(50, -1)
  expect((top + bottom) / 2).toBeCloseTo(20, 0)
})

test('small print writes each different letter once', () => {
  const print = repeatedLettersOnArcs([{ text: 'RADIAL LOAD', arc: onTop }], 'x')
  expect(print.match(/<path /g)).toHaveLength(6)
  expect(print.match(/<use /g)).toHaveLength(10)
})

/**
 * The box round a path of relative m, l, q and z commands in tenths of a millimeter, in mm; control points count as
 * points.
 */
function extent(path: string): { left: number; right: number; top: number; bottom: number } {
  let [x, y] = [0, 0]
  const xs: number[] = []
  const ys: number[] = []
  for (const [, command, numbers] of path.matchAll(/([mlqz])([^mlqz]*)/g)) {
    const steps = [...numbers!.matchAll(/-?\d+/g)].map(Number)
    const stride = command === 'q' ? 4 : 2
    for (let i = 0; i < steps.length; i += stride) {
      for (let k = 0; k < stride; k += 2) {
        xs.push(x + steps[i + k]!)
        ys.push(y + steps[i + k + 1]!)
      }
      ;[x, y] = [xs.at(-1)!, ys.at(-1)!]
    }
  }
  return {
    left: Math.min(...xs) / 10,
    right: Math.max(...xs) / 10,
    top: Math.min(...ys) / 10,
    bottom: Math.max(...ys) / 10,
  }
}
