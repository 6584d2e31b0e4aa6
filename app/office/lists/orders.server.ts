/** The orders list. */
import { orderActs } from '#app/office/bulk/orders.server.ts'
import { readOrderPreview } from '#app/office/previews/order.server.ts'
import { orderRecord } from '#app/office/records/orders.server.ts'
import { defineList, fileTime, idPlace, money, type ListReader } from '#app/office/define-list.server.ts'
import type { ListRow } from '#app/office/list.ts'
import { stateOptions } from '#app/ui/states.ts'
import { orderQueryOf, orderRow } from '#app/views/office/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  countOfficeOrders,
  listOfficeOrders,
  tallyOfficeOrders,
  type OfficeOrder,
} from '#domain/ordering/orders/orders.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  fulfillmentNames,
  fulfillments,
  officeTabNames,
  officeTabs,
  type OfficeTab,
} from '#domain/ordering/orders/orders.ts'
import { phoneText } from '#platform/phone-text.ts'
import { ruleOf } from '#domain/payments/payments/payments.ts'

const tabs: readonly OfficeTab[] = ['all', 'needs-action', 'cancel-window', 'in-transit', 'at-shop', 'done-today']
const named = (tab: OfficeTab) => [tab, officeTabNames[tab]] as const

export const orders = defineList({
  name: 'orders',
  title: 'Orders',
  path: officePaths.officeOrders(),
  permission: 'orders.read',
  exportPermission: 'orders.export',
  caption: 'Orders',
  nouns: ['order', 'orders'],
  view: {
    name: 'state',
    label: 'State',
    tabs: tabs.map(named),
    more: officeTabs.filter((tab) => !tabs.includes(tab)).map(named),
  },
  find: { name: 'q', label: 'Find in this view' },
  filters: [
    { kind: 'days', label: 'Placed' },
    { kind: 'text', name: 'shop', label: 'Shop', max: 100 },
    { kind: 'text', name: 'company', label: 'Company', max: 100 },
    { kind: 'text', name: 'seller', label: 'Sold by', max: 100 },
    { kind: 'choice', name: 'destination', label: 'Destination state', options: stateOptions },
    {
      kind: 'choice',
      name: 'fulfillment',
      label: 'Delivery method',
      options: fulfillments.map((one) => [one, fulfillmentNames[one]] as const),
    },
  ],
  sorts: [
    { value: 'newest', label: 'Newest first', column: 'order' },
    { value: 'oldest', label: 'Oldest first', column: 'order' },
  ],
  columns: [
    { key: 'order', label: 'Order', isFixed: true },
    { key: 'placed', label: 'Placed', isOff: true },
    { key: 'customer', label: 'Customer', isFixed: true, revealedBy: 'customers.read' },
    { key: 'company', label: 'Company', isFileOnly: true },
    { key: 'email', label: 'Email', isFileOnly: true, revealedBy: 'customers.read' },
    { key: 'phone', label: 'Phone', isFileOnly: true, revealedBy: 'customers.read' },
    { key: 'fulfillment', label: 'Delivery method', isOff: true },
    { key: 'tires', label: 'Tires', isFileOnly: true },
    { key: 'shop', label: 'Shop and time' },
    { key: 'appointment', label: 'Appointment', isFileOnly: true },
    { key: 'status', label: 'State' },
    { key: 'total', label: 'Total', kind: 'money' },
    { key: 'size', label: 'Tire size', isOff: true },
    { key: 'vehicle', label: 'Vehicle', isOff: true },
    { key: 'zip', label: 'ZIP', isOff: true },
    { key: 'method', label: 'Payment', isOff: true },
    { key: 'supplier', label: 'Supplier', isOff: true },
    { key: 'assigned', label: 'Assigned to', isOff: true, permission: 'requests.read' },
    { key: 'seller', label: 'Sold by', isOff: true },
    { key: 'zone', label: 'Time zone', isFileOnly: true },
    { key: 'channel', label: 'Channel', isFileOnly: true },
    { key: 'exchange', label: 'Exchange customer', isFileOnly: true },
  ],
  roomy: 'tire size and phone',
  exportsSelected: true,
  links: [{ label: 'New quote', path: officePaths.officeNewQuote(), permission: 'quotes.write', hotkey: 'n' }],
  bulk: orderActs,
  read: async (reader, { filters, sort, after, before, limit, ids, view }) => {
    const selected = ids?.map(parseOrderNumber).filter((id) => id !== undefined) ?? null
    const asked = await orderQueryOf(reader.app, filters, { byCustomer: reader.customers.isShown })
    const page = await listOfficeOrders(reader.app, selected ? { ...asked, ids: selected } : asked, {
      after: placeOf(after),
      before: placeOf(before),
      isOldestFirst: sort === 'oldest',
      limit,
    })
    return {
      rows: page.orders.map((order) => rowOf(reader, order, view)),
      next: page.next === null ? null : orderNumber(page.next),
      prev: page.previous === null ? null : orderNumber(page.previous),
    }
  },
  count: async ({ app, customers }, filters) =>
    countOfficeOrders(app, await orderQueryOf(app, filters, { byCustomer: customers.isShown })),
  tally: async ({ app, customers }, filters) =>
    tallyOfficeOrders(app, await orderQueryOf(app, filters, { byCustomer: customers.isShown })),
  record: orderRecord,
  preview: async (reader, id) => {
    const orderId = parseOrderNumber(id)
    return orderId === undefined ? undefined : readOrderPreview(reader, orderId)
  },
})

function placeOf(text: string | null): number | null {
  return text === null ? null : (parseOrderNumber(text) ?? idPlace(text))
}

/** `view` is the list the order was opened from. The order page uses it for its previous and next links. */
function rowOf({ now, customers }: ListReader, order: OfficeOrder, view: string): ListRow {
  const row = orderRow(order, { now, customers })
  const { placedAt, appointmentStart, timeZone, company, tires, exchangeCustomer } = order
  const sizes = [...new Set(row.tires.map(({ size }) => size))].join(', ')
  return {
    id: row.number,
    label: row.number,
    path: officePaths.officeOrder(order.id, { view: view || undefined }),
    unfit: [
      ...(order.state === 'needs-confirmation' ? [] : ['confirm-orders']),
      ...(order.isToBuy ? [] : ['buy-orders']),
    ],
    cells: {
      order: { text: row.number, note: row.age },
      placed: { text: fileTime(placedAt, timeZone) },
      customer: {
        text: company ?? row.customer,
        note: row.tires.map(({ name }) => name).join(', '),
        more: [sizes, customers.isShown ? phoneText(order.phone) : ''].filter(Boolean).join(' · '),
        file: row.customer,
      },
      company,
      email: customers.show(order.email),
      phone: customers.show(order.phone),
      fulfillment: fulfillmentNames[order.fulfillment],
      tires: tires.join('; '),
      shop: { text: row.time ?? row.shop, note: row.time === null ? null : row.shop, file: order.shop },
      appointment: appointmentStart && fileTime(appointmentStart, timeZone),
      status: { text: row.tag.words, tone: row.tag.tone, timer: row.timer },
      total: money(order.totalCents),
      size: sizes,
      vehicle: order.vehicle,
      zip: order.zip,
      method: (order.method && ruleOf(order.method)?.name) ?? null,
      supplier: order.suppliers,
      assigned: order.assignedTo,
      seller: order.soldBy,
      zone: timeZone,
      channel: exchangeCustomer === null ? null : 'Military exchange',
      exchange: exchangeCustomer,
    },
  }
}
