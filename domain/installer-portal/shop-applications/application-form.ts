/** What a shop enters when it applies. Safe in the browser. */
import { shopApplicationMessages as messages } from '#content/messages/shop-applications.ts'
import { emailField, personName } from '#domain/kernel/contact-fields/contact-fields.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { fieldMessages } from '#content/messages/fields.ts'
import { typedWeek, weekFields, weekOfHours } from '#domain/scheduling/installers/installers.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'

/** Optional tire services of a shop, in addition to mounting and balancing, which every job includes. */
export const tireServices = {
  sensors: 'Sensor service',
  'flat-repair': 'Flat repair',
  alignment: 'Alignment',
  'run-flat': 'Run-flat tires',
  'light-truck': 'Light truck and dually',
  'road-force': 'Road-force balance',
  'mobile-van': 'Mobile van',
} as const
export type TireService = keyof typeof tireServices

/** Services the shop sells itself. */
export const otherServices = {
  brakes: 'Brakes',
  'oil-change': 'Oil change',
  batteries: 'Batteries',
  inspection: 'Inspection',
} as const
export type OtherService = keyof typeof otherServices

/** The longest question, answer and reason. */
export const longestWords = 1_000

const email = emailField(messages.email)

/** A US phone number, returned as ten digits. */
export const shopPhoneField = z
  .string(messages.phone)
  .trim()
  .max(40, messages.phone)
  .transform((text, issue) => {
    const digits = text.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
    if (/^\d{10}$/.test(digits)) return digits
    issue.addIssue({ code: 'custom', message: messages.phone })
    return z.NEVER
  })

/** A website URL, or null. */
export const shopWebsiteField = z
  .string()
  .trim()
  .max(200, messages.website)
  .optional()
  .transform((text, issue) => {
    if (!text) return null
    const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
    if (url && url.username === '' && /\.[a-z\d-]{2,}$/i.test(url.hostname) && url.href.length <= 200) return url.href
    issue.addIssue({ code: 'custom', message: messages.website })
    return z.NEVER
  })

const hours = weekOfHours(messages.noHours)

/** Gathers the fields that come one by one: `tire-alignment`, `other-brakes`, `opens-1`, `closes-1`. */
function gather(given: unknown) {
  const fields = given as Record<string, string | undefined>
  const ticked = <Key extends string>(prefix: string, services: Readonly<Record<Key, string>>) =>
    (Object.keys(services) as Key[]).filter((key) => fields[`${prefix}-${key}`] === '1')
  return {
    ...fields,
    tireServices: ticked('tire', tireServices),
    otherServices: ticked('other', otherServices),
    hours: typedWeek(fields),
  }
}

/** The form of /installer-signup. Phones are returned as ten digits, emails in lowercase, times as minutes. */
export const shopApplicationForm = z.preprocess(
  gather,
  z.object({
    company: z
      .string(messages.company)
      .trim()
      .min(1, messages.company)
      .max(80, 'Please keep this under 80 characters.'),
    street: contactForm.shape.address1,
    city: contactForm.shape.city,
    state: contactForm.shape.state,
    zip: contactForm.shape.zip,
    shopPhone: shopPhoneField,
    shopWebsite: shopWebsiteField,
    ownerFirstName: personName(fieldMessages.firstName),
    ownerLastName: personName(fieldMessages.lastName),
    ownerEmail: email,
    ownerPhone: shopPhoneField,
    leadFirstName: personName(fieldMessages.firstName),
    leadLastName: personName(fieldMessages.lastName),
    leadEmail: email,
    leadPhone: shopPhoneField,
    tireServices: z.custom<TireService[]>(),
    otherServices: z.custom<OtherService[]>(),
    hours,
    agree: z.literal('1', messages.agree),
  }),
)
export type ShopApplicationAsked = Omit<z.output<typeof shopApplicationForm>, 'agree'>

/** A question, an answer or a reason, as it is typed. `message`: why it may not be empty. */
function words(message: string) {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(longestWords, `Please keep this under ${countOf(longestWords, 'character')}.`)
}

export const questionForm = z.object({ question: words('Write the question the shop will read.') })
export const refusalForm = z.object({ reason: words('Write the reason the shop will read.') })
export const answerForm = z.object({ answer: words('Please write your answer.') })

/** Every field of the form except the picture and the agreement. Sending the form accepts the agreement. */
export const shopApplicationFields: readonly string[] = [
  'company',
  'street',
  'city',
  'state',
  'zip',
  'shopPhone',
  'shopWebsite',
  ...['owner', 'lead'].flatMap((who) => ['FirstName', 'LastName', 'Email', 'Phone'].map((what) => `${who}${what}`)),
  ...Object.keys(tireServices).map((key) => `tire-${key}`),
  ...Object.keys(otherServices).map((key) => `other-${key}`),
  ...weekFields,
]
