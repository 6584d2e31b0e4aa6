/**
 * What the store can do today. Copy reads these, in code and as `{{#if payLater}}…{{else}}…{{/if}}` in content/, so
 * that a page starts to promise something the day it works; `capabilities.test.ts` checks each against the code, and
 * all copy against each.
 */
export const capabilities = {
  /** Shoppers can reschedule an appointment, from the email or an account. */
  moveAppointment: false,
  /** Appointment reminders are emailed. */
  appointmentReminders: true,
  /** Shoppers can start a return online. */
  returnOnline: true,
  /** The cart accepts the military discount. */
  militaryDiscount: true,
  /** The cart accepts coupons. */
  coupons: true,
  /** Installments, loans and leases are payment methods. */
  payLater: true,
  storeCard: true,
  /** Apple Pay and Google Pay. */
  wallets: true,
  /** Companies with payment terms can order on invoice. */
  netTerms: true,
  /** Affiliate links earn commissions. */
  affiliates: true,
  /** Shops carry a certified repair mark. */
  repairMarks: true,
} as const satisfies Record<string, boolean>

export type Capability = keyof typeof capabilities

export function isCapability(name: string): name is Capability {
  return name in capabilities
}
