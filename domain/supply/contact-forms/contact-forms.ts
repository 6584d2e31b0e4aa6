/**
 * The ship-to and billing forms (specification, sections 3 and 5), with the specification's messages verbatim. Safe in
 * the browser.
 */
import { homeDeliveryMessages } from '#content/messages/delivery.ts'
import { fieldMessages } from '#content/messages/fields.ts'
import {
  emailAddress,
  personName,
  phoneNumber,
  requiredText,
  zipCode,
} from '#domain/kernel/contact-fields/contact-fields.ts'
import { refuseDeliveryLine } from '#domain/supply/delivery/delivery.ts'
import { optionalText } from '#platform/form-fields.ts'
import { z } from 'zod'

export const phoneTypes = ['mobile', 'home', 'work'] as const
export type PhoneType = (typeof phoneTypes)[number]

// Some letters have no composed form, so that marks follow them (Unicode category M).
const hasLetter = /\p{L}/u
const cityShape = /^[\p{L}\p{M}0-9',. ()-]+$/u

const addressLine = requiredText(100, fieldMessages.address).refine(
  (value) => /[\p{L}\p{N}]/u.test(value) && !/[<>{}\\]/.test(value),
  fieldMessages.address,
)
const cityName = requiredText(60, fieldMessages.city).refine(
  (value) => cityShape.test(value) && hasLetter.test(value),
  fieldMessages.city,
)
const stateCode = z
  .string(fieldMessages.state)
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, fieldMessages.state)

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
 * The recipient's contact. Refuses military post offices and PO boxes, because our carriers do not deliver tires there.
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
    billingName: requiredText(60, 'Please enter the name on the card').min(1, 'Please enter the name on the card'),
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
