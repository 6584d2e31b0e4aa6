/**
 * Job that enforces `retentionDays`. Data with a separate retention period, such as lookups and other attempts, is
 * deleted by other jobs.
 */
import { forgetOldRequests } from '#domain/channels/approvals/approvals.server.ts'
import { forgetSaid } from '#domain/channels/agents/agents.server.ts'
import { forgetOldWishes } from '#domain/installer-portal/appointments/appointments.server.ts'
import { forgetOwnJobPeople } from '#domain/scheduling/booking/booking.server.ts'
import { forgetOldSearches } from '#domain/customers/accounts/accounts.server.ts'
import { forgetAbandonedCarts } from '#domain/payments/cart/cart.server.ts'
import { forgetOldContactChanges } from '#domain/customers/customers/customers.server.ts'
import { forgetOldContacts } from '#domain/ordering/checkout/checkout.server.ts'
import { forgetOldVerifications } from '#domain/pricing/military/military.server.ts'
import { forgetOldEmailCopies } from '#domain/messaging/messages/messages.server.ts'
import { forgetOldOrderCodes } from '#domain/ordering/orders/orders.server.ts'
import { forgetOldDeclines, forgetOldNetworks } from '#domain/payments/payments/payments.server.ts'
import { forgetOldProviderEvents } from '#domain/kernel/provider-events/provider-events.server.ts'
import { forgetOldFleetQuotes } from '#domain/channels/fleet-quotes/fleet-quotes.server.ts'
import { forgetOldQuotes } from '#domain/ordering/quotes/quotes.server.ts'
import { forgetOldPurchasing } from '#domain/channels/purchasing/purchasing.server.ts'
import { forgetOldReturnPhotos } from '#domain/ordering/returns/returns.server.ts'
import { forgetRemovedCards } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { forgetUnsentPictures } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { forgetOldDisputePhotos } from '#domain/installer-portal/payouts/payouts.server.ts'
import { forgetOldJobPhotos, forgetOldReportPhotos } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { forgetOldWebhooks } from '#domain/channels/webhooks/webhooks.server.ts'
import { retentionDays } from './retention.ts'

/** Deletes data past its retention period, and returns the counts by kind. Idempotent. */
export async function forgetWhatIsOver({
  db,
  clock,
}: {
  db: Database
  clock: Clock
}): Promise<Record<keyof typeof retentionDays, number>> {
  const before = (days: number) => clock.now().subtract({ hours: 24 * days })
  return {
    cartContact: await forgetOldContacts(db, before(retentionDays.cartContact)),
    cart: await forgetAbandonedCarts(db, before(retentionDays.cart)),
    providerEvent: await forgetOldProviderEvents(db, before(retentionDays.providerEvent)),
    paymentNetwork: await forgetOldNetworks(db, before(retentionDays.paymentNetwork)),
    cardDecline: await forgetOldDeclines(db, before(retentionDays.cardDecline)),
    search: await forgetOldSearches(db, before(retentionDays.search)),
    quote:
      (await forgetOldQuotes(db, before(retentionDays.quote))) +
      (await forgetOldFleetQuotes(db, before(retentionDays.quote))),
    contactChange: await forgetOldContactChanges(db, before(retentionDays.contactChange)),
    orderApproval: await forgetOldRequests(db, before(retentionDays.orderApproval)),
    emailCopy: await forgetOldEmailCopies(db, before(retentionDays.emailCopy)),
    orderCode: await forgetOldOrderCodes(db, before(retentionDays.orderCode)),
    returnPhoto: await forgetOldReturnPhotos(db, before(retentionDays.returnPhoto)),
    shopReportPhoto:
      (await forgetOldReportPhotos(db, before(retentionDays.shopReportPhoto))) +
      (await forgetOldJobPhotos(db, before(retentionDays.shopReportPhoto))) +
      (await forgetOldDisputePhotos(db, before(retentionDays.shopReportPhoto))),
    ownJobPeople: await forgetOwnJobPeople(db, before(retentionDays.ownJobPeople)),
    earlierTimeWish: await forgetOldWishes(db, before(retentionDays.earlierTimeWish)),
    militaryVerification: await forgetOldVerifications(db, before(retentionDays.militaryVerification)),
    agentSession: await forgetSaid(db, before(retentionDays.agentSession)),
    removedCard: await forgetRemovedCards(db, before(retentionDays.removedCard)),
    webhook: await forgetOldWebhooks(db, before(retentionDays.webhook)),
    purchasing: await forgetOldPurchasing(db, before(retentionDays.purchasing)),
    shopPicture: await forgetUnsentPictures(db, before(retentionDays.shopPicture)),
  }
}
