/** The orders for a list URL, and an order as a row in the list and search results. */
import type { CustomerFields } from '#app/views/customer-fields.server.ts'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findCompanies } from '#domain/customers/companies/companies.server.ts'
import { findOfficeShops } from '#domain/scheduling/installers/installers.server.ts'
import { searchOrders, type OfficeOrder, type OfficeOrderQuery } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  fulfillmentNames,
  fulfillments,
  officeTabs,
  orderStatus,
  type OrderStatus,
} from '#domain/ordering/orders/orders.ts'
import { countOf } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { ageText, instantsOf, leftText } from './times.ts'

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

/**
 * Splits text such as "4 Kestrel Tour 225/65R17 102H". The size starts at the first word with a digit in front of a
 * slash or an X.
 */
function splitTire(text: string): { name: string; size: string } {
  const at = /\s(?:P|LT|ST)?\d{2,3}(?:\.\d+)?[/xX]/.exec(text)?.index
  return at === undefined ? { name: text, size: '' } : { name: text.slice(0, at), size: text.slice(at + 1) }
}

const tags: Readonly<Record<OrderStatus['at'], { tone: Tone; words: string }>> = {
  'to-confirm': { tone: 'signal', words: 'To confirm' },
  'fit-check': { tone: 'plain', words: 'Fit check' },
  'cancel-window': { tone: 'signal', words: 'Cancel window' },
  'to-charge': { tone: 'plain', words: 'To charge' },
  'to-ship': { tone: 'plain', words: 'To ship' },
  late: { tone: 'stop', words: 'Late' },
  'in-transit': { tone: 'go', words: 'In transit' },
  'at-shop': { tone: 'go', words: 'At shop' },
  delivered: { tone: 'go', words: 'Delivered' },
  done: { tone: 'go', words: 'Done' },
  unbooked: { tone: 'stop', words: 'No appointment' },
  canceled: { tone: 'plain', words: 'Canceled' },
  returned: { tone: 'plain', words: 'Returned' },
}

export function tagOf({ at }: OrderStatus): { tone: Tone; words: string } {
  return tags[at]
}

/** A confirmation is urgent in its last twelve hours; overdue money or tires are urgent immediately. */
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

/** Maximum shops, companies or orders with a matching name. */
const mostNamed = 50

/**
 * Returns the orders for the list URL's filters. Days are in the store's time zone; `to` is inclusive. For staff
 * without customer access, searching by a customer's name, email or phone finds no orders.
 */
export async function orderQueryOf(
  app: Application,
  filters: Readonly<Record<string, string>>,
  { byCustomer }: { byCustomer: boolean },
): Promise<OfficeOrderQuery> {
  const { q, company, shop: shopName, from = '', to = '' } = filters
  const [companies, shops, found] = await Promise.all([
    company === undefined ? null : findCompanies(app, company, mostNamed),
    shopName === undefined ? null : findOfficeShops(app, shopName, mostNamed),
    q === undefined ? null : searchOrders(app, q, { byCustomer, limit: mostNamed, jobOrders: [] }),
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
