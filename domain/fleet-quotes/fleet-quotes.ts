/** Quotes for many vehicles: limits and forms. Safe in the browser. */
import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'

/** Vehicles in one list, and the bytes of its file: what a fleet replaces in a season, and no more than is read at once. */
export const mostFleetVehicles = 100
export const mostFleetFileBytes = 32 * 1024
/** Vehicles asked about at a time: each answer is looked up. */
export const mostAsked = 20

export const fleetQuoteForm = z.object({
  key: z.uuid('Reload the page and try again.'),
  zip: z
    .string(fieldMessages.zip)
    .trim()
    .regex(/^\d{5}$/, fieldMessages.zip),
  lines: z.string().max(mostFleetFileBytes).default(''),
})
