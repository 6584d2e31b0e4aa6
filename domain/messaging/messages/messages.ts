export { emailTemplateForm, resetForm, type EmailDraft } from './email-template-form.ts'
import type { Transitions } from '#platform/transitions.ts'

/** Every kind of mail the store sends; each has a file of that name in content/mail. */
export const messageKinds = [
  'order-received',
  'order-unconfirmed',
  'order-unconfirmed-reminder',
  'order-unanswered',
  'order-confirmed',
  'order-shipped',
  'order-delivered',
  'pickup-ready',
  'pickup-reminder',
  'order-canceled',
  'order-refunded',
  'order-lines-canceled',
  'order-rescheduled',
  'pay-again',
  'payment-unanswered',
  'order-change-offered',
  'order-changed',
  'order-delayed',
  'order-delay-canceled',
  'order-code',
  'order-message',
  'job-refused',
  'shop-late',
  'recall-notice',
  'appointment-reminder',
  'appointment-next-week',
  'appointment-soon',
  'storage-ending',
  'shop-appointment-news',
  'shop-booking-news',
  'shop-daily-summary',
  'shop-problem',
  'earlier-time-offered',
  'review-invitation',
  'review-received',
  'review-published',
  'review-refused',
  'support-received',
  'support-answer',
  'customer-message',
  'support-request',
  'rotation-due',
  'rotation-advice',
  'referral-invite',
  'referral-earned',
  'credit-given',
  'membership-begun',
  'membership-ending',
  'membership-renewing',
  'membership-renewed',
  'membership-not-renewed',
  'partner-applied',
  'partner-approved',
  'partner-refused',
  'affiliate-applied',
  'affiliate-approved',
  'affiliate-refused',
  'company-invitation',
  'company-applied',
  'company-approved',
  'company-refused',
  'approval-requested',
  'approval-refused',
  'approval-expired',
  'invoice-due',
  'guarantee-received',
  'guarantee-filed',
  'guarantee-approved',
  'guarantee-refused',
  'claim-received',
  'claim-filed',
  'claim-approved',
  'claim-refused',
  'shop-application-received',
  'shop-application-asked',
  'shop-application-approved',
  'shop-application-refused',
  'shop-pay-waits',
  'shop-bank-change',
  'shop-invitation',
  'staff-invitation',
  'sign-in-joined',
  'quote',
  'return-labels',
  'return-missing',
  'return-filed',
  'return-received',
  'return-refunded',
  'return-refused',
  'webhook-paused',
  'report',
  'queue-digest',
  'supplier-feed',
  'payment-page-differs',
] as const
export type MessageKind = (typeof messageKinds)[number]

/** Emails to the customer of an order that staff may send again; not a code, which opens an order for ten minutes. */
const resendableKinds = [
  'order-received',
  'order-unconfirmed',
  'order-unconfirmed-reminder',
  'order-unanswered',
  'order-confirmed',
  'order-shipped',
  'order-delivered',
  'pickup-ready',
  'pickup-reminder',
  'order-canceled',
  'order-refunded',
  'order-rescheduled',
  'order-change-offered',
  'order-changed',
  'order-delayed',
  'order-delay-canceled',
  'order-message',
  'job-refused',
  'appointment-reminder',
  'appointment-next-week',
  'storage-ending',
  'return-labels',
  'return-missing',
  'return-received',
  'return-refunded',
  'return-refused',
] as const satisfies readonly MessageKind[]
export type ResendableKind = (typeof resendableKinds)[number]

/** Whether staff may send an email of this kind again. */
export function isResendable(kind: MessageKind): kind is ResendableKind {
  return (resendableKinds as readonly MessageKind[]).includes(kind)
}

/**
 * Mails not triggered by the recipient's action. Recipients can stop each, and it includes the store's mailing address
 * (16 CFR 316).
 */
export const stoppableKinds = {
  'rotation-due': 'reminders to rotate your tires',
  'membership-ending': 'reminders that your membership ends',
  'referral-invite': 'invitations from friends',
  'review-invitation': 'invitations to review your tires',
  'shop-booking-news': 'emails about new, changed and canceled appointments at your shop',
  'shop-appointment-news': 'emails about customers who are late or not coming',
  'shop-daily-summary': 'daily summaries of the appointments at your shop',
} as const satisfies Partial<Record<MessageKind, string>>
/** The kinds for the teams of shops, which they choose in the portal. */
export const shopEmailKinds = ['shop-booking-news', 'shop-appointment-news', 'shop-daily-summary'] as const
export type ShopEmailKind = (typeof shopEmailKinds)[number]

export type StoppableKind = keyof typeof stoppableKinds

/** Whether this is the name of a kind of email. */
export function isMessageKind(name: string): name is MessageKind {
  return (messageKinds as readonly string[]).includes(name)
}

/** Returns the subscription a kind belongs to; null if recipients can't unsubscribe from it. */
export function stopKindOf(kind: MessageKind): StoppableKind | null {
  // Both are about tire rotation, one from an account's garage, the other after an order.
  if (kind === 'rotation-advice') return 'rotation-due'
  return isStoppable(kind) ? kind : null
}

function isStoppable(kind: MessageKind): kind is StoppableKind {
  return kind in stoppableKinds
}

/**
 * `dropped`: no longer true when it was due to be sent. `bounced`, `complained`: what the mail provider reported after
 * it was sent.
 */
export type MessageState = 'queued' | 'sent' | 'refused' | 'dropped' | 'bounced' | 'complained'

export const messageLife: Transitions<MessageState> = {
  queued: ['sent', 'refused', 'dropped'],
  sent: ['bounced', 'complained'],
  refused: [],
  dropped: [],
  bounced: [],
  complained: [],
}

/** The kinds that recipients can stop. */
export const allStoppable = Object.keys(stoppableKinds) as StoppableKind[]

/** The kinds that customers can stop, in the order the preference page lists them. */
export const stoppableList = allStoppable.filter((kind) => !isShopEmail(kind))

/** Whether a kind is for the team of a shop. */
export function isShopEmail(kind: MessageKind): kind is ShopEmailKind {
  return (shopEmailKinds as readonly MessageKind[]).includes(kind)
}

/** Returns a message key's parts after its kind, such as ["12"] for "claim-filed:12". */
export function keyParts(key: string): string[] {
  return key.split(':').slice(1)
}

/** A tire in an email, with brand, model, size and service description as one text, and its image. */
export type MailTire = { name: string; quantity: number; pictureUrl: string | null }

/** Values for a template's placeholders (text, lines, a list of links, tires with images, or table rows). */
export type MessageValues = Record<
  string,
  | string
  | { lines: readonly string[] }
  | { links: readonly { words: string; url: string }[] }
  | { tires: readonly MailTire[] }
  | { left: string; right: string; strong?: boolean }[]
>
