/**
 * The review form (specification, sections 3 and 5), where every field and at least one attribute rating are required.
 */
import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'
import { attributes, type Attribute } from '#domain/catalog/catalog/catalog.ts'
import { emailAddress } from '#domain/kernel/contact-fields/contact-fields.ts'
import { parseUsDay } from '#platform/day-text.ts'
import { countOf } from '#platform/count-text.ts'

export const longestSummary = 80
export const longestComments = 3_000
export const longestName = 25
export const longestVehicle = 80
export const drivingStyles = ['Relaxed', 'Average', 'Spirited', 'Towing or hauling'] as const
export const placesUsed = ['Highway', 'City', 'Mixed', 'Country roads', 'Off road'] as const
/** Attribute names, where they are rated and shown. */
export const attributeNames: Readonly<Record<Attribute, string>> = {
  dry: 'Dry grip',
  wet: 'Wet grip',
  winter: 'Snow',
  comfort: 'Comfort',
  noise: 'Quiet',
  treadwear: 'Wear',
}

const nameMessage = `Enter a display name with letters, up to ${longestName}.`
const dateMessage = fieldMessages.date
const oldest = Temporal.PlainDate.from('1990-01-01')
const mostMiles = 500_000

/**
 * Validates an entered review at `now`. Returns stars 1 to 5 or null, the day as YYYY-MM-DD and the miles as a number.
 * Only `orderNumber` is optional; it earns the verified badge.
 */
export function reviewForm(now: Temporal.Instant) {
  // It may already be tomorrow in another time zone.
  const lastDay = now.add({ hours: 14 }).toZonedDateTimeISO('UTC').toPlainDate()
  return z
    .object({
      ...(Object.fromEntries(attributes.map((attribute) => [attribute, stars])) as Record<Attribute, typeof stars>),
      summary: line(`Sum it up in up to ${countOf(longestSummary, 'character')}.`, longestSummary),
      comments: z
        .string('Write what it is like to drive on.')
        .trim()
        .min(1, 'Write what it is like to drive on.')
        .max(longestComments, `Please keep this under ${countOf(longestComments, 'character')}.`),
      name: line(nameMessage, longestName).refine(
        (name) => name === '' || (/^[\p{L}\p{M}',. -]+$/u.test(name) && /\p{L}/u.test(name)),
        nameMessage,
      ),
      email: emailAddress,
      purchasedOn: z
        .string(dateMessage)
        .trim()
        .transform((text, issue) => {
          const day = parseUsDay(text)
          const message =
            day === undefined
              ? dateMessage
              : Temporal.PlainDate.compare(day, lastDay) > 0
                ? 'This day has not come yet. Enter the day you bought the tires.'
                : Temporal.PlainDate.compare(day, oldest) < 0
                  ? 'This day is before 1990. Enter the day you bought the tires.'
                  : null
          if (day !== undefined && message === null) return day.toString()
          issue.addIssue({ code: 'custom', message: message ?? dateMessage })
          return z.NEVER
        }),
      vehicle: line('Enter your vehicle, like 2021 Toyota RAV4 XLE.', longestVehicle),
      milesDriven: z
        .string(milesMessage)
        .trim()
        .transform((text, issue) => {
          const miles = /^\d{1,3}(,\d{3})*$|^\d{1,7}$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
          if (miles !== undefined && miles <= mostMiles) return miles
          issue.addIssue({ code: 'custom', message: milesMessage })
          return z.NEVER
        }),
      drivingStyle: z.enum(drivingStyles, 'Choose your driving style.'),
      whereUsed: z.enum(placesUsed, 'Choose where you drive most.'),
      buyAgain: z.enum(['yes', 'no'], 'Say whether you would buy them again.').transform((answer) => answer === 'yes'),
      orderNumber: z
        .string()
        .trim()
        .max(24, 'An order number looks like S-104001.')
        .optional()
        .transform((text) => text || null),
    })
    .refine((review) => attributes.some((attribute) => typeof review[attribute] === 'number'), {
      path: ['ratings'],
      message: 'Rate at least one of these from 1 to 5.',
      // Reported together with other fields' errors.
      when: () => true,
    })
}

export type ReviewForm = z.output<ReturnType<typeof reviewForm>>

const milesMessage = `Enter the miles as a number up to ${mostMiles.toLocaleString('en-US')}, like 12,000.`

/** One to five stars; empty if the attribute is not rated. */
const stars = z
  .string()
  .optional()
  .transform((text, issue) => {
    if (text === undefined || text === '') return null
    if (/^[1-5]$/.test(text)) return Number(text)
    issue.addIssue({ code: 'custom', message: 'Rate from 1 to 5.' })
    return z.NEVER
  })

function line(message: string, longest: number) {
  return z
    .string(message)
    .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().min(1, message).max(longest, message))
}
