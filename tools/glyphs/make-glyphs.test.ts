import { expect, test } from 'vitest'
import { GLYPH_FACES } from '#pictures/glyphs/glyph-table.ts'
import { makeGlyphFaces } from './make-glyphs.ts'

test('the committed outlines match the font', () => {
  expect(GLYPH_FACES).toEqual(makeGlyphFaces())
})
