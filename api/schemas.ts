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
export const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'A name as it stands in addresses: small letters, digits and dashes.')
export const sizeSlug = slug.meta({ description: 'A size as it stands in addresses', examples: ['225-65r17'] })
export const itemId = z.coerce.number().int().min(1).max(2_147_483_647)
export const cents = z.int().meta({ description: 'US cents' })
export const instant = z.string().meta({ format: 'date-time', description: 'An instant, RFC 3339', examples: ['2026-11-24T15:30:00Z'] })
export const day = z.string().meta({ format: 'date', description: 'A day on the calendar of the place it speaks of', examples: ['2026-11-24'] })
export const named = z.strictObject({ slug: z.string(), name: z.string() })
