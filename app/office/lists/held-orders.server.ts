/** The orders held by the fraud rules. Pending ones come first, and the others are newest first. */
import { heldOrderRecord } from '#app/office/records/requests.server.ts'
import { heldOrderActs } from '#app/office/bulk/held-orders.server.ts'
import { defineList, money, time } from '#app/office/define-list.server.ts'
import { timerTo } from '#app/views/office/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { isOpen, listHeldOrders, listScreenings, type Screening } from '#domain/ordering/fraud/fraud.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'

const outcomes = ['review', 'confirm', 'refuse'] as const

export const heldOrders = defineList({
  name: 'held-orders',
  title: 'Held orders',
  path: officePaths.officeHeldOrders(),
  permission: 'held-orders.read',
  caption: 'Orders held by the fraud rules',
  nouns: ['order', 'orders'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['waiting', 'To decide'],
      ['review', 'All held'],
      ['confirm', 'Customer asked'],
      ['refuse', 'Declined online'],
    ],
  },
  columns: [
    { key: 'order', label: 'Order', isFixed: true },
    { key: 'at', label: 'Placed', kind: 'time' },
    { key: 'email', label: 'Email', revealedBy: 'customers.read' },
    { key: 'why', label: 'Reasons' },
    { key: 'state', label: 'Decision' },
    { key: 'total', label: 'Total', kind: 'money' },
  ],
  links: [{ label: 'Fraud rules', path: officePaths.officeFraudRules(), permission: 'fraud-rules.manage' }],
  news: {
    accepted: 'Order accepted. It’s processed like any new order.',
    canceled: 'Canceled. We released the charge and emailed the customer.',
  },
  bulk: heldOrderActs,
  record: heldOrderRecord,
  read: async ({ app, customers, now }, { filters, after, before }) => {
    const outcome = outcomes.find((one) => one === filters['state'])
    const { screenings, next } = outcome
      ? await listScreenings(app, { outcome, before: instantOf(after ?? before) })
      : { screenings: await listHeldOrders(app, 100), next: null }
    return {
      rows: screenings.map((screening) => ({
        // One without an order can't be selected for anything.
        id: screening.orderId === null ? screening.id : orderNumber(screening.orderId),
        label: screening.orderId === null ? 'No order' : orderNumber(screening.orderId),
        path: screening.orderId === null ? null : officePaths.officeHeldOrder(screening.orderId),
        cells: {
          order: screening.orderId === null ? 'None' : orderNumber(screening.orderId),
          at: time(screening.at),
          email: customers.show(screening.email),
          why: screening.reasons.map(({ words }) => words).join('. '),
          state: {
            text: decisionText(screening),
            timer: isOpen(screening) && screening.dueAt ? timerTo(screening.dueAt, now) : null,
          },
          total: money(screening.totalCents),
        },
      })),
      next: next?.toString() ?? null,
    }
  },
})

function decisionText({ decision, decidedBy }: Screening): string | null {
  if (decision === null) return null
  const by = decidedBy === 'store' ? 'after the deadline' : `by ${decidedBy}`
  return `${decision === 'accepted' ? 'Accepted' : 'Canceled'} ${by}`
}

function instantOf(text: string | null): Temporal.Instant | null {
  try {
    return text === null || text.length > 40 ? null : Temporal.Instant.from(text)
  } catch {
    return null
  }
}
