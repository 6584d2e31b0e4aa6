/** Prints packing slips, one page per package, and the pick list on letter paper. */
import type { PackingSlip, PickList } from '#domain/ordering/parcels/packing-slip.ts'
import { asphalt, block, createPdf, renderPdf, right, rules } from './pdf.ts'

/** Renders packing slips, one per page. */
export function renderPackingSlipsPdf(slips: readonly PackingSlip[]): Promise<Uint8Array> {
  return createPdf({
    pageSize: 'LETTER',
    pageMargins: [48, 48, 48, 48],
    info: { title: `Packing slip ${slips[0]?.orderNumber ?? ''}`, author: slips[0]?.store ?? '' },
    content: slips.map((slip, index) => ({
      ...(index === 0 ? {} : { pageBreak: 'before' }),
      stack: slipPage(slip),
    })),
  })
}

function slipPage({ store, orderNumber, parcel, placedOn, from, shipTo, tracking, items, count, sample }: PackingSlip) {
  return [
    {
      columns: [
        { text: store.toUpperCase(), bold: true, fontSize: 18 },
        { text: 'Packing slip', alignment: 'right', fontSize: 14 },
      ],
      margin: [0, 0, 0, 16],
    },
    {
      columns: [
        [block('Ship to', shipTo), block('From', from)],
        [
          block('Order', [orderNumber, parcel]),
          block('Ordered', [placedOn]),
          block('Tracking', tracking ? [tracking] : []),
        ],
      ],
      columnGap: 24,
    },
    table(
      ['Quantity', 'Item', 'SKU', 'Size'],
      ['auto', '*', 'auto', 'auto'],
      items.map(({ quantity, name, sku, size }) => [
        { text: String(quantity), bold: true },
        { text: name },
        { text: sku },
        { text: size },
      ]),
    ),
    { text: count, bold: true },
    ...(sample
      ? [{ text: 'Demo: no real goods, no real money.', color: asphalt, fontSize: 9, margin: [0, 16, 0, 0] }]
      : []),
  ]
}

/** Renders the pick list, one page per warehouse. */
export function renderPickListPdf({ store, printedAt, warehouses }: PickList): Promise<Uint8Array> {
  return renderPdf({
    title: `Pick list, ${printedAt}`,
    store,
    content:
      warehouses.length === 0
        ? [{ text: 'No parcels to pack.' }]
        : warehouses.map(({ title, cutoff, count, rows }, index) => ({
            ...(index === 0 ? {} : { pageBreak: 'before' }),
            stack: [
              { text: title, bold: true, fontSize: 14 },
              { text: `Cutoff ${cutoff}. ${count}.`, color: asphalt, margin: [0, 0, 0, 8] },
              table(
                ['Bin', 'Qty', 'SKU', 'Tire', 'Order', 'Ships by', 'Picked'],
                ['auto', 'auto', 'auto', '*', 'auto', 'auto', 'auto'],
                rows.map(({ bin, quantity, sku, name, size, order, shipsBy }) => [
                  { text: bin, bold: true },
                  right(String(quantity)),
                  { text: sku },
                  { stack: [{ text: name }, { text: size, color: asphalt }] },
                  { text: order },
                  { text: shipsBy },
                  { canvas: [{ type: 'rect', x: 6, y: 1, w: 10, h: 10, lineWidth: 0.75 }] },
                ]),
              ),
            ],
          })),
  })
}

function table(titles: string[], widths: string[], rows: unknown[][]) {
  return {
    table: {
      headerRows: 1,
      widths,
      dontBreakRows: true,
      body: [titles.map((text) => ({ text, color: asphalt, fontSize: 9 })), ...rows],
    },
    layout: rules,
    margin: [0, 4, 0, 12],
  }
}
