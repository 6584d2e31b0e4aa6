import { inflateSync } from 'node:zlib'

/**
 * Returns the text of a pdfmake PDF in drawing order. Glyphs are hex numbers, and each font has a glyph-to-character
 * table (PDF 1.7, 9.10.3).
 */
export function readPdf(bytes: Uint8Array): string {
  const source = Buffer.from(bytes).toString('latin1')
  const objects = new Map(
    [...source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = '', body = '']) => [id, body]),
  )
  const fonts = new Map<string, Map<string, string>>()
  let text = ''
  for (const body of objects.values()) {
    for (const [, name = '', id = ''] of (/\/Font <<([\s\S]*?)>>/.exec(body)?.[1] ?? '').matchAll(
      /\/(\w+) (\d+) 0 R/g,
    )) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
      fonts.set(name, readTable(streamOf(objects.get(table ?? '') ?? '')))
    }
  }
  for (const body of objects.values()) {
    let font: Map<string, string> | undefined
    for (const [, name, drawn] of streamOf(body).matchAll(/\/(\w+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name !== undefined) font = fonts.get(name)
      else
        for (const [, hex = ''] of (drawn ?? '').matchAll(/<([0-9a-f]*)>/g))
          for (const glyph of hex.match(/.{4}/g) ?? []) text += font?.get(glyph) ?? '?'
    }
  }
  return text
}

function streamOf(body: string): string {
  const stream = /stream\n([\s\S]*)\nendstream/.exec(body)?.[1]
  return stream === undefined || !body.includes('/FlateDecode')
    ? ''
    : inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
}

/**
 * `<first> <last> [<characters> ...]`: the characters for the glyphs from first to last; a ligature has several, as in
 * `<0066 0069>`.
 */
function readTable(text: string): Map<string, string> {
  const table = new Map<string, string>()
  for (const [, first = '', characters = ''] of text.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    for (const [index, [, units = '']] of [...characters.matchAll(/<([0-9a-f ]+)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
      table.set(
        glyph,
        String.fromCharCode(...(units.match(/[0-9a-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
      )
    }
  }
  return table
}
