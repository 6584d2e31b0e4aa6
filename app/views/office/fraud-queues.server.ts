/** The task lists about fraud, disputes and days that do not balance. */
import { officePaths } from '#content/office-paths.ts'
import { disputeKinds, disputeNumber, reasonWords } from '#domain/aftercare/disputes/disputes.ts'
import { listOpenDisputes } from '#domain/aftercare/disputes/disputes.server.ts'
import { listHeldOrders } from '#domain/ordering/fraud/fraud.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listOpenDays } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { findingLabels } from '#domain/payments/payment-pages/payment-pages.ts'
import { listOpenFindings } from '#domain/payments/payment-pages/payment-pages.server.ts'
import { providerNames } from '#domain/aftercare/reconciliation/reconciliation.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Queue } from './queues.server.ts'

export const fraudQueues: readonly Queue[] = [
  {
    slug: 'held-orders',
    title: 'Held orders',
    permission: 'held-orders.read',
    path: officePaths.officeHeldOrders(),
    read: async (app, limit) =>
      (await listHeldOrders(app, limit)).map(({ orderId, reasons, at, dueAt }) => ({
        label: `${orderNumber(orderId)}: ${reasons[0]?.words ?? ''}`,
        since: at,
        ...(dueAt && { due: dueAt }),
        path: officePaths.officeHeldOrder(orderId),
      })),
  },
  {
    slug: 'disputes',
    title: 'Disputes to answer',
    permission: 'disputes.read',
    path: officePaths.officeDisputes(),
    // Refunding after a warning only helps before it becomes a dispute.
    withinHours: 24,
    read: async (app, limit) =>
      (await listOpenDisputes(app, limit)).map(({ id, kind, reason, amountCents, openedAt, dueAt }) => ({
        label: `${disputeNumber(id)}, ${disputeKinds[kind].toLowerCase()}, ${reasonWords(reason).toLowerCase()}, ${formatCents(amountCents)}`,
        since: openedAt,
        ...(dueAt && { due: dueAt }),
        path: officePaths.officeDispute(disputeNumber(id)),
      })),
  },
  {
    slug: 'payment-pages',
    title: 'Changed payment pages',
    permission: 'payment-pages.read',
    path: officePaths.officePaymentPages(),
    withinHours: 4,
    read: async (app, limit) =>
      (await listOpenFindings(app, limit)).map(({ kind, subject, firstAt }) => ({
        label: `${findingLabels[kind]}: ${subject}`,
        since: firstAt,
        path: officePaths.officePaymentPages(),
      })),
  },
  {
    slug: 'reconciliation',
    title: 'Unreconciled days',
    permission: 'reconciliation.read',
    path: officePaths.officeReconciliation(),
    withinHours: 48,
    read: async (app, limit) =>
      (await listOpenDays(app, limit)).map(({ provider, day, reconciledAt }) => ({
        label: `${dateText(day.toString())}, ${providerNames[provider]}`,
        since: reconciledAt,
        path: officePaths.officeReconciledDay(provider, day.toString()),
      })),
  },
]
