/** The form of a coverage claim. */
import { fieldMessages } from '#content/messages/fields.ts'
import { emailAddress, zipCode } from '#domain/kernel/contact-fields/contact-fields.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { parseUsDay } from '#platform/day-text.ts'
import { dollars, emptyOr, optionalText } from '#platform/form-fields.ts'
import { z } from 'zod'
import { causeLabels, claimKinds, type ClaimKind, type CoveredCause, type ExcludedCause } from './coverage-claims.ts'

const orderMessage = 'Enter the order number as in our email, like S-104001.'
const tiresMessage = 'Please enter how many tires, from 1 to 400.'
const paidMessage = 'Enter what the repair cost, like 24.99.'
const tinMessage = 'Enter the letters and digits that follow DOT on the sidewall, or leave it empty.'

/** Name or ZIP prove the order where the browser does not; a repair needs its price. */
export const claimForm = z
  .object({
    orderNumber: z
      .string(orderMessage)
      .max(24, orderMessage)
      .transform((text, issue) => {
        const id = parseOrderNumber(text)
        if (id !== undefined) return id
        issue.addIssue({ code: 'custom', message: orderMessage })
        return z.NEVER
      }),
    email: emptyOr(emailAddress),
    zip: emptyOr(zipCode),
    /** The item within the order; null if it has only one. */
    item: emptyOr(
      z
        .string()
        .regex(/^\d{1,9}$/, 'Please choose a tire.')
        .transform(Number),
    ),
    tires: z
      .string(tiresMessage)
      .trim()
      .regex(/^\d{1,3}$/, tiresMessage)
      .transform(Number)
      .pipe(z.number().min(1, tiresMessage).max(400, tiresMessage)),
    kind: z.enum(Object.keys(claimKinds) as [ClaimKind, ...ClaimKind[]], 'Please choose what happened to the tire.'),
    cause: z.enum(
      Object.keys(causeLabels) as [CoveredCause | ExcludedCause, ...(CoveredCause | ExcludedCause)[]],
      'Please choose a cause.',
    ),
    happenedOn: z
      .string(fieldMessages.date)
      .trim()
      .max(10, fieldMessages.date)
      .transform((text, issue) => {
        const day = parseUsDay(text)
        if (day) return day
        issue.addIssue({ code: 'custom', message: fieldMessages.date })
        return z.NEVER
      }),
    paid: emptyOr(dollars(paidMessage)),
    tin: optionalText(30).transform((text, issue) => {
      if (text === null) return null
      const tin = text.toUpperCase().replace(/^DOT/, '').replaceAll(/[\s-]/g, '')
      if (/^[A-Z0-9]{7,13}$/.test(tin)) return tin
      issue.addIssue({ code: 'custom', message: tinMessage })
      return z.NEVER
    }),
    words: optionalText(1000),
  })
  .superRefine(({ kind, paid }, issue) => {
    if (kind === 'repair' && paid === null) issue.addIssue({ code: 'custom', path: ['paid'], message: paidMessage })
  })
export type ClaimForm = z.output<typeof claimForm>
