/**
 * The ship-to and billing forms (specification, sections 3 and 5), with the specification's messages verbatim. Safe in
 * the browser.
 */
import { homeDeliveryMessages } from '#content/messages/delivery.ts'
import { fieldMessages } from '#content/messages/fields.ts'
import { optionalText } from '#platform/form-fields.ts'
import { z } from 'zod'

export const phoneTypes = ['mobile', 'home', 'work'] as const
export type PhoneType = (typeof phoneTypes)[number]

const nameShape = /^[\p{L}',. -]{1,25}$/u
const hasLetter = /\p{L}/u
const cityShape = /^[\p{L}0-9',. ()-]{1,60}$/u

/** First or last name: 1-25 characters of letters, apostrophe, comma, period, space, hyphen. */
export function personName(message: string) {
  return text(25, message).refine((value) => nameShape.test(value) && hasLetter.test(value), message)
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
  return z
    .string(message)
    .trim()
    .max(254, message)
    .regex(/^[^\s@<>()[\],;:"\\]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i, message)
    .transform((value) => value.toLowerCase())
}

export const emailAddress = emailField(fieldMessages.email)

/** Optional +country code, 10 digits, optional extension; normalized to 10 digits without a leading 1. */
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

const phoneType = z.enum(phoneTypes, fieldMessages.phoneType)

/**
 * Who receives the order. Refuses military post offices and PO boxes, because our carriers do not deliver tires there.
 */
export const contactForm = z.object({
  firstName: personName(fieldMessages.firstName),
  lastName: personName(fieldMessages.lastName),
  company: optionalText(80),
  address1: addressLine.refine((value) => !isPoBox(value), homeDeliveryMessages['po-box']),
  address2: optionalText(100).refine((value) => !value || !isPoBox(value), homeDeliveryMessages['po-box']),
  city: cityName.refine((value) => !/^(apo|fpo|dpo)$/i.test(value), homeDeliveryMessages.military),
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

/** "+1 (312) 555-0142 x20" → { digits: "3125550142", extension: "20" }; undefined when it is not a US number. */
export function parsePhone(value: string): { digits: string; extension: string | null } | undefined {
  const match = /^(?<number>\+?[\d\s().-]+)(?:(?:x|ext\.?|extension|#)\s*(?<extension>\d{1,6}))?$/i.exec(value)
  const digits = match?.groups?.['number']?.replace(/\D/g, '') ?? ''
  const local = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  // Area codes and exchanges never start with 0 or 1.
  if (!/^[2-9]\d{2}[2-9]\d{6}$/.test(local)) return undefined
  return { digits: local, extension: match?.groups?.['extension'] ?? null }
}

/** "P.O. Box 12", "PO BOX", "Post Office Box 4", "POB 7". A "Box Street" or "Polk" is not one. */
export function isPoBox(line: string): boolean {
  const plain = line.replaceAll(/\s+/g, ' ').trim()
  return /\b(p ?\.? ?o ?\.? ?(b|box)\b|post office box\b|pob ?\d)/i.test(plain) || /^box \d+$/i.test(plain)
}

function text(max: number, message: string) {
  return z.string(message).trim().min(1, message).max(max, message)
}
