/**
 * The receipt as a PDF. pdfmake reads only its own font files and no URLs; everything on the receipt is plain text,
 * whatever a name contains.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pdfmake from 'pdfmake/js/index.js'
import type { Receipt } from '#domain/orders/receipt.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts', 'Roboto')
const ink = '#14161A'
const asphalt = '#5B616E'
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

/** Draws `receipt` on letter paper. */
export function renderReceiptPdf(receipt: Receipt): Promise<Uint8Array> {
  const { store, orderNumber } = receipt
  return pdfmake
    .createPdf({
      pageSize: 'LETTER',
      pageMargins: [48, 48, 48, 48],
      info: { title: `Receipt ${orderNumber}`, author: store.name },
      defaultStyle: { font: 'Roboto', fontSize: 10, color: ink, lineHeight: 1.25 },
      content: [
        {
          columns: [
            { text: store.name.toUpperCase(), bold: true, fontSize: 18, characterSpacing: 0.5 },
            { text: `Receipt ${orderNumber}`, alignment: 'right', fontSize: 14 },
          ],
        },
        { canvas: [laneMarking()], margin: [0, 4, 0, 16] },
        addresses(receipt),
        boughtTable(receipt),
        {
          columns: [{ width: '*', text: receipt.taxNote, color: asphalt, fontSize: 9 }, totalsTable(receipt)],
          columnGap: 24,
        },
        {
          text: `${store.name} · ${store.phone} · ${store.email}${receipt.sample ? ' · Demo: no real goods, no real money.' : ''}`,
          color: asphalt,
          fontSize: 9,
          margin: [0, 24, 0, 0],
        },
      ],
    })
    .getBuffer()
}

/** Created anew each time: pdfmake mutates the line to position it on the page. */
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

/** When and how the order was paid, by whom, and where the tires went. */
function addresses(receipt: Receipt) {
  return {
    columns: [
      [
        block('Placed on', [receipt.placedOn]),
        block('Paid with', [receipt.paidWith]),
        receipt.poNumber ? block('PO number', [receipt.poNumber]) : { text: '' },
      ],
      [block('Billed to', receipt.billTo)],
      [
        block('Shipped to', receipt.shipTo),
        block('Installed at', receipt.installation),
        receipt.vehicle ? block('Vehicle', [receipt.vehicle]) : { text: '' },
      ],
    ],
    columnGap: 16,
  }
}

function block(title: string, lines: readonly string[]) {
  return lines.length > 0
    ? {
        stack: [{ text: title, color: asphalt, fontSize: 9 }, ...lines.map((text) => ({ text }))],
        margin: [0, 0, 0, 12],
      }
    : { text: '' }
}

function boughtTable(receipt: Receipt) {
  return {
    table: {
      headerRows: 1,
      widths: ['*', 'auto', 'auto', 'auto'],
      body: [
        ['What', 'Quantity', 'Each', 'After discounts'].map((text) => ({ text, color: asphalt, fontSize: 9 })),
        ...receipt.lines.map((row) => [row.description, right(String(row.quantity)), right(row.unit), right(row.net)]),
      ],
    },
    layout: rules,
    margin: [0, 8, 0, 16],
  }
}

function totalsTable(receipt: Receipt) {
  return {
    width: 280,
    table: {
      widths: ['*', 'auto'],
      body: receipt.rows.map((row) => [
        {
          stack: [
            { text: row.label, bold: row.kind === 'total' },
            ...(row.detail ? [{ text: row.detail, color: asphalt, fontSize: 8 }] : []),
          ],
        },
        { ...right(row.amount), bold: row.kind === 'total' },
      ]),
    },
    layout: rules,
  }
}

function right(text: string) {
  return { text, alignment: 'right' }
}

const rules = {
  hLineWidth: (index: number) => (index === 0 ? 0 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => line,
  paddingLeft: () => 0,
  paddingRight: () => 0,
  paddingTop: () => 4,
  paddingBottom: () => 4,
}
