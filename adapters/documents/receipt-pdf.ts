/** The receipt as a PDF. */
import type { Receipt } from '#domain/ordering/orders/receipt.ts'
import { asphalt, block, renderPdf, right, rules } from './pdf.ts'

/** Renders `receipt` on letter paper. */
export function renderReceiptPdf(receipt: Receipt): Promise<Uint8Array> {
  const { store, orderNumber } = receipt
  return renderPdf({
    title: `Receipt ${orderNumber}`,
    store: store.name,
    content: [
      addresses(receipt),
      priceTable(receipt),
      { text: receipt.taxNote, color: asphalt, fontSize: 9, margin: [0, 8, 0, 0] },
      {
        text: `${[store.name, store.address, store.phone, store.email].filter((part) => part !== '').join(' · ')}${receipt.sample ? ' · Demo: no real goods, no real money.' : ''}`,
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
        block(
          'Sold by',
          [receipt.store.name, ...addressLines(receipt.store.address), receipt.store.phone].filter(
            (line) => line !== '',
          ),
        ),
        block('Placed on', [receipt.placedOn]),
        // Left out if empty because an empty block would leave a gap.
        ...(receipt.soldAt.length > 0 ? [block('Store', receipt.soldAt)] : []),
        block('Paid with', [receipt.paidWith]),
        ...(receipt.poNumber ? [block('PO number', [receipt.poNumber])] : []),
      ],
      [block('Billed to', receipt.billTo)],
      [
        ...(receipt.shipTo.length > 0 ? [block('Shipped to', receipt.shipTo)] : []),
        ...(receipt.installation.length > 0
          ? [block(receipt.isService ? 'Done at' : 'Installed at', receipt.installation)]
          : []),
        ...(receipt.vehicle ? [block('Vehicle', [receipt.vehicle])] : []),
      ],
    ],
    columnGap: 24,
  }
}

/** Puts the street on its own line, as in other addresses, so that city, state, and ZIP stay together. */
function addressLines(address: string): string[] {
  const [street = '', ...rest] = address.split(', ')
  return [street, rest.join(', ')]
}

/** Returns the price table, with each item, fee, tax, and discount once. */
function priceTable(receipt: Receipt) {
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['*', 'auto'],
      body: [
        [
          { text: 'Item', color: asphalt, fontSize: 9 },
          { ...right('Amount'), color: asphalt, fontSize: 9 },
        ],
        ...receipt.rows.map((row) => [
          {
            stack: [
              { text: row.label, bold: row.kind === 'total' },
              ...(row.detail ? [{ text: row.detail, color: asphalt, fontSize: 8 }] : []),
            ],
          },
          { ...right(row.amount), bold: row.kind === 'total' },
        ]),
      ],
    },
    layout: rules,
    margin: [0, 8, 0, 0],
  }
}
