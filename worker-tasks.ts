/** The worker's tasks by job name, with each email's content. */
import type { Task } from 'graphile-worker'
import { forgetOldAttempts } from '#adapters/limits/rate-limits.ts'
import { forgetOldSignIns, remindOfRotations } from '#domain/customers/accounts/accounts.server.ts'
import { adviseRotations } from '#domain/aftercare/tire-log/tire-log.server.ts'
import { buySynthetically, countMail } from '#domain/operations/health/health.server.ts'
import { closeDueWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { transmitStockOrder, withdrawStockOrder } from '#domain/supply/stock/stock.server.ts'
import { tellOfEarlierTimes } from '#domain/installer-portal/appointments/appointments.server.ts'
import { placeFile, sweepFiles } from '#domain/kernel/files/files.server.ts'
import { closeDueShops } from '#domain/installer-portal/shops/shops.server.ts'
import { expireHolds } from '#domain/scheduling/booking/booking.server.ts'
import { forgetOldStockChanges } from '#domain/catalog/catalog/catalog.server.ts'
import { forgetProvidedSizes } from '#domain/catalog/vehicles/vehicles.server.ts'
import { loadPictures, workOnImport } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { expireRequests } from '#domain/channels/approvals/approvals.server.ts'
import { cancelUndecidedOrders } from '#domain/ordering/fraud/fraud.server.ts'
import { remindOfInvoices } from '#domain/payments/invoices/invoices.server.ts'
import { queueMessage, sendMessage, sendTemplateTest } from '#domain/messaging/messages/messages.server.ts'
import { mailOf } from '#app/views/email-content.server.ts'
import { textOf } from '#app/views/text-content.server.ts'
import {
  cancelUnansweredOrders,
  cancelParcel,
  keepLabelFiles,
  refundLabel,
  settleFinancedOrder,
  notifyOfDelay,
  releaseOrder,
  collectSupplierFiles,
  sendPurchaseOrder,
  withdrawPurchaseOrder,
  remindOfAppointments,
  remindOfPickups,
  remindOfStorage,
  remindOfUnconfirmedOrders,
  settleSilentDelays,
  shipOrder,
  tellOfDelays,
  reSourceAutomatically,
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
import { expireQuotes, recordQuoteDelivery } from '#domain/ordering/quotes/quotes.server.ts'
import { forgetWhatIsOver } from '#domain/operations/retention/retention.server.ts'
import { detachCard, forgetCustomer, saveCardOfPayment } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { inviteReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { forgetOldPortalSessions } from '#domain/installer-portal/portal/portal.server.ts'
import { forgetOldOfficeSessions } from '#domain/kernel/staff/staff.server.ts'
import { tellOfRecall, watchRecalls } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { sendListings } from '#domain/catalog/google-listings/google-listings.server.ts'
import { fetchFeed, planFetches, settleFeedImport } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { reportOrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { emailShopSummaries, notifyTeams } from '#domain/installer-portal/team-emails/team-emails.server.ts'
import { deliverWebhooks } from '#domain/channels/webhooks/webhooks.server.ts'
import { checkPages } from '#app/server/payment-pages.ts'
import { renderWebhook } from '#api/webhook-events.ts'
import { listingSource } from '#app/seo/listing-source.server.ts'
import { writeFeeds } from '#app/seo/written-feeds.server.ts'
import { sendText } from '#domain/messaging/texts/texts.server.ts'
import { tellPlatform, watchAgentOrders } from '#ucp/news.ts'
import { forgetOldAnswers } from '#platform/idempotency.ts'
import { enqueue } from '#platform/jobs.ts'
import type { Pool } from 'pg'
import type { Database } from '#platform/db.ts'
import type { Application } from '#application'
import { jobNames, parsePayload, type JobName, type JobPayload } from '#platform/job-payloads.ts'

/** Separate connections for imports, because their statements run longer than the usual limits allow. */
export type Imports = { db: Database; pool: Pool }

type Helpers = Parameters<Task>[1]
type Tasks = { [Name in JobName]: (payload: JobPayload<Name>, helpers: Helpers) => unknown }

/** Returns all tasks of the worker, over the store's use cases. Each parses its payload. */
export function workerTasks(app: Application, imports: Imports): Record<string, Task> {
  const tasks: Tasks = { ...messageTasks(app), ...orderTasks(app), ...moneyTasks(app), ...timedTasks(app, imports) }
  return Object.fromEntries(jobNames.map((name) => [name, taskOf(name, tasks[name])]))
}

function taskOf<Name extends JobName>(name: Name, run: Tasks[Name]): Task {
  return async (payload, helpers) => {
    await run(parsePayload(name, payload), helpers)
  }
}

/** Emails and texts that were queued. */
function messageTasks(app: Application) {
  return {
    'send-message': async ({ messageId }, { job }) => {
      await countMail(app, job, () => sendMessage(app, messageId, (message) => mailOf(app, message)))
      await recordQuoteDelivery(app, messageId)
    },
    'send-test-email': (payload) => sendTemplateTest(app, payload),
    'notify-teams': (payload) => notifyTeams(app, payload),
    'send-text': ({ textId }) => sendText(app, textId, (text) => textOf(app, text)),
    'email-about-join': (about) => queueMessage(app.db, { ...about, orderId: null, at: app.clock.now() }),
  } satisfies Partial<Tasks>
}

/** Orders, their parcels, and what suppliers, carriers and purchasing systems are sent about them. */
function orderTasks(app: Application) {
  return {
    'release-order': ({ orderId }) => releaseOrder(app, orderId),
    'settle-financed': ({ orderId }) => settleFinancedOrder(app, orderId),
    'close-warehouse': ({ warehouseId }) => closeDueWarehouse(app, warehouseId),
    'ship-order': (payload) => shipOrder(app, payload),
    'send-purchase-order': ({ purchaseOrderId }) => sendPurchaseOrder(app, purchaseOrderId),
    're-source-order': (payload) => reSourceAutomatically(app, payload),
    'withdraw-purchase-order': (payload) => withdrawPurchaseOrder(app, payload),
    'send-stock-order': ({ stockOrderId }) => transmitStockOrder(app, stockOrderId),
    'withdraw-stock-order': (payload) => withdrawStockOrder(app, payload),
    'tell-purchasing-systems': () => tellPurchasingSystems(app),
    'send-purchasing-document': ({ documentId }) => sendPurchasingDocument(app, documentId),
    'cancel-parcel': (payload) => cancelParcel(app, payload),
    'label-return': ({ returnId }) => labelReturn(app, returnId),
    'create-manifest': ({ manifestId }) => completeManifest(app, manifestId),
    'keep-label': ({ shipmentId }) => keepLabelFiles(app, shipmentId),
    'refund-label': ({ parcelRef }) => refundLabel(app, parcelRef),
    'notify-of-delay': (payload) => notifyOfDelay(app, payload),
    'tell-of-delays': async () => {
      await tellOfDelays(app)
      await settleSilentDelays({ ...app, giveBackAll })
    },
    'remind-of-pickups': async () => {
      await remindOfPickups(app)
      await remindOfStorage(app)
    },
    'cancel-unanswered-orders': async () => {
      await cancelUnansweredOrders(app)
      await cancelUndecidedOrders(app)
    },
    'remind-of-unconfirmed-orders': () => remindOfUnconfirmedOrders(app),
    'expire-order-changes': () => expireChanges(app),
    'watch-agent-orders': () => watchAgentOrders(app),
    'tell-platform': ({ sessionId }) => tellPlatform(app, sessionId),
    'report-sales-tax': ({ orderId }) => reportOrderTax(app, orderId),
  } satisfies Partial<Tasks>
}

/** Charges, refunds, memberships, invoices, payouts, and what expires unpaid. */
function moneyTasks(app: Application) {
  return {
    'void-charge': async ({ paymentId }) => {
      const gone = await voidCharge(app, paymentId, 'store')
      if (!gone.ok) throw new Error('The payment provider is away.')
    },
    'refund-charge': ({ refundId }) => payOutRefund(app, refundId),
    'refund-issued': (payload) => emailIssuedRefund(app, payload),
    'capture-membership': ({ termId }) => captureMembership(app, termId),
    'refund-membership': ({ termId }) => payBackMembership(app, termId),
    'remind-of-memberships': () => remindOfMemberships(app),
    'renew-memberships': () => renewMemberships(app),
    'renew-membership': ({ renewalId }) => renewMembership(app, renewalId),
    'save-card': ({ paymentId }) => saveCardOfPayment(app, paymentId),
    'detach-card': ({ cardRef }) => detachCard(app, cardRef),
    'forget-customer': ({ customerRef }) => forgetCustomer(app, customerRef),
    'remind-of-invoices': () => remindOfInvoices(app),
    'settle-referrals': () => settleReferrals(app),
    'book-commissions': () => bookCommissions(app),
    'send-due-payouts': () => sendDuePayouts(app),
    'release-abandoned-charges': async () => {
      await followOldRefunds(app)
      await releaseUnansweredCharges(app)
      await releaseAbandonedCharges(app)
    },
    'watch-charges': () => watchCharges(app),
    reconcile: () => reconcileLatest(app),
    'expire-quotes': () => expireQuotes(app),
    'expire-approvals': () => expireRequests(app),
  } satisfies Partial<Tasks>
}

/** Tasks for appointments, files, reports, and data retention. */
function timedTasks(app: Application, imports: Imports) {
  return {
    'place-file': ({ key }) => placeFile(app, key),
    'sweep-files': () => sweepFiles(app),
    'close-due-shops': () => closeDueShops(app),
    'expire-holds': () => expireHolds(app),
    'tell-of-earlier-times': () => tellOfEarlierTimes(app),
    'forget-old-sign-ins': async () => {
      await forgetOldSignIns(app)
      await forgetOldOfficeSessions(app)
      await forgetOldPortalSessions(app)
    },
    'remind-of-rotations': async () => {
      await remindOfRotations(app)
      await adviseRotations(app)
    },
    'tell-of-recall': ({ campaign }) => tellOfRecall(app, campaign),
    'watch-recalls': () => watchRecalls(app),
    'deliver-webhooks': () => deliverWebhooks(app, (delivery) => renderWebhook(app, delivery)),
    'invite-reviews': () => inviteReviews(app),
    'remind-of-appointments': () => remindOfAppointments(app),
    'write-feeds': () => writeFeeds(app),
    'send-google-listings': async ({ isSecond }) => {
      if (app.merchantCenter && !isSecond) {
        const options = {
          runAt: app.clock.now().add({ seconds: 30 }),
          key: 'send-google-listings-second',
          maxAttempts: 3,
        }
        await enqueue(app.db, 'send-google-listings', { isSecond: true }, options)
      }
      await sendListings(app, listingSource(app))
    },
    'forget-what-is-over': async () => {
      app.log.info({ forgotten: await forgetWhatIsOver(app) }, 'what was kept long enough is forgotten')
    },
    'work-on-import': async ({ runId }) => {
      await workOnImport({ ...app, ...imports }, runId)
      await settleFeedImport(app, runId)
    },
    'load-import-pictures': ({ runId }) => loadPictures(app, runId),
    'plan-supplier-feeds': () => planFetches(app),
    'query-suppliers': () => app.supplierAvailability.refreshAll(),
    'collect-supplier-files': () => collectSupplierFiles(app),
    'fetch-supplier-feed': ({ fetchId }) => fetchFeed(app, fetchId),
    'count-reports': () => countReports(app),
    'email-reports': () => emailDueReports(app),
    'email-shop-summaries': () => emailShopSummaries(app),
    'email-queue-digests': () => emailQueueDigests(app),
    'count-reports-again': () => countReports(app, { again: true }),
    'buy-synthetically': () => buySynthetically(app),
    'check-payment-pages': () => checkPages(app),
    'forget-old-answers': () => forgetOldAnswers(app.db, app.clock.now()),
    'forget-old-attempts': async () => {
      await forgetOldAttempts(app.db, app.clock.now())
      await forgetOldStockChanges(app.db, app.clock.now())
      await forgetProvidedSizes(app.db, app.clock.now())
    },
  } satisfies Partial<Tasks>
}
