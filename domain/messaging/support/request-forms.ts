/** The forms people contact us with (specification, sections 3 and 5), with the specification's messages verbatim. */
import { fieldMessages } from '#content/messages/fields.ts'
import { emailAddress, personName, phoneNumber } from '#domain/kernel/contact-fields/contact-fields.ts'
import { parseTireSize, sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { contactSubjects } from './support.ts'
import { optionalText } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'

const longestMessage = 3_000

/**
 * `phone` is returned as ten digits, followed by " x20" if there is an extension; `orderNumber` in canonical form, or
 * null.
 */
export const contactMessageForm = z.object({
  firstName: personName(fieldMessages.firstName),
  lastName: personName(fieldMessages.lastName),
  email: emailAddress,
  phone: phoneNumber.transform(({ digits, extension }) => (extension === null ? digits : `${digits} x${extension}`)),
  orderNumber: optionalText(24).transform((text, issue) => {
    if (text === null) return null
    const id = parseOrderNumber(text)
    if (id !== undefined) return orderNumber(id)
    issue.addIssue({ code: 'custom', message: 'Write it as in our email, like S-104001, or leave it empty.' })
    return z.NEVER
  }),
  subject: z.enum(contactSubjects, 'Please choose what it is about.'),
  message: z
    .string('Please write your message.')
    .trim()
    .min(1, 'Please write your message.')
    .max(longestMessage, `Please keep this under ${countOf(longestMessage, 'character')}.`),
})
export type ContactMessage = z.output<typeof contactMessageForm>

const nameMessage = 'Please enter your name'
const quantityMessage = 'Please enter how many tires, from 1 to 400.'

/** `size` is returned in canonical spelling. A lead has the vehicle or the size, or both. */
export const leadForm = z
  .object({
    name: personName(nameMessage, 50),
    email: emailAddress,
    quantity: z.coerce.number(quantityMessage).int(quantityMessage).min(1, quantityMessage).max(400, quantityMessage),
    vehicle: optionalText(80),
    size: optionalText(40).transform((text, issue) => {
      if (text === null) return null
      const size = parseTireSize(text)
      if (size) return sizeDesignation(size)
      issue.addIssue({
        code: 'custom',
        message: 'We cannot read that as a tire size. Write it like 225/65R17, or leave it empty.',
      })
      return z.NEVER
    }),
    brand: optionalText(60),
  })
  .refine(({ vehicle, size }) => vehicle !== null || size !== null, {
    path: ['vehicle'],
    message: 'Tell us the vehicle or the tire size.',
  })
export type Lead = z.output<typeof leadForm>
