import { z } from 'zod'
import { emailAddress, phoneNumber } from '#domain/checkout/checkout.ts'
import { originOfSite } from './widgets.ts'

const businessMessage = 'Please enter the name of your business or club'
const nameMessage = 'Please enter your name'
const siteMessage = 'Please enter the address of your site, such as https://www.example.com'
const peopleMessage = 'Please enter about how many people, from 1'

/** A partner application. `phone` is returned as ten digits, followed by " x20" if there is an extension. */
export const partnerForm = z.object({
  business: z.string(businessMessage).trim().min(1, businessMessage).max(100, 'Please keep this under 100 characters.'),
  name: z
    .string(nameMessage)
    .trim()
    .regex(/^[\p{L}',. -]{1,50}$/u, nameMessage),
  email: emailAddress,
  phone: phoneNumber.transform(({ digits, extension }) => (extension === null ? digits : `${digits} x${extension}`)),
  people: z.coerce.number(peopleMessage).int(peopleMessage).min(1, peopleMessage).max(1_000_000, peopleMessage),
  /** The origin of the page of those who ask for the widget. */
  site: z
    .string()
    .trim()
    .max(400, siteMessage)
    .transform((typed, context) => {
      if (typed === '') return null
      const origin = originOfSite(typed)
      if (origin === undefined) context.addIssue(siteMessage)
      return origin ?? null
    })
    .default(null),
  message: z.string().trim().max(2_000, 'Please keep this under 2000 characters.').default(''),
})
export type PartnerAsked = z.output<typeof partnerForm>
