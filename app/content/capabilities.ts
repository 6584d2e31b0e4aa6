/**
 * What the store does by itself today. Copy reads these, in code and as `{{#if payLater}}…{{else}}…{{/if}}` in
 * content/, so that a page begins to promise something on the day it works; `capabilities.test.ts` holds each against
 * the code, and all copy against each.
 */
export const capabilities = {
  /** The shopper moves a booked appointment, from the mail or an account. */
  moveAppointment: false,
  /** A mail reminds of an appointment. */
  appointmentReminders: false,
  /** The shopper begins a return without writing to anybody. */
  returnOnline: false,
  /** The cart takes the military discount. */
  militaryDiscount: false,
  /** The cart takes a coupon. */
  coupons: false,
  /** Installments, a loan or a lease are ways to pay. */
  payLater: false,
  storeCard: false,
  /** Apple Pay and Google Pay. */
  wallets: false,
  /** Companies with payment terms order on an invoice. */
  netTerms: true,
  /** Links of writers earn. */
  affiliates: false,
  /** Shops carry a mark of certified repair. */
  repairMarks: false,
} as const satisfies Record<string, boolean>

export type Capability = keyof typeof capabilities

export function isCapability(name: string): name is Capability {
  return name in capabilities
}
