import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import type { z } from 'zod'

/** Saved addresses have the checkout's fields and messages; the email is the account's. */
export const addressForm = contactForm.omit({ email: true, instructions: true, vehicleNote: true })

export type TypedAddress = z.output<typeof addressForm>
