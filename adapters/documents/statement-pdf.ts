/** A shop's statement of a week as a PDF. */
import type { StatementSheet } from '#domain/installer-portal/payouts/payouts.server.ts'
import { asphalt, renderPdf, right, rules } from './pdf.ts'

const columns = ['Day', 'What', 'Order', 'Customer or reason', 'Tires', 'Rate', 'Pay']

/** Renders `sheet` on letter paper. */
export function renderStatementPdf({ title, store, shop, rows, sums, foot }: StatementSheet): Promise<Uint8Array> {
  return renderPdf({
    title,
    store,
    content: [
      { text: shop, bold: true, fontSize: 14, margin: [0, 0, 0, 12] },
      {
        table: {
          headerRows: 1,
          widths: ['auto', 'auto', 'auto', '*', '*', 'auto', 'auto'],
          body: [
            columns.map((text) => ({ text, color: asphalt, fontSize: 9 })),
            ...rows.map((row) => row.map((text, index) => (index < columns.length - 1 ? { text } : right(text)))),
          ],
        },
        layout: { ...rules, paddingLeft: (column: number) => (column === 0 ? 0 : 6) },
        margin: [0, 0, 0, 16],
      },
      ...sums.map(({ name, amount }, index) => ({
        columns: [
          { text: name, bold: index === sums.length - 1 },
          { text: amount, alignment: 'right', bold: index === sums.length - 1 },
        ],
        margin: [0, 0, 0, 4],
      })),
      { text: foot, color: asphalt, fontSize: 9, margin: [0, 16, 0, 0] },
    ],
  })
}
