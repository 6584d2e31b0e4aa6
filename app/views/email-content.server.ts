/** The content of an email of any kind, for sending and for trying a template. */
import { rotationMessageValues } from '#domain/customers/accounts/accounts.server.ts'
import { appointmentMessageValues } from '#domain/installer-portal/appointments/appointments.server.ts'
import { approvalMessageValues } from '#domain/channels/approvals/approvals.server.ts'
import { companyMessageValues } from '#domain/customers/companies/companies.server.ts'
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
  referralMessageValues,
  renewalMessageValues,
} from '#domain/customers/programs/programs.server.ts'
import { cancellationMessageValues } from '#domain/ordering/cancellations/cancellations.server.ts'
import { openChargeMessageValues } from '#domain/ordering/open-charges/open-charges.server.ts'
import { returnMessage } from '#domain/ordering/returns/returns.server.ts'
import { refundMessageValues } from '#domain/ordering/refunds/refunds.server.ts'
import { isReportEmailOver, reportMessageValues } from '#domain/operations/reports/reports.server.ts'
import { quoteMessageValues } from '#domain/ordering/quotes/quotes.server.ts'
import { reviewMessageValues } from '#domain/aftercare/reviews/reviews.server.ts'
import { peopleMessageValues } from '#domain/installer-portal/portal/portal.server.ts'
import { invitationMessageValues, joinMessageValues } from '#domain/kernel/staff/staff.server.ts'
import { creditMessageValues } from '#domain/payments/store-credit/store-credit.server.ts'
import { answerMessageValues, replyAddressOf, supportMessageValues } from '#domain/messaging/support/support.server.ts'
import { jobMessageValues, recallMessageValues } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { summaryMessage, teamMessage } from '#domain/installer-portal/team-emails/team-emails.server.ts'
import { webhookMessageValues } from '#domain/channels/webhooks/webhooks.server.ts'
import type { MessageContent } from '#domain/messaging/messages/messages.server.ts'
import type { MessageKind, MessageValues } from '#domain/messaging/messages/messages.ts'
import type { Application } from '#application'
import { paymentPagesMessageValues } from './payment-pages-email.server.ts'
import { queueDigestMessage } from '#app/views/office/digest.server.ts'
import { supplierFeedMessage } from './supplier-feed-email.server.ts'

/** Who may have written an email that is not about an order as a whole. The first to know its values fills it in. */
const valuesFrom = [
  reviewMessageValues,
  supportMessageValues,
  answerMessageValues,
  rotationMessageValues,
  referralMessageValues,
  creditMessageValues,
  membershipMessageValues,
  renewalMessageValues,
  partnerMessageValues,
  approvalMessageValues,
  companyMessageValues,
  invoiceMessageValues,
  guaranteeMessageValues,
  claimMessageValues,
  shopApplicationMessageValues,
  payMessageValues,
  peopleMessageValues,
  refundMessageValues,
  changeMessageValues,
  openChargeMessageValues,
  cancellationMessageValues,
  quoteMessageValues,
  delayMessageValues,
  jobMessageValues,
  recallMessageValues,
  appointmentMessageValues,
  orderCodeMessageValues,
  webhookMessageValues,
  joinMessageValues,
  invitationMessageValues,
  reportMessageValues,
  paymentPagesMessageValues,
]

export type Queued = { kind: MessageKind; orderId: number | null; key: string }

async function valuesOf(app: Application, message: Queued): Promise<MessageValues | undefined> {
  for (const valuesIn of valuesFrom) {
    const values = await valuesIn(app, message)
    if (values) return values
  }
  return undefined
}

async function contentOf(app: Application, message: Queued): Promise<MessageContent> {
  const toTeam = await teamMessage(app, message)
  if (toTeam) return toTeam
  const ofReturn = await returnMessage(app, message)
  const files = await calendarAttachments(app, message)
  if (ofReturn) return { ...ofReturn, attachments: [...ofReturn.attachments, ...files] }
  const values = await valuesOf(app, message)
  if (!values) return messageValues(app, message)
  return { values, attachments: files, replyTo: await replyAddressOf(app, message) }
}

/** Returns the content of a queued email; null for one that is no longer needed. */
export async function mailOf(app: Application, message: Queued): Promise<MessageContent | null> {
  if ((await isReminderOver(app, message)) || (await isReportEmailOver(app, message))) return null
  for (const read of [summaryMessage, queueDigestMessage, supplierFeedMessage]) {
    const content = await read(app, message)
    if (content !== undefined) return content
  }
  return { ...(await contentOf(app, message)), brand: await mailBrandOf(app, message) }
}
