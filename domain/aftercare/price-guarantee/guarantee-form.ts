/** The form of the price guarantee. */
import { fieldMessages } from '#content/messages/fields.ts'
import { emailAddress, zipCode } from '#domain/kernel/contact-fields/contact-fields.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { parseUsDay } from '#platform/day-text.ts'
import { dollars, emptyOr, optionalText, ticked } from '#platform/form-fields.ts'
import { z } from 'zod'

const quantityMessage = 'Please enter how many tires, from 1 to 400.'
const itemMessage = 'Enter the link to the tire’s page with us, or the number at its end.'
const linkMessage = 'Enter the link to the offer, beginning with https://.'
const priceMessage = 'Enter the price of one tire, like 149.99.'
const competitorMessage = 'Please enter the name of the other store.'

/**
 * With an order number, the order provides the rest. For a price match before purchase, email, tire and quantity are
 * required.
 */
export const guaranteeForm = z
  .object({
    orderNumber: optionalText(24).transform((text, issue) => {
      if (text === null) return null
      const id = parseOrderNumber(text)
      if (id !== undefined) return id
      issue.addIssue({ code: 'custom', message: 'Write it as in our email, like S-104001, or leave it empty.' })
      return z.NEVER
    }),
    email: emptyOr(emailAddress),
    zip: emptyOr(zipCode),
    /** The number of the article with us. */
    item: optionalText(300).transform((text, issue) => {
      if (text === null) return null
      const digits = /(?:^|\/p\/)(\d{1,9})$/.exec(text.split(/[?#]/, 1)[0] ?? '')?.[1]
      if (digits !== undefined) return Number(digits)
      issue.addIssue({ code: 'custom', message: itemMessage })
      return z.NEVER
    }),
    quantity: emptyOr(
      z
        .string()
        .transform(Number)
        .pipe(z.number(quantityMessage).int(quantityMessage).min(1, quantityMessage).max(400, quantityMessage)),
    ),
    competitor: z
      .string(competitorMessage)
      .trim()
      .min(1, competitorMessage)
      .max(80, 'Please keep this under 80 characters.'),
    link: z.string(linkMessage).trim().max(500, 'Please keep this under 500 characters.').transform(readLink),
    price: dollars(priceMessage),
    shipping: ticked(),
    installation: ticked(),
    seenOn: z
      .string(fieldMessages.date)
      .trim()
      .transform((text, issue) => {
        const day = parseUsDay(text)
        if (day) return day
        issue.addIssue({ code: 'custom', message: fieldMessages.date })
        return z.NEVER
      }),
  })
  .superRefine(({ orderNumber, email, item, quantity }, issue) => {
    if (orderNumber !== null) return
    const missing = (field: string, message: string) => issue.addIssue({ code: 'custom', path: [field], message })
    if (email === null) missing('email', fieldMessages.email)
    if (item === null) missing('item', itemMessage)
    if (quantity === null) missing('quantity', quantityMessage)
  })
export type GuaranteeForm = z.output<typeof guaranteeForm>

/** A whole web address of a host with a dot in it, as it is stored, and its host. */
function readLink(text: string, issue: z.core.$RefinementCtx): { url: string; host: string } {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && /\.[a-z\d-]{2,}$/i.test(url.hostname) && url.username === '')
    if (url.href.length <= 500) return { url: url.href, host: url.hostname.toLowerCase() }
  issue.addIssue({ code: 'custom', message: linkMessage })
  return z.NEVER
}
