/** Limits and forms of quotes for many vehicles. Safe in the browser. */
import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'

/**
 * Maximum vehicles per list, and maximum file size in bytes. Covers a fleet's seasonal replacement, and can be
 * processed in one request.
 */
export const mostFleetVehicles = 100
export const mostFleetFileBytes = 32 * 1024
/** Maximum vehicles with questions per page, because each answer requires a lookup. */
export const mostAsked = 20

export const fleetQuoteForm = z.object({
  key: z.uuid('Reload the page and try again.'),
  zip: z
    .string(fieldMessages.zip)
    .trim()
    .regex(/^\d{5}$/, fieldMessages.zip),
  lines: z.string().max(mostFleetFileBytes).default(''),
})
