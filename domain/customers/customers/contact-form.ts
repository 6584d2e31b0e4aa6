/** The forms by which staff add a customer and change the contact of one. */
import { z } from 'zod'
import { emailAddress, personName, phoneNumber } from '#domain/kernel/contact-fields/contact-fields.ts'
import { emptyOr, ticked } from '#platform/form-fields.ts'

/** The maximum customer name length in characters, for first and last name with a space. */
export const maxCustomerName = 51

const name = personName('Enter a first and last name.', maxCustomerName)

/** Ten digits, or a + and the country code before them; null if the field is empty. */
const phone = emptyOr(phoneNumber.transform(({ digits }) => digits))

/** `isOther`: staff saw the customers with this phone, and say that this is another person. */
export const newCustomerForm = z.object({ name, email: emailAddress, phone, isOther: ticked() })

/** `version` is the customer's version when the form was rendered. */
export const contactChangeForm = z.object({
  name,
  email: emailAddress,
  phone,
  version: z.coerce.number().int().min(0).max(2_147_483_647).catch(0),
})

/** The form for a customer with a name and email managed by their account. */
export const phoneChangeForm = contactChangeForm.pick({ phone: true, version: true })

/** A customer's contact; `phone` is ten digits, or a + and the country code before them. */
export type CustomerContact = { name: string; email: string; phone: string | null }
