/** Payment method discounts, for the store card and lender promotions. Safe in the browser. */
import { z } from 'zod'
import type { TenderOffer } from '#domain/pricing/pricing/pricing.ts'
import { officeText, stateAt, type PromotionState } from '#domain/catalog/promotions/promotions.ts'
import { storeTime } from '#domain/kernel/schedules/schedules.ts'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'

/** The ways to pay that a promotion can be for, with their names. */
export const payLaterMethods = {
  klarna: 'Klarna',
  affirm: 'Affirm',
  afterpay: 'Afterpay',
  loan: 'Monthly loan',
  lease: 'Lease-to-own',
} as const
export type PayLaterMethod = keyof typeof payLaterMethods

export function isPayLater(method: string): method is PayLaterMethod {
  return Object.hasOwn(payLaterMethods, method)
}

/** The party that funds a lender's promotion. Its part of the price stays taxable unless it is the store. */
export const payLaterFunders = { store: 'Us', lender: 'The lender' } as const

/** The store card's discount on the first order paid with it, under the terms that apply. */
export function storeCardOffer(terms: Pick<BusinessTerms, 'store-card-ppm'>): TenderOffer {
  return { kind: 'store-card', ratePpm: terms['store-card-ppm'], fundedBy: 'store' }
}

/** A promotion of a way to pay later, as staff scheduled it. */
export type PayLaterOffer = {
  id: number
  method: PayLaterMethod
  percent: number
  fundedBy: keyof typeof payLaterFunders
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  by: string
}

/** Whether an offer is scheduled, running or ended at `now`. */
export function payLaterState(offer: PayLaterOffer, now: Temporal.Instant): PromotionState {
  return stateAt(offer, now)
}

/** The office's form for a new offer. */
export const payLaterForm = z.object({
  formKey: z.uuid(),
  method: z.enum(Object.keys(payLaterMethods) as [PayLaterMethod, ...PayLaterMethod[]], 'Choose how they pay.'),
  percent: z
    .string('Enter 1 to 50 percent.')
    .trim()
    .regex(/^\d{1,2}$/, 'Enter 1 to 50 percent.')
    .transform(Number)
    .refine((percent) => percent >= 1 && percent <= 50, 'Enter 1 to 50 percent.'),
  fundedBy: z.enum(['store', 'lender'], 'Choose who pays.'),
  startsAt: storeTime('Enter the day and time it starts.'),
  endsAt: storeTime('Enter the day and time it ends.'),
})
export type PayLaterDraft = z.output<typeof payLaterForm>

/** The office's form to end an offer. */
export const payLaterEndForm = z.object({ reason: officeText(3, 200) })
