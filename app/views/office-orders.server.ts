/** The office's list of orders: what its address asks for, and how each order is shown. */
import type { CustomerFields } from '#app/views/customer-fields.server.ts'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths, type OrderFilters } from '#content/office-paths.ts'
import { findCompanies } from '#domain/companies/companies.server.ts'
import {
  listOfficeOrders,
  type OfficeOrder,
  type OfficeOrderQuery,
  type PagePlace,
} from '#domain/orders/orders.server.ts'
import {
  fulfillmentNames,
  fulfillments,
  officeTabNames,
  officeTabs,
  orderNumber,
  orderStatus,
  parseOrderNumber,
  type OfficeTab,
  type OrderStatus,
} from '#domain/orders/orders.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'
import { ageText, instantsOf, leftText, readDay } from './office-times.ts'

export type OrderRow = {
  id: number
  number: string
  path: string
  age: string
  customer: string
  company: string | null
  tires: { name: string; size: string }[]
  shop: string
  time: string | null
  tag: { tone: Tone; words: string }
  timer: { tone: Tone; words: string } | null
  total: string
}

/** What an address asks for, as shown in the filters; a part that is not valid counts as not given. */
export type OrdersAsked = {
  tab: OfficeTab
  fulfillment: (typeof fulfillments)[number] | ''
  company: string
  from: string
  to: string
}

const longestText = 100

export function readOrdersAsked(query: URLSearchParams): OrdersAsked {
  const text = (name: string) => (query.get(name) ?? '').replaceAll('\0', '').trim().slice(0, longestText)
  return {
    tab: officeTabs.find((tab) => tab === text('state')) ?? 'all',
    fulfillment: fulfillments.find((one) => one === text('fulfillment')) ?? '',
    company: text('company'),
    from: readDay(text('from')),
    to: readDay(text('to')),
  }
}

/** The filters as an address gives them, without those that are not set. */
export function filtersOf({ tab, fulfillment, company, from, to }: OrdersAsked): OrderFilters {
  return {
    state: tab === 'all' ? undefined : tab,
    fulfillment: fulfillment || undefined,
    company: company || undefined,
    from: from || undefined,
    to: to || undefined,
  }
}

/** The query of an address. Days are those of the store's zone; `to` is included. */
export async function orderQueryOf(shop: Shop, asked: OrdersAsked): Promise<OfficeOrderQuery> {
  return {
    tab: asked.tab,
    fulfillment: asked.fulfillment || null,
    companyIds: asked.company === '' ? null : (await findCompanies(shop, asked.company, 50)).map(({ id }) => id),
    ...instantsOf(asked),
  }
}

/** A page of the list with its tabs and the addresses of the pages on either side. */
export async function readOrdersPage(shop: Shop, query: URLSearchParams, customers: CustomerFields) {
  const asked = readOrdersAsked(query)
  const now = shop.clock.now()
  const page = await listOfficeOrders(shop, await orderQueryOf(shop, asked), placeOf(query))
  const filters = filtersOf(asked)
  const isFiltered = Object.entries(filters).some(([name, value]) => name !== 'state' && value !== undefined)
  return {
    asked,
    tabs: officeTabs.map((tab) => ({
      label: officeTabNames[tab],
      path: officePaths.officeOrders({ ...filters, state: tab === 'all' ? undefined : tab }),
      isOn: tab === asked.tab,
    })),
    rows: page.orders.map((order) => orderRow(order, { now, customers })),
    newer: page.newer === null ? null : officePaths.officeOrders({ ...filters, before: orderNumber(page.newer) }),
    older: page.older === null ? null : officePaths.officeOrders({ ...filters, after: orderNumber(page.older) }),
    clear: isFiltered ? officePaths.officeOrders({ state: filters.state }) : null,
    file: officePaths.officeOrdersFile(filters),
  }
}

function placeOf(query: URLSearchParams): PagePlace {
  const id = (name: string) => parseOrderNumber(query.get(name) ?? '') ?? null
  const before = id('before')
  return { before, after: before === null ? id('after') : null }
}

/** An order as a row; times are in the zone of its shop, and name it. */
export function orderRow(
  order: OfficeOrder,
  { now, customers }: { now: Temporal.Instant; customers: CustomerFields },
): OrderRow {
  const { id, placedAt, appointmentStart, timeZone } = order
  const status = orderStatus(order, now)
  return {
    id,
    number: orderNumber(id),
    path: officePaths.officeOrder(id),
    age: ageText(placedAt, now),
    customer: customers.show(order.customer),
    company: order.company,
    tires: order.tires.map(splitTire),
    shop: order.shop ?? fulfillmentNames[order.fulfillment],
    time: appointmentStart && timeText(appointmentStart, timeZone),
    tag: tagOf(status),
    timer: timerOf(status, now),
    total: formatCents(order.totalCents),
  }
}

/** "4 Kestrel Tour 225/65R17 102H": the size begins at the first word with a digit before a slash or an X. */
function splitTire(text: string): { name: string; size: string } {
  const at = /\s(?:P|LT|ST)?\d{2,3}(?:\.\d+)?[/xX]/.exec(text)?.index
  return at === undefined ? { name: text, size: '' } : { name: text.slice(0, at), size: text.slice(at + 1) }
}

const tags: Readonly<Record<OrderStatus['at'], { tone: Tone; words: string }>> = {
  'to-confirm': { tone: 'signal', words: 'To confirm' },
  'cancel-window': { tone: 'signal', words: 'Cancel window' },
  'to-charge': { tone: 'plain', words: 'To charge' },
  'to-ship': { tone: 'plain', words: 'To ship' },
  late: { tone: 'stop', words: 'Late' },
  'in-transit': { tone: 'go', words: 'In transit' },
  'at-shop': { tone: 'go', words: 'At the shop' },
  delivered: { tone: 'go', words: 'Delivered' },
  canceled: { tone: 'plain', words: 'Canceled' },
  returned: { tone: 'plain', words: 'Returned' },
}

export function tagOf({ at }: OrderStatus): { tone: Tone; words: string } {
  return tags[at]
}

/** A confirmation is urgent in its last twelve hours; money or tires that are overdue are so at once. */
function timerOf(status: OrderStatus, now: Temporal.Instant): OrderRow['timer'] {
  switch (status.at) {
    case 'to-confirm':
    case 'cancel-window': {
      const left = leftText(status.until, now)
      const isUrgent = status.at === 'to-confirm' && status.until.since(now).total('hours') < 12
      return { tone: left === null || isUrgent ? 'stop' : 'signal', words: left === null ? 'Overdue' : `${left} left` }
    }
    case 'to-charge':
      return { tone: 'signal', words: `For ${ageText(status.since, now)}` }
    case 'late':
      return { tone: 'stop', words: countOf(status.days, 'day late', 'days late') }
    case 'to-ship':
    case 'in-transit':
      return { tone: 'plain', words: `Due ${dayText(Temporal.PlainDate.from(status.promisedOn))}` }
    default:
      return null
  }
}

export const orderFileHeader = [
  'Order',
  'Placed',
  'State',
  'Customer',
  'Company',
  'Email',
  'Phone',
  'Fulfillment',
  'Tires',
  'Shop',
  'Appointment',
  'Time zone',
  'Total in dollars',
  'Channel',
  'Exchange customer',
] as const

/** An order as a row of the file; times are local to the named zone. */
export function orderFileRow(order: OfficeOrder, now: Temporal.Instant): (string | null)[] {
  const local = (at: Temporal.Instant) =>
    at.toZonedDateTimeISO(order.timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
  return [
    orderNumber(order.id),
    local(order.placedAt),
    tagOf(orderStatus(order, now)).words,
    order.customer,
    order.company,
    order.email,
    order.phone,
    fulfillmentNames[order.fulfillment],
    order.tires.join('; '),
    order.shop,
    order.appointmentStart && local(order.appointmentStart),
    order.timeZone,
    (order.totalCents / 100).toFixed(2),
    order.exchangeCustomer === null ? null : 'Military exchange',
    order.exchangeCustomer,
  ]
}
