import { z } from 'zod'
import { emailAddress, personName, phoneNumber } from '#domain/kernel/contact-fields/contact-fields.ts'
import { originOfSite } from './widgets.ts'

const businessMessage = 'Please enter the name of your business or club'
const nameMessage = 'Please enter your name'
const siteMessage = 'Please enter the address of your site, such as https://www.example.com'
const peopleMessage = 'Please enter about how many people, from 1'

const channelMessage = 'Please enter the address of your site or channel, such as https://www.example.com/tires'
const readersMessage = 'Please enter about how many a month, from 1'

/** A partner application. `phone` is returned as ten digits, followed by " x20" if there is an extension. */
export const partnerForm = z.object({
  business: z.string(businessMessage).trim().min(1, businessMessage).max(100, 'Please keep this under 100 characters.'),
  name: personName(nameMessage, 50),
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

/** An affiliate application. `people` is its monthly audience, `site` is its channel's origin. */
export const affiliateForm = z
  .object({
    ...partnerForm.pick({ name: true, email: true, phone: true, message: true }).shape,
    business: z
      .string('Please enter the name of your site or channel')
      .trim()
      .min(1, 'Please enter the name of your site or channel')
      .max(100, 'Please keep this under 100 characters.'),
    people: z.coerce
      .number(readersMessage)
      .int(readersMessage)
      .min(1, readersMessage)
      .max(100_000_000, readersMessage)
      // Larger numbers aren't distinguished.
      .transform((readers) => Math.min(readers, 1_000_000)),
    channel: z
      .string(channelMessage)
      .trim()
      .max(300, channelMessage)
      .transform((typed, context) => {
        const channel = channelOf(typed)
        if (channel === undefined) context.addIssue(channelMessage)
        return channel ?? ''
      }),
  })
  .transform((asked) => ({ ...asked, site: originOfSite(asked.channel) ?? '' }))
export type AffiliateAsked = z.output<typeof affiliateForm>

/** Returns a normalized URL of a page on an https site; undefined if invalid. */
function channelOf(typed: string): string | undefined {
  if (originOfSite(typed) === undefined) return undefined
  const { href } = new URL(typed.includes('://') ? typed : `https://${typed}`)
  return /^https:\/\/[^\s<>"]{1,290}$/.test(href) ? href : undefined
}
