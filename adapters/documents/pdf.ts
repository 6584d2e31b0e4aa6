/**
 * What all printed documents share. pdfmake reads only its own font files and no URLs; everything printed is plain text,
 * whatever a name contains.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pdfmake from 'pdfmake/js/index.js'

const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts', 'Roboto')
export const ink = '#14161A'
export const asphalt = '#5B616E'
const line = '#E4DFD6'

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(fonts))
pdfmake.setFonts({
  Roboto: {
    normal: join(fonts, 'Roboto-Regular.ttf'),
    bold: join(fonts, 'Roboto-Medium.ttf'),
    italics: join(fonts, 'Roboto-Italic.ttf'),
    bolditalics: join(fonts, 'Roboto-MediumItalic.ttf'),
  },
})

/** Renders `content` on letter paper under the store's name and the document's title. */
export function renderPdf(document: {
  title: string
  store: string
  content: { [key: string]: unknown }[]
}): Promise<Uint8Array> {
  const { title, store, content } = document
  return pdfmake
    .createPdf({
      pageSize: 'LETTER',
      pageMargins: [48, 48, 48, 48],
      info: { title, author: store },
      defaultStyle: { font: 'Roboto', fontSize: 10, color: ink, lineHeight: 1.25 },
      content: [
        {
          columns: [
            { text: store.toUpperCase(), bold: true, fontSize: 18, characterSpacing: 0.5 },
            { text: title, alignment: 'right', fontSize: 14 },
          ],
        },
        { canvas: [laneMarking()], margin: [0, 4, 0, 16] },
        ...content,
      ],
    })
    .getBuffer()
}

/** Renders a document with the store's text color and type size. */
export function createPdf(document: Parameters<typeof pdfmake.createPdf>[0]): Promise<Uint8Array> {
  return pdfmake
    .createPdf({ defaultStyle: { font: 'Roboto', fontSize: 10, color: ink, lineHeight: 1.25 }, ...document })
    .getBuffer()
}

/** Returns a new line each time because pdfmake mutates it to position it on the page. */
function laneMarking() {
  return {
    type: 'line',
    x1: 0,
    y1: 4,
    x2: 516,
    y2: 4,
    lineWidth: 2,
    lineColor: '#FFB400',
    dash: { length: 14, space: 8 },
  }
}

/** Returns a small title above lines of text. Empty without lines. */
export function block(title: string, lines: readonly string[]) {
  return lines.length > 0
    ? {
        stack: [{ text: title, color: asphalt, fontSize: 9 }, ...lines.map((text) => ({ text }))],
        margin: [0, 0, 0, 12],
      }
    : { text: '' }
}

export function right(text: string) {
  return { text, alignment: 'right' }
}

/** Thin lines below the rows of a table, and a gap between its columns. */
export const rules = {
  hLineWidth: (index: number) => (index === 0 ? 0 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => line,
  paddingLeft: (column: number) => (column === 0 ? 0 : 14),
  paddingRight: () => 0,
  paddingTop: () => 4,
  paddingBottom: () => 4,
}
