/**
 * The ship-to and billing forms (specification, sections 3 and 5), with the specification's messages verbatim. Safe in
 * the browser.
 */
import { homeDeliveryMessages } from '#content/messages/delivery.ts'
import { fieldMessages } from '#content/messages/fields.ts'
import { refuseDeliveryLine } from '#domain/supply/delivery/delivery.ts'
import { optionalText } from '#platform/form-fields.ts'
import { z } from 'zod'

export const phoneTypes = ['mobile', 'home', 'work'] as const
export type PhoneType = (typeof phoneTypes)[number]

// Some letters have no composed form, so that marks follow them (Unicode category M).
const nameShape = /^[\p{L}\p{M}',. -]+$/u
const hasLetter = /\p{L}/u
const cityShape = /^[\p{L}\p{M}0-9',. ()-]+$/u

/** Validates a name of up to `max` characters (letters, apostrophe, comma, period, space and hyphen). */
export function personName(message: string, max = 25) {
  return text(max, message).refine((value) => nameShape.test(value) && hasLetter.test(value), message)
}

const addressLine = text(100, fieldMessages.address).refine(
  (value) => /[\p{L}\p{N}]/u.test(value) && !/[<>{}\\]/.test(value),
  fieldMessages.address,
)
const cityName = text(60, fieldMessages.city).refine(
  (value) => cityShape.test(value) && hasLetter.test(value),
  fieldMessages.city,
)
const stateCode = z
  .string(fieldMessages.state)
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, fieldMessages.state)

/** 5 digits or 5+4; stored as five digits. */
export const zipCode = z
  .string(fieldMessages.zip)
  .trim()
  .regex(/^\d{5}(-?\d{4})?$/, fieldMessages.zip)
  .transform((value) => value.slice(0, 5))

/**
 * A standard address pattern, refused with `message`; stored in lowercase, because domains are case-insensitive and so,
 * in practice, are mailboxes.
 */
export function emailField(message: string) {
  return (
    z
      .string(message)
      .trim()
      .max(254, message)
      // No flags, because the OpenAPI document contains only the pattern.
      .regex(
        /^[^\s@<>()[\],;:"\\]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
        message,
      )
      .transform((value) => value.toLowerCase())
  )
}

export const emailAddress = emailField(fieldMessages.email)

/** Any +country code, exactly 10 digits, and an optional extension: specification, section 3. */
export const phoneNumber = z
  .string(fieldMessages.phone)
  .trim()
  .max(40, fieldMessages.phone)
  .transform((value, context) => {
    const parsed = parsePhone(value)
    if (parsed) return parsed
    context.addIssue({ code: 'custom', message: fieldMessages.phone })
    return z.NEVER
  })

/** The same, of North America only: ten digits. */
export const localPhoneNumber = phoneNumber.refine(({ digits }) => !digits.startsWith('+'), fieldMessages.phone)

const phoneType = z.enum(phoneTypes, fieldMessages.phoneType)

const reachable = (value: string | null) => refuseDeliveryLine(value ?? '') !== 'po-box'
const civilian = (value: string | null) => refuseDeliveryLine(value ?? '') !== 'military'

/** Any address line of a delivery, because people enter a PO box in any field with room for it. */
function delivered<Line extends z.ZodType<string | null>>(line: Line) {
  return line
    .refine(reachable, { error: homeDeliveryMessages['po-box'], abort: true })
    .refine(civilian, homeDeliveryMessages.military)
}

/**
 * Who receives the order. Refuses military post offices and PO boxes, because our carriers do not deliver tires there.
 */
export const contactForm = z.object({
  firstName: personName(fieldMessages.firstName),
  lastName: personName(fieldMessages.lastName),
  company: delivered(optionalText(80)),
  address1: delivered(addressLine),
  address2: delivered(optionalText(100)),
  city: delivered(cityName),
  state: stateCode.refine((value) => !['AA', 'AE', 'AP'].includes(value), homeDeliveryMessages.military),
  zip: zipCode,
  instructions: optionalText(500),
  email: emailAddress,
  phone: phoneNumber,
  phoneType,
  /** The car that comes to the shop; asked only for installation without a chosen vehicle. */
  vehicleNote: optionalText(80),
})
export type Contact = z.output<typeof contactForm>

/** Who pays. `sameAsShipping` ignores the address fields. */
export const billingForm = z.discriminatedUnion('sameAsShipping', [
  z.object({ sameAsShipping: z.literal('1'), poNumber: optionalText(40) }),
  z.object({
    sameAsShipping: z.literal('0'),
    billingName: text(60, 'Please enter the name on the card').min(1, 'Please enter the name on the card'),
    billingAddress1: addressLine,
    billingAddress2: optionalText(100),
    billingCity: cityName,
    billingState: stateCode,
    billingZip: zipCode,
    billingPhone: phoneNumber,
    billingPhoneType: phoneType,
    poNumber: optionalText(40),
  }),
])

/** Country codes of one and two digits (ITU-T E.164); all others have three. */
const shortCountryCodes = /^(?:7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/**
 * "+1 (312) 555-0142 x20" → { digits: "3125550142", extension: "20" }. A country code other than 1 stays in front:
 * "+442079460958". Undefined for any number that is not ten digits long, a leading 1 not counted.
 */
export function parsePhone(value: string): { digits: string; extension: string | null } | undefined {
  const typed = value.replaceAll(/[\u2010-\u2015\u2212\ufe63\uff0d]/g, '-')
  const match = /^(?<number>\+?[\d\s().-]+)(?:(?:x|ext\.?|extension|#)\s*(?<extension>\d{1,6}))?$/i.exec(typed)
  const digits = plainNumber(match?.groups?.['number'] ?? '')
  return digits === undefined ? undefined : { digits, extension: match?.groups?.['extension'] ?? null }
}

function plainNumber(number: string): string | undefined {
  const digits = number.replaceAll(/\D/g, '')
  if (digits.length === 10) return digits
  if (digits.startsWith('1')) return digits.length === 11 ? digits.slice(1) : undefined
  if (!number.startsWith('+') || digits.startsWith('0')) return undefined
  const country = shortCountryCodes.exec(digits)?.[0] ?? digits.slice(0, 3)
  return digits.length === country.length + 10 ? `+${digits}` : undefined
}

function text(max: number, message: string) {
  return z.string(message).trim().min(1, message).max(max, message)
}
