/** Shop requirements and validity for certified repair. Safe in the browser. */
import { z } from 'zod'
import { ticked } from '#platform/form-fields.ts'

/** A certification counts so many months; then the shop is looked at again. */
export const certificationMonths = 12

/** The least a certified shop gives in writing on parts and labor. */
export const leastWarranty = { months: 12, miles: 12_000 } as const

/** Certification requirements, with the text for shoppers and the confirmation for staff. */
export const certificationRequirements = {
  technicians: {
    asks: 'Repairs are done or checked by a technician with a current certificate for that work, on tools made for it.',
    seen: 'Technicians’ certificates, current and by name',
  },
  estimates: {
    asks: 'The shop repairs only after you approve a price in writing.',
    seen: 'Three estimates with the invoices that followed',
  },
  prices: {
    asks: 'Prices for common repairs are in line with other shops in the area.',
    seen: 'Prices of five repairs compared with shops nearby',
  },
  complaints: {
    asks: 'Complaints are answered within two business days, and by us if the shop and you do not agree.',
    seen: 'Complaints of the last year with their answers',
  },
} as const satisfies Record<string, { asks: string; seen: string }>
export type CertificationRequirement = keyof typeof certificationRequirements

/** Whether a shop is certified on a day; `certifiedUntil` is the last day, "2027-11-20", or null without one. */
export function isCertified({ certifiedUntil }: { certifiedUntil: string | null }, today: Temporal.PlainDate): boolean {
  return certifiedUntil !== null && Temporal.PlainDate.compare(today, certifiedUntil) <= 0
}

const seenMessage = 'Confirm that you have seen this.'

function seen() {
  return ticked().refine((isSeen) => isSeen, seenMessage)
}

function wholeNumber(least: number, most: number, message: string) {
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,6}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message))
}

/** The certification form, with shop code, confirmed requirements, warranty and evidence. */
export const certificationForm = z.object({
  shop: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^SW-\d{5}$/, 'Enter the code of the shop, like SW-00001.'),
  technicians: seen(),
  estimates: seen(),
  prices: seen(),
  complaints: seen(),
  warrantyMonths: wholeNumber(leastWarranty.months, 120, `Enter the months, at least ${leastWarranty.months}.`),
  warrantyMiles: wholeNumber(
    leastWarranty.miles,
    200_000,
    `Enter the miles, at least ${leastWarranty.miles.toLocaleString('en-US')}.`,
  ),
  evidence: z
    .string()
    .trim()
    .min(10, 'Write what you saw, in a sentence at least.')
    .max(500, 'Please keep this under 500 characters.'),
})
export type CertificationForm = z.output<typeof certificationForm>

/** The form to revoke a certification. */
export const revokeCertificationForm = z.object({
  reason: z.string().trim().min(1, 'Write why it is revoked.').max(500, 'Please keep this under 500 characters.'),
})
