import type { Transitions } from '#platform/transitions.ts'

/** Every kind of mail the store sends; each has a file of that name in content/mail. */
export const messageKinds = [
  'order-received',
  'order-shipped',
  'order-delivered',
  'order-canceled',
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
 * What nobody asked for with what they just did. Each can be stopped by whoever gets it, and says from where the store
 * writes (16 CFR 316).
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

/** What fills the places of a template: text, or rows that become a table. */
export type MessageValues = Record<string, string | { left: string; right: string; strong?: boolean }[]>
