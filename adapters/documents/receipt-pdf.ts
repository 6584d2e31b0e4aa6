/** The receipt as a PDF. */
import type { Receipt } from '#domain/orders/receipt.ts'
import { asphalt, block, renderPdf, right, rules } from './pdf.ts'

/** Draws `receipt` on letter paper. */
export function renderReceiptPdf(receipt: Receipt): Promise<Uint8Array> {
  const { store, orderNumber } = receipt
  return renderPdf({
    title: `Receipt ${orderNumber}`,
    store: store.name,
    content: [
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
}

/** When and how the order was paid, by whom, and where the tires went. */
function addresses(receipt: Receipt) {
  return {
    columns: [
      [
        block('Placed on', [receipt.placedOn]),
        receipt.soldAt.length > 0 ? block('Store', receipt.soldAt) : { text: '' },
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
