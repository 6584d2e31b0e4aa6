/** The queues of Today about charges that need people. */
import { officePaths } from '#content/office-paths.ts'
import { listOpenCharges, type OpenCharge } from '#domain/open-charges/open-charges.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { ruleOf } from '#domain/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import type { Queue } from './office-today.server.ts'

export const chargeQueues: readonly Queue[] = [
  {
    slug: 'unanswered-charges',
    title: 'Payments without an answer (539)',
    permission: 'money.watch',
    path: officePaths.officeCharges(),
    read: async (shop, limit) =>
      (await listOpenCharges(shop, limit)).filter(({ kind }) => kind === 'no-answer').map(entryOf),
  },
  {
    slug: 'ending-charges',
    title: 'Authorizations that end or have ended',
    permission: 'money.watch',
    path: officePaths.officeCharges(),
    read: async (shop, limit) =>
      (await listOpenCharges(shop, limit)).filter(({ kind }) => kind !== 'no-answer').map(entryOf),
  },
]

function entryOf({ paymentId, method, amountCents, orderId, owner, since, due }: OpenCharge) {
  const words = [
    formatCents(amountCents),
    ruleOf(method)?.name ?? method,
    ...(orderId === null ? [] : [orderNumber(orderId)]),
    owner === null ? 'nobody works on it' : `with ${owner}`,
  ]
  return { label: words.join(', '), since, due, path: officePaths.officeCharge(paymentId) }
}
