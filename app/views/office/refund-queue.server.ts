/** The queue of stuck refunds, on the office's home page. */
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listOpenRefunds, type OpenRefund } from '#domain/payments/payments/payments.server.ts'
import { listOpenMembershipRefunds } from '#domain/customers/programs/programs.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Entry, Queue } from './queues.server.ts'

/** Refunds that the provider refused, or has not accepted or finished in time. */
export const refundQueue: Queue = {
  slug: 'refunds',
  title: 'Refunds to send',
  permission: 'money.watch',
  withinHours: 48,
  read: async (app, limit) => {
    const now = app.clock.now()
    const [ofOrders, ofMemberships] = await Promise.all([
      listOpenRefunds(app, { now, limit }),
      listOpenMembershipRefunds(app, { now, limit }),
    ])
    return [...ofOrders.map(refundEntry), ...ofMemberships.map(membershipRefundEntry)].toSorted((a, b) =>
      Temporal.Instant.compare(a.since, b.since),
    )
  },
}

const openRefundLabels: Readonly<Record<OpenRefund['why'], string>> = {
  refused: 'refused by the payment provider',
  'not-accepted': 'not accepted by the payment provider yet',
  'not-finished': 'accepted by the payment provider, not finished',
}

function refundEntry({ orderId, amountCents, promisedAt, why }: OpenRefund): Entry {
  return {
    label: `${formatCents(amountCents)}${orderId === null ? '' : ` of ${orderNumber(orderId)}`}, ${openRefundLabels[why]}`,
    since: promisedAt,
    ...(orderId === null ? {} : { path: officePaths.officeOrder(orderId) }),
  }
}

function membershipRefundEntry({ amountCents, since }: { amountCents: number; since: Temporal.Instant }): Entry {
  return { label: `${formatCents(amountCents)} of a membership, ${openRefundLabels['not-accepted']}`, since }
}
