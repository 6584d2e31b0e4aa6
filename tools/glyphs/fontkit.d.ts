/** The part of fontkit that `make-glyphs.ts` uses; the package has no types. */
declare module 'fontkit' {
  type Glyph = { id: number; advanceWidth: number; path: { commands: { command: string; args: number[] }[] } }
  type Font = {
    unitsPerEm: number
    capHeight: number
    glyphForCodePoint(codePoint: number): Glyph
    getVariation(settings: { wdth: number; wght: number }): Font
    layout(text: string): { glyphs: Glyph[]; positions: { xAdvance: number }[] }
  }
  export function create(file: Uint8Array): Font
}
