/** The words that many operations share, each with its form, its limits and an example. */
import { z } from 'zod'
import { badZipMessage } from '#domain/places/places.ts'

/** What the specification's shared request behaviour may add to any address. It changes nothing here. */
export const sharedQuery = {
  ssoUid: 'The sign-in id of the shopper',
  userRegion: 'The region of the shopper',
  userZip: 'The ZIP of the shopper',
  accountTypeCompany: 'The company of an account',
  vwo_user: 'The visitor of an experiment',
  channel: 'The channel of a partner',
  widgetId: 'The widget of a partner',
} as const

/** A JSON body with exactly these fields, and the `ssoUid` that the shared request behaviour may add. */
export function bodyOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...shape, ssoUid: z.string().max(200).optional().meta({ description: sharedQuery.ssoUid }) })
}

export const zip = z
  .string(badZipMessage)
  .regex(/^\d{5}$/, badZipMessage)
  .meta({ description: 'Five digits', examples: ['60614'] })
export const instant = z.string().meta({ format: 'date-time', description: 'An instant, RFC 3339', examples: ['2026-11-24T15:30:00Z'] })
