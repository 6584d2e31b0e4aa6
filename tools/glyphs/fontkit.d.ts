/** The part of fontkit that the tools of letters use; the package has no types. */
declare module 'fontkit' {
  type Glyph = { id: number; advanceWidth: number; path: { commands: { command: string; args: number[] }[] } }
  type Font = {
    unitsPerEm: number
    capHeight: number
    ascent: number
    descent: number
    glyphForCodePoint(codePoint: number): Glyph
    getVariation(settings: { wdth?: number; wght: number }): Font
    layout(text: string): { glyphs: Glyph[]; positions: { xAdvance: number }[] }
  }
  export function create(file: Uint8Array): Font
}
