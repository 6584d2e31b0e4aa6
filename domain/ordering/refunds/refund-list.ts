/** The office refund list's tabs and filters, and each refund's money status. Safe in the browser. */
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

/** The money status. `credited` means store credit or a reduced invoice instead of the card. */
export type RefundMoney = 'draft' | 'declined' | 'promised' | 'refused' | 'done' | 'credited'

export const refundMoneyNames: Readonly<Record<RefundMoney, string>> = {
  draft: 'To approve',
  declined: 'Declined',
  promised: 'With the provider',
  refused: 'Refused by the provider',
  done: 'Paid back',
  credited: 'Credited',
}

/** The refund reason, either chosen by staff or automatic. */
export const listedReasons = {
  ...refundReasons,
  guarantee: 'Price guarantee',
  coverage: 'Coverage claim',
  canceled: 'Order canceled after its charge',
} as const
export type ListedReason = keyof typeof listedReasons

/** Returns whether staff chose the reason, as opposed to an automatic one. */
export function isStaffReason(reason: ListedReason): reason is RefundReason {
  return Object.hasOwn(refundReasons, reason)
}
