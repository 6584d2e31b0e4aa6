import type { Transitions } from '#platform/transitions.ts'

/** Every kind of mail the store sends; each has a file of that name in content/mail. */
export const messageKinds = [
  'order-received',
  'order-shipped',
  'order-delivered',
  'order-canceled',
  'order-code',
  'review-received',
  'review-published',
  'review-refused',
  'support-received',
  'support-request',
  'rotation-due',
  'referral-invite',
  'referral-earned',
  'membership-begun',
  'membership-ending',
  'partner-applied',
  'partner-approved',
  'partner-refused',
  'company-invitation',
  'company-applied',
  'company-approved',
  'company-refused',
  'invoice-due',
] as const
export type MessageKind = (typeof messageKinds)[number]

/**
 * Mails not triggered by the recipient's action. Recipients can stop each, and it includes the store's mailing address
 * (16 CFR 316).
 */
export const stoppableKinds = {
  'rotation-due': 'reminders to rotate your tires',
  'membership-ending': 'reminders that your membership ends',
  'referral-invite': 'invitations from friends',
} as const satisfies Partial<Record<MessageKind, string>>
export type StoppableKind = keyof typeof stoppableKinds

export function isStoppable(kind: MessageKind): kind is StoppableKind {
  return kind in stoppableKinds
}

export type MessageState = 'queued' | 'sent' | 'refused'

export const messageLife: Transitions<MessageState> = { queued: ['sent', 'refused'], sent: [], refused: [] }

/** The values of a template's placeholders: text, or rows that become a table. */
export type MessageValues = Record<string, string | { left: string; right: string; strong?: boolean }[]>
