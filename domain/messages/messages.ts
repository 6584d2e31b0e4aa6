import type { Transitions } from '#platform/transitions.ts'

/** Every kind of mail the store sends; each has a file of that name in content/mail. */
export const messageKinds = [
  'order-received',
  'order-shipped',
  'order-delivered',
  'order-cancelled',
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

export type MessageState = 'queued' | 'sent' | 'refused'

export const messageLife: Transitions<MessageState> = { queued: ['sent', 'refused'], sent: [], refused: [] }

/** What fills the places of a template: text, or rows that become a table. */
export type MessageValues = Record<string, string | { left: string; right: string; strong?: boolean }[]>
