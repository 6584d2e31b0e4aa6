/** Email content by kind, for sending and for trying a template. */
import { rotationMessageValues } from '#domain/customers/accounts/accounts.server.ts'
import {
  appointmentMessageValues,
  offerMessageValues,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { approvalMessageValues } from '#domain/channels/approvals/approvals.server.ts'
import {
  companyApplicationValues,
  companyDecisionValues,
  companyInvitationValues,
} from '#domain/customers/companies/companies.server.ts'
import { invoiceMessageValues } from '#domain/payments/invoices/invoices.server.ts'
import { mailBrandOf } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import {
  calendarAttachments,
  delayMessageValues,
  isReminderOver,
  messageValues,
  orderCodeMessageValues,
} from '#domain/ordering/orders/orders.server.ts'
import { changeMessageValues } from '#domain/ordering/order-changes/order-changes.server.ts'
import { claimMessageValues } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { payMessageValues } from '#domain/installer-portal/payouts/payouts.server.ts'
import { guaranteeMessageValues } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { shopApplicationMessageValues } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import {
  membershipMessageValues,
  partnerMessageValues,
  inviteMessageValues,
  renewalMessageValues,
  rewardMessageValues,
} from '#domain/customers/programs/programs.server.ts'
import { cancellationMessageValues } from '#domain/ordering/cancellations/cancellations.server.ts'
import { openChargeMessageValues } from '#domain/ordering/open-charges/open-charges.server.ts'
import { returnMessage } from '#domain/ordering/returns/returns.server.ts'
import { refundMessageValues } from '#domain/ordering/refunds/refunds.server.ts'
import { reportMessageValues } from '#domain/operations/reports/reports.server.ts'
import { quoteMessageValues } from '#domain/ordering/quotes/quotes.server.ts'
import { reviewMessageValues } from '#domain/aftercare/reviews/reviews.server.ts'
import { peopleMessageValues } from '#domain/installer-portal/portal/portal.server.ts'
import { invitationMessageValues, joinMessageValues } from '#domain/kernel/staff/staff.server.ts'
import { creditMessageValues } from '#domain/payments/store-credit/store-credit.server.ts'
import { answerMessageValues, replyAddressOf, supportMessageValues } from '#domain/messaging/support/support.server.ts'
import {
  jobMessageValues,
  lateMessageValues,
  recallMessageValues,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { problemMessage, summaryMessage, teamMessage } from '#domain/installer-portal/team-emails/team-emails.server.ts'
import { webhookMessageValues } from '#domain/channels/webhooks/webhooks.server.ts'
import type { MessageContent } from '#domain/messaging/messages/messages.server.ts'
import type { MessageKind, MessageValues } from '#domain/messaging/messages/messages.ts'
import type { Application } from '#application'
import { paymentPagesMessageValues } from './payment-pages-email.server.ts'
import { queueDigestMessage } from '#app/views/office/digest.server.ts'
import { supplierFeedMessage } from './supplier-feed-email.server.ts'

export type Queued = { kind: MessageKind; orderId: number | null; key: string }

/** Reads a queued email's content. Null for one that is no longer needed. */
type ReadContent = (app: Application, message: Queued) => Promise<MessageContent | null>

/** Adds calendar files and a reply address to an email's values, depending on its kind. */
function values(read: (app: Application, message: Queued) => Promise<MessageValues | null>): ReadContent {
  return async (app, message) => {
    const found = await read(app, message)
    if (found === null) return null
    const [attachments, replyTo] = await Promise.all([calendarAttachments(app, message), replyAddressOf(app, message)])
    return { values: found, attachments, replyTo }
  }
}

const reminder: ReadContent = async (app, message) =>
  (await isReminderOver(app, message)) ? null : messageValues(app, message)

const returnContent: ReadContent = async (app, message) => {
  const { values: found, attachments } = await returnMessage(app, message)
  return { values: found, attachments: [...attachments, ...(await calendarAttachments(app, message))] }
}

const contents: Record<MessageKind, ReadContent> = {
  'order-received': messageValues,
  'order-unconfirmed': messageValues,
  'order-unconfirmed-reminder': messageValues,
  'order-unanswered': messageValues,
  'order-confirmed': messageValues,
  'order-shipped': messageValues,
  'order-delivered': messageValues,
  'pickup-ready': messageValues,
  'pickup-reminder': messageValues,
  'order-canceled': messageValues,
  'order-refunded': values(refundMessageValues),
  'order-lines-canceled': values(cancellationMessageValues),
  'order-rescheduled': messageValues,
  'pay-again': values(openChargeMessageValues),
  'payment-unanswered': values(async ({ config }) => ({ phone: config.store.phone })),
  'order-change-offered': values(changeMessageValues),
  'order-changed': values(changeMessageValues),
  'order-delayed': values(delayMessageValues),
  'order-delay-canceled': values(delayMessageValues),
  'order-code': values(async (app, message) => orderCodeMessageValues(app, message)),
  'order-message': values(answerMessageValues),
  'job-refused': values(jobMessageValues),
  'shop-late': values(lateMessageValues),
  'recall-notice': values(recallMessageValues),
  'appointment-reminder': reminder,
  'appointment-next-week': reminder,
  'appointment-soon': reminder,
  'storage-ending': reminder,
  'shop-appointment-news': values(appointmentMessageValues),
  'shop-booking-news': teamMessage,
  'shop-daily-summary': summaryMessage,
  'shop-problem': problemMessage,
  'earlier-time-offered': values(offerMessageValues),
  'review-invitation': messageValues,
  'review-received': values(reviewMessageValues),
  'review-published': values(reviewMessageValues),
  'review-refused': values(reviewMessageValues),
  'support-received': values(supportMessageValues),
  'support-answer': values(answerMessageValues),
  'customer-message': values(answerMessageValues),
  'support-request': values(supportMessageValues),
  'rotation-due': values(rotationMessageValues),
  'rotation-advice': messageValues,
  'referral-invite': values(inviteMessageValues),
  'referral-earned': values(rewardMessageValues),
  'credit-given': values(creditMessageValues),
  'membership-begun': values(membershipMessageValues),
  'membership-ending': values(membershipMessageValues),
  'membership-renewing': values(renewalMessageValues),
  'membership-renewed': values(membershipMessageValues),
  'membership-not-renewed': values(renewalMessageValues),
  'partner-applied': values(partnerMessageValues),
  'partner-approved': values(partnerMessageValues),
  'partner-refused': values(partnerMessageValues),
  'affiliate-applied': values(partnerMessageValues),
  'affiliate-approved': values(partnerMessageValues),
  'affiliate-refused': values(partnerMessageValues),
  'company-invitation': values(companyInvitationValues),
  'company-applied': values(companyApplicationValues),
  'company-approved': values(companyDecisionValues),
  'company-refused': values(companyDecisionValues),
  'approval-requested': values(approvalMessageValues),
  'approval-refused': values(approvalMessageValues),
  'approval-expired': values(approvalMessageValues),
  'invoice-due': values(invoiceMessageValues),
  'guarantee-received': values(guaranteeMessageValues),
  'guarantee-filed': values(guaranteeMessageValues),
  'guarantee-approved': values(guaranteeMessageValues),
  'guarantee-refused': values(guaranteeMessageValues),
  'claim-received': values(claimMessageValues),
  'claim-filed': values(claimMessageValues),
  'claim-approved': values(claimMessageValues),
  'claim-refused': values(claimMessageValues),
  'shop-application-received': values(shopApplicationMessageValues),
  'shop-application-asked': values(shopApplicationMessageValues),
  'shop-application-approved': values(shopApplicationMessageValues),
  'shop-application-refused': values(shopApplicationMessageValues),
  'shop-pay-waits': values(payMessageValues),
  'shop-bank-change': values(payMessageValues),
  'shop-invitation': values(peopleMessageValues),
  'staff-invitation': values(invitationMessageValues),
  'sign-in-joined': values(joinMessageValues),
  quote: values(quoteMessageValues),
  'return-labels': returnContent,
  'return-missing': returnContent,
  'return-filed': returnContent,
  'return-received': returnContent,
  'return-refunded': returnContent,
  'return-refused': returnContent,
  'webhook-paused': values(webhookMessageValues),
  report: values(reportMessageValues),
  'queue-digest': queueDigestMessage,
  'supplier-feed': supplierFeedMessage,
  'payment-page-differs': values(paymentPagesMessageValues),
}

/** Returns the content of a queued email; null for one that is no longer needed. */
export async function mailOf(app: Application, message: Queued): Promise<MessageContent | null> {
  const content = await contents[message.kind](app, message)
  return content && { ...content, brand: await mailBrandOf(app, message) }
}
