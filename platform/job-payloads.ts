/** The queue's jobs and payload schemas. Types check a payload when it is queued, and the schemas when it runs. */
import { z } from 'zod'

const none = z.object({})

const payloads = {
  'send-message': z.object({ messageId: z.string() }),
  'send-test-email': z.object({
    id: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
  }),
  'notify-teams': z.object({ eventId: z.number().optional(), reportId: z.number().optional() }),
  'send-text': z.object({ textId: z.string() }),
  'email-about-join': z.object({
    key: z.string(),
    to: z.string(),
    kind: z.enum(['sign-in-joined', 'staff-invitation']).default('sign-in-joined'),
  }),
  'release-order': z.object({ orderId: z.number() }),
  'settle-financed': z.object({ orderId: z.number() }),
  'close-warehouse': z.object({ warehouseId: z.number() }),
  'ship-order': z.object({ orderId: z.number(), shipmentId: z.string() }),
  'send-purchase-order': z.object({ purchaseOrderId: z.number() }),
  're-source-order': z.object({ purchaseOrderId: z.number(), askedNo: z.number() }),
  'withdraw-purchase-order': z.object({ purchaseOrderId: z.number(), askedNo: z.number() }),
  'send-stock-order': z.object({ stockOrderId: z.number() }),
  'withdraw-stock-order': z.object({ stockOrderId: z.number(), askedNo: z.number() }),
  'send-purchasing-document': z.object({ documentId: z.string() }),
  'cancel-parcel': z.object({ orderId: z.number(), shipmentId: z.string(), trackingNumber: z.string() }),
  'label-return': z.object({ returnId: z.number() }),
  'create-manifest': z.object({ manifestId: z.number() }),
  'keep-label': z.object({ shipmentId: z.string() }),
  'refund-label': z.object({ parcelRef: z.string() }),
  'notify-of-delay': z.object({ orderId: z.number(), promisedOn: z.string(), revisedOn: z.string().optional() }),
  'tell-platform': z.object({ sessionId: z.string() }),
  'report-sales-tax': z.object({ orderId: z.number() }),
  'void-charge': z.object({ paymentId: z.string() }),
  'refund-charge': z.object({ refundId: z.string() }),
  'refund-issued': z.object({ key: z.string() }),
  'capture-membership': z.object({ termId: z.string() }),
  'refund-membership': z.object({ termId: z.string() }),
  'renew-membership': z.object({ renewalId: z.string() }),
  'save-card': z.object({ paymentId: z.string() }),
  'detach-card': z.object({ cardRef: z.string() }),
  'forget-customer': z.object({ customerRef: z.string() }),
  'place-file': z.object({ key: z.string() }),
  'tell-of-recall': z.object({ campaign: z.string() }),
  'work-on-import': z.object({ runId: z.number() }),
  'load-import-pictures': z.object({ runId: z.number() }),
  'fetch-supplier-feed': z.object({ fetchId: z.number() }),
  'send-google-listings': z.object({ isSecond: z.boolean().default(false) }),
  // Scheduled jobs select due work when they run.
  'tell-purchasing-systems': none,
  'tell-of-delays': none,
  'remind-of-pickups': none,
  'cancel-unanswered-orders': none,
  'remind-of-unconfirmed-orders': none,
  'expire-order-changes': none,
  'watch-agent-orders': none,
  'remind-of-memberships': none,
  'renew-memberships': none,
  'remind-of-invoices': none,
  'settle-referrals': none,
  'book-commissions': none,
  'send-due-payouts': none,
  'release-abandoned-charges': none,
  'watch-charges': none,
  reconcile: none,
  'expire-quotes': none,
  'expire-approvals': none,
  'sweep-files': none,
  'close-due-shops': none,
  'expire-holds': none,
  'tell-of-earlier-times': none,
  'forget-old-sign-ins': none,
  'remind-of-rotations': none,
  'watch-recalls': none,
  'deliver-webhooks': none,
  'invite-reviews': none,
  'remind-of-appointments': none,
  'write-feeds': none,
  'forget-what-is-over': none,
  'plan-supplier-feeds': none,
  'query-suppliers': none,
  'collect-supplier-files': none,
  'count-reports': none,
  'email-reports': none,
  'email-shop-summaries': none,
  'email-queue-digests': none,
  'count-reports-again': none,
  'buy-synthetically': none,
  'check-payment-pages': none,
  'forget-old-answers': none,
  'forget-old-attempts': none,
}

export type JobName = keyof typeof payloads

/** What a job is queued with. */
export type JobInput<Name extends JobName> = z.input<(typeof payloads)[Name]>

/** What a job runs with. */
export type JobPayload<Name extends JobName> = z.output<(typeof payloads)[Name]>

/** The names of all jobs. */
export const jobNames = Object.keys(payloads) as JobName[]

/** Returns a job's payload as it is stored, without the request that queued it. Throws for one that has another shape. */
export function parsePayload<Name extends JobName>(name: Name, stored: unknown): JobPayload<Name> {
  return payloads[name].parse(stored) as JobPayload<Name>
}
