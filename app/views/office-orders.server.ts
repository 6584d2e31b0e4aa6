/** The orders that an address of the list asks for, and an order as a row of it and of what the search finds. */
import type { CustomerFields } from '#app/views/customer-fields.server.ts'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findCompanies } from '#domain/companies/companies.server.ts'
import { findOfficeShops } from '#domain/installers/installers.server.ts'
import { searchOrders, type OfficeOrder, type OfficeOrderQuery } from '#domain/orders/orders.server.ts'
import {
  fulfillmentNames,
  fulfillments,
  officeTabs,
  orderNumber,
  orderStatus,
  type OrderStatus,
} from '#domain/orders/orders.ts'
import { countOf } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import { ageText, instantsOf, leftText } from './office-times.ts'

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
  'at-shop': { tone: 'go', words: 'At shop' },
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

/** In shops, companies or orders whose name matches. */
const mostNamed = 50

/**
 * The orders that the filters of the list's address ask for. Days are those of the store's zone; `to` is included. For
 * staff who do not see customers, nothing is found by a customer's name, email or phone.
 */
export async function orderQueryOf(
  shop: Shop,
  filters: Readonly<Record<string, string>>,
  { byCustomer }: { byCustomer: boolean },
): Promise<OfficeOrderQuery> {
  const { q, company, shop: shopName, from = '', to = '' } = filters
  const [companies, shops, found] = await Promise.all([
    company === undefined ? null : findCompanies(shop, company, mostNamed),
    shopName === undefined ? null : findOfficeShops(shop, shopName, mostNamed),
    q === undefined ? null : searchOrders(shop, q, { byCustomer, limit: mostNamed, jobOrders: [] }),
  ])
  const typed = (name: string) => filters[name] ?? null
  return {
    tab: officeTabs.find((tab) => tab === filters['state']) ?? 'all',
    fulfillment: fulfillments.find((one) => one === filters['fulfillment']) ?? null,
    companyIds: companies?.map(({ id }) => id) ?? null,
    shopIds: shops?.map(({ id }) => id) ?? null,
    destination: typed('destination'),
    soldBy: typed('seller'),
    ids: found?.map(({ id }) => id) ?? null,
    ...instantsOf({ from, to }),
  }
}
