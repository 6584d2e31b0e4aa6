/**
 * Renders a return's labels as a PDF with one page per tire. One label is taped around the tread, and one is for the
 * carrier.
 */
import type { LabelSheet } from '#domain/ordering/returns/returns.server.ts'
import { createPdf } from './pdf.ts'

const asphalt = '#5B616E'

/** Renders `sheet` on letter paper. */
export function renderReturnLabelsPdf(sheet: LabelSheet): Promise<Uint8Array> {
  return createPdf({
    pageSize: 'LETTER',
    pageMargins: [48, 48, 48, 48],
    info: { title: `Labels ${sheet.returnNumber}`, author: sheet.store },
    content: sheet.labels.map((label, index) => ({
      ...(index === 0 ? {} : { pageBreak: 'before' }),
      stack: labelPage(sheet, label),
    })),
  })
}

function labelPage({ store, returnNumber, orderNumber, sample }: LabelSheet, label: LabelSheet['labels'][number]) {
  return [
    {
      columns: [
        { text: store.toUpperCase(), bold: true, fontSize: 18 },
        { text: `${returnNumber} · ${label.title}`, alignment: 'right', fontSize: 14 },
      ],
    },
    { text: label.tire, margin: [0, 4, 0, 24] },
    {
      columns: [address('From', label.from, 10), address('To', label.to, 16)],
      columnGap: 24,
    },
    { text: label.carrier, fontSize: 14, margin: [0, 32, 0, 0] },
    { text: label.trackingNumber, bold: true, fontSize: 26, margin: [0, 0, 0, 16] },
    { qr: label.trackingNumber, fit: 160 },
    {
      text: 'Tape this label around the tread. No box needed. Hand the tire to the carrier, or drop it off.',
      color: asphalt,
      margin: [0, 32, 0, 0],
    },
    {
      text: `Order ${orderNumber}${sample ? ' · Demo: no real goods, no real money.' : ''}`,
      color: asphalt,
      fontSize: 9,
    },
  ]
}

function address(title: string, lines: readonly string[], fontSize: number) {
  return {
    stack: [
      { text: title, color: asphalt, fontSize: 9 },
      ...lines.map((text) => ({ text, fontSize, bold: fontSize > 12 })),
    ],
  }
}
