import { contactForm } from '#domain/checkout/checkout.ts'
import type { z } from 'zod'

/** A saved address is asked for as the checkout asks, with the same messages; the email is the account's. */
export const addressForm = contactForm.omit({ email: true, instructions: true, vehicleNote: true })

export type TypedAddress = z.output<typeof addressForm>
