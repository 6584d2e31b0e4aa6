/** The worker's tasks by job name, with each email's content. */
import { type Task } from 'graphile-worker'
import { forgetOldAttempts } from '#adapters/limits/rate-limits.ts'
import { forgetOldSignIns, remindOfRotations } from '#domain/customers/accounts/accounts.server.ts'
import { adviseRotations } from '#domain/aftercare/tire-log/tire-log.server.ts'
import { buySynthetically, countMail } from '#domain/operations/health/health.server.ts'
import { closeDueWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { transmitStockOrder, withdrawStockOrder } from '#domain/supply/stock/stock.server.ts'
import {
  earlierTimeText,
  lateText,
  tellOfEarlierTimes,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { placeFile, sweepFiles } from '#domain/kernel/files/files.server.ts'
import { closeDueShops } from '#domain/installer-portal/shops/shops.server.ts'
import { expireHolds } from '#domain/scheduling/booking/booking.server.ts'
import { forgetOldStockChanges } from '#domain/catalog/catalog/catalog.server.ts'
import { workOnImport } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { expireRequests } from '#domain/channels/approvals/approvals.server.ts'
import { cancelUndecidedOrders } from '#domain/ordering/fraud/fraud.server.ts'
import { remindOfInvoices } from '#domain/payments/invoices/invoices.server.ts'
import {
  queueMessage,
  sendMessage,
  sendTemplateTest,
  testEmailJob,
} from '#domain/messaging/messages/messages.server.ts'
import { mailOf } from '#app/views/email-content.server.ts'
import {
  cancelUnansweredOrders,
  cancelParcel,
  keepLabelFiles,
  refundLabel,
  settleFinancedOrder,
  notifyOfDelay,
  orderTextContent,
  releaseOrder,
  sendPurchaseOrder,
  withdrawPurchaseOrder,
  remindOfAppointments,
  remindOfPickups,
  remindOfUnconfirmedOrders,
  settleSilentDelays,
  shipOrder,
  tellOfDelays,
} from '#domain/ordering/orders/orders.server.ts'
import { completeManifest } from '#domain/ordering/parcels/parcels.server.ts'
import { expireChanges } from '#domain/ordering/order-changes/order-changes.server.ts'
import {
  payOutRefund,
  followOldRefunds,
  releaseAbandonedCharges,
  releaseUnansweredCharges,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { sendDuePayouts } from '#domain/installer-portal/payouts/payouts.server.ts'
import {
  captureMembership,
  payBackMembership,
  renewMembership,
  renewMemberships,
  remindOfMemberships,
  bookCommissions,
  settleReferrals,
} from '#domain/customers/programs/programs.server.ts'
import { watchCharges } from '#domain/ordering/open-charges/open-charges.server.ts'
import { sendPurchasingDocument, tellPurchasingSystems } from '#domain/channels/purchasing/purchasing.server.ts'
import { emailIssuedRefund, labelReturn } from '#domain/ordering/returns/returns.server.ts'
import { giveBackAll } from '#domain/ordering/refunds/refunds.server.ts'
import { emailQueueDigests } from '#domain/operations/queue-digests/queue-digests.server.ts'
import { reconcileLatest } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { countReports, emailDueReports } from '#domain/operations/reports/reports.server.ts'
import { expireQuotes, quoteTextContent, recordQuoteDelivery } from '#domain/ordering/quotes/quotes.server.ts'
import { forgetWhatIsOver } from '#domain/operations/retention/retention.server.ts'
import { detachCard, forgetCustomer, saveCardOfPayment } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { inviteReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { forgetOldPortalSessions } from '#domain/installer-portal/portal/portal.server.ts'
import { forgetOldOfficeSessions, joinEmailJob } from '#domain/kernel/staff/staff.server.ts'
import { tellOfRecall, watchRecalls } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { fetchFeed, planFetches, settleFeedImport } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { reportOrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { emailShopSummaries, notifyTeams, teamText } from '#domain/installer-portal/team-emails/team-emails.server.ts'
import { deliverWebhooks } from '#domain/channels/webhooks/webhooks.server.ts'
import { checkPages } from '#app/server/payment-pages.ts'
import { renderWebhook } from '#api/webhook-events.ts'
import { writeFeeds } from '#app/seo/written-feeds.server.ts'
import { staffTextContent } from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import { sendText } from '#domain/messaging/texts/texts.server.ts'
import { tellPlatform, watchAgentOrders } from '#ucp/news.ts'
import { forgetOldAnswers } from '#platform/idempotency.ts'
import type { Pool } from 'pg'
import type { Database } from '#platform/db.ts'
import type { Application } from '#application'
import { z } from 'zod'

/** Separate connections for imports, because their statements run longer than the usual limits allow. */
export type Imports = { db: Database; pool: Pool }

/** Returns all tasks of the worker, over the store's use cases. */
export function workerTasks(app: Application, imports: Imports): Record<string, Task> {
  return { ...messageTasks(app), ...orderTasks(app), ...moneyTasks(app), ...timedTasks(app, imports) }
}

/** Emails and texts that were queued. */
function messageTasks(app: Application) {
  return {
    'send-message': async (payload, { job }) => {
      const { messageId } = z.object({ messageId: z.string() }).parse(payload)
      await countMail(app, job, () => sendMessage(app, messageId, (message) => mailOf(app, message)))
      await recordQuoteDelivery(app, messageId)
    },
    'send-test-email': (payload) => sendTemplateTest(app, testEmailJob.parse(payload)),
    'notify-teams': (payload) =>
      notifyTeams(app, z.object({ eventId: z.number().optional(), reportId: z.number().optional() }).parse(payload)),
    'send-text': (payload) =>
      sendText(app, z.object({ textId: z.string() }).parse(payload).textId, async (text) => {
        for (const content of [quoteTextContent, earlierTimeText, teamText, lateText, staffTextContent]) {
          const found = await content(app, text)
          if (found !== undefined) return found
        }
        return orderTextContent(app, text)
      }),
    'email-about-join': async (payload) => {
      const { key, to, kind } = joinEmailJob.parse(payload)
      await queueMessage(app.db, { kind, key, to, orderId: null, at: app.clock.now() })
    },
  } satisfies Record<string, Task>
}

/** Orders, their parcels, and what suppliers, carriers and purchasing systems are sent about them. */
function orderTasks(app: Application) {
  return {
    'release-order': (payload) => releaseOrder(app, z.object({ orderId: z.number() }).parse(payload).orderId),
    'settle-financed': (payload) => settleFinancedOrder(app, z.object({ orderId: z.number() }).parse(payload).orderId),
    'close-warehouse': (payload) =>
      closeDueWarehouse(app, z.object({ warehouseId: z.number() }).parse(payload).warehouseId),
    'ship-order': (payload) => shipOrder(app, z.object({ orderId: z.number(), shipmentId: z.string() }).parse(payload)),
    'send-purchase-order': (payload) =>
      sendPurchaseOrder(app, z.object({ purchaseOrderId: z.number() }).parse(payload).purchaseOrderId),
    'withdraw-purchase-order': (payload) =>
      withdrawPurchaseOrder(app, z.object({ purchaseOrderId: z.number(), askedNo: z.number() }).parse(payload)),
    'send-stock-order': (payload) =>
      transmitStockOrder(app, z.object({ stockOrderId: z.number() }).parse(payload).stockOrderId),
    'withdraw-stock-order': (payload) =>
      withdrawStockOrder(app, z.object({ stockOrderId: z.number(), askedNo: z.number() }).parse(payload)),
    'tell-purchasing-systems': async () => {
      await tellPurchasingSystems(app)
    },
    'send-purchasing-document': (payload) =>
      sendPurchasingDocument(app, z.object({ documentId: z.string() }).parse(payload).documentId),
    'cancel-parcel': (payload) =>
      cancelParcel(
        app,
        z.object({ orderId: z.number(), shipmentId: z.string(), trackingNumber: z.string() }).parse(payload),
      ),
    'label-return': (payload) => labelReturn(app, z.object({ returnId: z.number() }).parse(payload).returnId),
    'create-manifest': (payload) =>
      completeManifest(app, z.object({ manifestId: z.number() }).parse(payload).manifestId),
    'keep-label': (payload) => keepLabelFiles(app, z.object({ shipmentId: z.string() }).parse(payload).shipmentId),
    'refund-label': (payload) => refundLabel(app, z.object({ parcelRef: z.string() }).parse(payload).parcelRef),
    'notify-of-delay': (payload) =>
      notifyOfDelay(
        app,
        z.object({ orderId: z.number(), promisedOn: z.string(), revisedOn: z.string().optional() }).parse(payload),
      ),
    'tell-of-delays': async () => {
      await tellOfDelays(app)
      await settleSilentDelays({ ...app, giveBackAll })
    },
    'remind-of-pickups': async () => {
      await remindOfPickups(app)
    },
    'cancel-unanswered-orders': async () => {
      await cancelUnansweredOrders(app)
      await cancelUndecidedOrders(app)
    },
    'remind-of-unconfirmed-orders': () => remindOfUnconfirmedOrders(app),
    'expire-order-changes': async () => {
      await expireChanges(app)
    },
    'watch-agent-orders': async () => {
      await watchAgentOrders(app)
    },
    'tell-platform': (payload) => tellPlatform(app, z.object({ sessionId: z.string() }).parse(payload).sessionId),
    'report-sales-tax': (payload) => reportOrderTax(app, z.object({ orderId: z.number() }).parse(payload).orderId),
  } satisfies Record<string, Task>
}

/** Charges, refunds, memberships, invoices, payouts, and what expires unpaid. */
function moneyTasks(app: Application) {
  return {
    'void-charge': async (payload) => {
      const gone = await voidCharge(app, z.object({ paymentId: z.string() }).parse(payload).paymentId, 'store')
      if (!gone.ok) throw new Error('The payment provider is away.')
    },
    'refund-charge': (payload) => payOutRefund(app, z.object({ refundId: z.string() }).parse(payload).refundId),
    'refund-issued': (payload) => emailIssuedRefund(app, z.object({ key: z.string() }).parse(payload)),
    'capture-membership': (payload) => captureMembership(app, z.object({ termId: z.string() }).parse(payload).termId),
    'refund-membership': (payload) => payBackMembership(app, z.object({ termId: z.string() }).parse(payload).termId),
    'remind-of-memberships': async () => {
      await remindOfMemberships(app)
    },
    'renew-memberships': () => renewMemberships(app),
    'renew-membership': (payload) => renewMembership(app, z.object({ renewalId: z.string() }).parse(payload).renewalId),
    'save-card': (payload) => saveCardOfPayment(app, z.object({ paymentId: z.string() }).parse(payload).paymentId),
    'detach-card': (payload) => detachCard(app, z.object({ cardRef: z.string() }).parse(payload).cardRef),
    'forget-customer': (payload) =>
      forgetCustomer(app, z.object({ customerRef: z.string() }).parse(payload).customerRef),
    'remind-of-invoices': async () => {
      await remindOfInvoices(app)
    },
    'settle-referrals': async () => {
      await settleReferrals(app)
    },
    'book-commissions': async () => {
      await bookCommissions(app)
    },
    'send-due-payouts': () => sendDuePayouts(app),
    'release-abandoned-charges': async () => {
      await followOldRefunds(app)
      await releaseUnansweredCharges(app)
      await releaseAbandonedCharges(app)
    },
    'watch-charges': async () => {
      await watchCharges(app)
    },
    reconcile: () => reconcileLatest(app),
    'expire-quotes': async () => {
      await expireQuotes(app)
    },
    'expire-approvals': async () => {
      await expireRequests(app)
    },
  } satisfies Record<string, Task>
}

/** Tasks for appointments, files, reports, and data retention. */
function timedTasks(app: Application, imports: Imports) {
  return {
    'place-file': (payload) => placeFile(app, z.object({ key: z.string() }).parse(payload).key),
    'sweep-files': async () => void (await sweepFiles(app)),
    'close-due-shops': () => closeDueShops(app),
    'expire-holds': async () => {
      await expireHolds(app)
    },
    'tell-of-earlier-times': async () => {
      await tellOfEarlierTimes(app)
    },
    'forget-old-sign-ins': async () => {
      await forgetOldSignIns(app)
      await forgetOldOfficeSessions(app)
      await forgetOldPortalSessions(app)
    },
    'remind-of-rotations': async () => {
      await remindOfRotations(app)
      await adviseRotations(app)
    },
    'tell-of-recall': async (payload) => {
      await tellOfRecall(app, z.object({ campaign: z.string() }).parse(payload).campaign)
    },
    'watch-recalls': async () => {
      await watchRecalls(app)
    },
    'deliver-webhooks': async () => {
      await deliverWebhooks(app, (delivery) => renderWebhook(app, delivery))
    },
    'invite-reviews': () => inviteReviews(app),
    'remind-of-appointments': async () => {
      await remindOfAppointments(app)
    },
    'write-feeds': () => writeFeeds(app),
    'forget-what-is-over': async () => {
      app.log.info({ forgotten: await forgetWhatIsOver(app) }, 'what was kept long enough is forgotten')
    },
    'work-on-import': async (payload) => {
      const { runId } = z.object({ runId: z.number() }).parse(payload)
      await workOnImport({ ...app, ...imports }, runId)
      await settleFeedImport(app, runId)
    },
    'plan-supplier-feeds': async () => {
      await planFetches(app)
    },
    'fetch-supplier-feed': (payload) => fetchFeed(app, z.object({ fetchId: z.number() }).parse(payload).fetchId),
    'count-reports': async () => {
      await countReports(app)
    },
    'email-reports': async () => {
      await emailDueReports(app)
    },
    'email-shop-summaries': async () => {
      await emailShopSummaries(app)
    },
    'email-queue-digests': async () => {
      await emailQueueDigests(app)
    },
    'count-reports-again': async () => {
      await countReports(app, { again: true })
    },
    'buy-synthetically': () => buySynthetically(app),
    'check-payment-pages': () => checkPages(app),
    'forget-old-answers': () => forgetOldAnswers(app.db, app.clock.now()),
    'forget-old-attempts': async () => {
      await forgetOldAttempts(app.db, app.clock.now())
      await forgetOldStockChanges(app.db, app.clock.now())
    },
  } satisfies Record<string, Task>
}
