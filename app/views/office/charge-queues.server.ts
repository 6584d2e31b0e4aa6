/** The task lists about charges that need people. */
import { officePaths } from '#content/office-paths.ts'
import { listOpenCharges, type OpenCharge } from '#domain/ordering/open-charges/open-charges.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { ruleOf } from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import type { Queue } from './queues.server.ts'

export const chargeQueues: readonly Queue[] = [
  {
    slug: 'unanswered-charges',
    title: 'Payment status unknown',
    permission: 'money.watch',
    path: officePaths.officeCharges(),
    read: async (app, limit) =>
      (await listOpenCharges(app, limit)).filter(({ kind }) => kind === 'no-answer').map(entryOf),
  },
  {
    slug: 'ending-charges',
    title: 'Expiring authorizations',
    permission: 'money.watch',
    path: officePaths.officeCharges(),
    read: async (app, limit) =>
      (await listOpenCharges(app, limit)).filter(({ kind }) => kind !== 'no-answer').map(entryOf),
  },
]

function entryOf({ paymentId, method, amountCents, orderId, owner, since, due }: OpenCharge) {
  const words = [
    formatCents(amountCents),
    ruleOf(method)?.name ?? method,
    ...(orderId === null ? [] : [orderNumber(orderId)]),
    owner === null ? 'unassigned' : `with ${owner}`,
  ]
  return { label: words.join(', '), since, due, path: officePaths.officeCharge(paymentId) }
}
