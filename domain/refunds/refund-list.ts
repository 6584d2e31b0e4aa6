/** The office's list of refunds: its tabs and filters, and where the money of a refund is. Safe in the browser. */
import { refundReasons, type RefundReason } from './refund-reasons.ts'

/** `all`, or only what needs a person or the provider. */
export const refundTabs = ['all', 'draft', 'promised', 'refused'] as const
export type RefundTab = (typeof refundTabs)[number]

export const refundTabNames: Readonly<Record<RefundTab, string>> = {
  all: 'All',
  draft: 'To approve',
  promised: 'With the provider',
  refused: 'Refused by the provider',
}

/** Where the money is: `credited` went to store credit or came off an invoice, without the card. */
export type RefundMoney = 'draft' | 'declined' | 'promised' | 'refused' | 'done' | 'credited'

export const refundMoneyNames: Readonly<Record<RefundMoney, string>> = {
  draft: 'To approve',
  declined: 'Declined',
  promised: 'With the provider',
  refused: 'Refused by the provider',
  done: 'Paid back',
  credited: 'Credited',
}

/** Why money went back: what staff chose, or what refunded by itself. */
export const listedReasons = {
  ...refundReasons,
  guarantee: 'Price guarantee',
  coverage: 'Coverage claim',
  canceled: 'Order canceled after its charge',
} as const
export type ListedReason = keyof typeof listedReasons

/** Whether staff chose it for a refund of an order, rather than it being the store's own. */
export function isStaffReason(reason: ListedReason): reason is RefundReason {
  return Object.hasOwn(refundReasons, reason)
}
