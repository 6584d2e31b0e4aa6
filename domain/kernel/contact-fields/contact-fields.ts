/**
 * The name, email, phone, and ZIP code fields of forms about people (specification, section 3), with the
 * specification's messages verbatim. Safe in the browser.
 */
import { fieldMessages } from '#content/messages/fields.ts'
import { z } from 'zod'

// Some letters have no composed form, so that marks follow them (Unicode category M).
const nameShape = /^[\p{L}\p{M}',. -]+$/u
const hasLetter = /\p{L}/u

/** Validates a name of up to `max` characters (letters, apostrophe, comma, period, space and hyphen). */
export function personName(message: string, max = 25) {
  return requiredText(max, message).refine((value) => nameShape.test(value) && hasLetter.test(value), message)
}

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

/** A trimmed text of 1 to `max` characters, refused with `message`. */
export function requiredText(max: number, message: string) {
  return z.string(message).trim().min(1, message).max(max, message)
}
