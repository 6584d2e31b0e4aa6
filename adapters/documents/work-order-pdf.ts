/** The work order for the shop as a PDF. */
import type { WorkOrder } from '#domain/ordering/orders/work-order.ts'
import { asphalt, block, renderPdf, right, rules } from './pdf.ts'

/** Renders `order` on letter paper. */
export function renderWorkOrderPdf(order: WorkOrder): Promise<Uint8Array> {
  const { store } = order
  return renderPdf({
    title: `Work order PO ${order.poNumber}`,
    store: store.name,
    content: [
      ...(order.stop === null ? [] : [{ text: order.stop, bold: true, fontSize: 16, margin: [0, 0, 0, 12] }]),
      { text: order.money, bold: true, fontSize: 16 },
      { text: order.prepaid.join(', ') || 'Tires only', margin: [0, 2, 0, 14] },
      facts(order),
      ...(order.service === null ? [...fitment(order), positions(order)] : []),
      ...(order.isStaggered
        ? [{ text: 'Staggered set. Never swap front and rear.', bold: true, margin: [0, 0, 0, 12] }]
        : []),
      ...(order.service === null ? [parcels(order)] : []),
      {
        text: `Questions? ${store.name}, ${store.phone}.${order.sample ? ' Demo: no real goods, no real money.' : ''}`,
        color: asphalt,
        fontSize: 9,
        margin: [0, 16, 0, 0],
      },
    ],
  })
}

function facts(order: WorkOrder) {
  return {
    columns: [
      [
        block('PO number', [order.poNumber]),
        block('Order', [order.orderNumber]),
        block('Appointment', [order.appointment]),
      ],
      [
        block('Vehicle', [order.vehicle]),
        ...(order.service === null ? [block('Torque', [order.torque])] : []),
        block('Customer', order.customer),
      ],
      [block('Shop', order.shop)],
    ],
    columnGap: 16,
  }
}

function fitment({ fitment: { toCheck, sets } }: WorkOrder) {
  return [
    ...(toCheck === null ? [] : [{ text: toCheck, bold: true, margin: [0, 8, 0, 0] }]),
    ...sets.flatMap(({ verdict, lines, basis, source, rows }) => [
      ...(rows.length === 0
        ? []
        : [
            table(
              ['The vehicle requires', 'Front', 'Rear'],
              ['auto', '*', '*'],
              rows.map(({ label, front, rear }) => [{ text: label, bold: true }, { text: front }, { text: rear }]),
            ),
          ]),
      { text: [{ text: `${verdict}. `, bold: true }, lines.join(' ')] },
      { text: [source, basis].filter(Boolean).join(' '), color: asphalt, fontSize: 9, margin: [0, 2, 0, 10] },
    ]),
  ]
}

function positions({ positions: rows }: WorkOrder) {
  return table(
    ['Position', 'Tire', 'Quantity'],
    ['auto', '*', 'auto'],
    rows.map(({ position, tire, quantity }) => [
      { text: position, bold: true },
      { text: tire },
      right(String(quantity)),
    ]),
  )
}

function parcels({ parcels: rows }: WorkOrder) {
  return table(
    ['Parcel', 'Contents', 'Tracking', 'Arrival'],
    ['auto', '*', 'auto', 'auto'],
    rows.map(({ title, pieces, contents, tracking, arrival }) => [
      { stack: [{ text: title }, { text: pieces, bold: true }] },
      { stack: contents.map((text) => ({ text })) },
      { text: tracking },
      { text: arrival },
    ]),
  )
}

function table(titles: string[], widths: string[], rows: unknown[][]) {
  return {
    table: {
      headerRows: 1,
      widths,
      body: [titles.map((text) => ({ text, color: asphalt, fontSize: 9 })), ...rows],
    },
    layout: rules,
    margin: [0, 4, 0, 12],
  }
}
