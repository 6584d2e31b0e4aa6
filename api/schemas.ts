/** Schemas shared by many operations, each with its format, limits and an example. */
import { z } from 'zod'
import { badZipMessage } from '#content/messages/places.ts'
import { decodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'

/** Parameters that the specification's shared request behavior may add to any address. Of these `widgetId` has an effect, on a cart that is created, and `channel`, on calls of a military exchange's program. */
export const sharedQuery = {
  ssoUid: 'The shopper’s sign-in id',
  userRegion: 'The shopper’s region',
  userZip: 'The shopper’s ZIP',
  accountTypeCompany: 'The account’s company',
  vwo_user: 'The visitor’s experiment id',
  channel: 'Channel of the call (military-exchange or widget)',
  widgetId: 'A partner’s widget',
} as const

/** The maximum length of each. */
export const longestShared = 200

const controls = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`
/** Text allowed in any request, without control characters except tabs and line breaks. */
export const plainText = new RegExp(`^[^${controls}]*$`)

/** A JSON body with exactly these fields, and the `ssoUid` that the shared request behavior may add. */
export function bodyOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({
    ...shape,
    ssoUid: z.string().max(longestShared).optional().meta({ description: sharedQuery.ssoUid }),
  })
}

/** Straight-line miles; see `toTenths`. */
export const distance = z.number().meta({ description: 'Straight-line distance in miles, to a tenth' })

/** Rounds to a tenth of a mile, the precision of distances between ZIP codes. */
export function toTenths(miles: number): number {
  return Math.round(miles * 10) / 10
}

export const zip = z
  .string(badZipMessage)
  .regex(/^\d{5}$/, badZipMessage)
  .meta({ description: 'Five digits', examples: ['60614'] })
/** A name as it appears in addresses. */
export function slug(example: string) {
  return z
    .string()
    .max(80)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'A slug has only lowercase letters, digits and single dashes.')
    .meta({ examples: [example] })
}
export const sizeSlug = slug('225-65r17').meta({ description: 'A size as a slug' })
/** A path of this store, for links back from elsewhere. */
export const storePath = z
  .string()
  .max(200)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'Send a path of this store.')
/** The number of an item, in an address or a query. */
export const itemId = z.coerce.number().int().min(1).max(2_147_483_647)
export const year = z.coerce
  .number()
  .int()
  .min(1950)
  .max(2100)
  .meta({ examples: [2021] })
/** The id of something an account owns, in an address. */
export const id = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Send an id from the list.')
  .meta({ examples: ['01937b5e-0000-7000-8000-000000000000'] })
export const flag = z.enum(['0', '1']).transform((value) => value === '1')
export const cents = z.int().meta({ description: 'US cents' })
export const instant = z
  .string()
  .meta({ format: 'date-time', description: 'An instant, RFC 3339', examples: ['2026-11-24T15:30:00Z'] })
export const day = z
  .string()
  .meta({ format: 'date', description: 'A date in the time zone of the place it refers to', examples: ['2026-11-24'] })
export const named = z.strictObject({ slug: z.string(), name: z.string() })
/** The shop in an offer, with its location and its distance from the shopper. */
export const shopOfOffer = z.strictObject({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  timeZone: z.string(),
  miles: distance,
})
export const level = z
  .enum(['fits', 'fits_with_conditions', 'unknown', 'does_not_fit'])
  .meta({ description: 'The verdict of the rule book. Anything not known never counts as `fits`.' })

export const street = {
  address1: z.string(),
  address2: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
}
/** A person's name and address, as saved in an account or an order. */
export const receiver = {
  firstName: z.string(),
  lastName: z.string(),
  company: z.string().nullable(),
  ...street,
  phone: z.strictObject({ digits: z.string(), extension: z.string().nullable() }),
  phoneType: z.string(),
}
export const exampleReceiver = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  address1: '1 Sample Street',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  phone: '(312) 555-0142',
  phoneType: 'mobile',
}
export const exampleContact = { ...exampleReceiver, email: 'dana@example.com', vehicleNote: 'A blue sedan' }

/** A vehicle as identified by `findVehicle`, with everything the shopper confirmed about it. */
export const vehicleKey = z
  .string()
  .max(600)
  .meta({
    description: 'The key of a vehicle, as returned by `GET /vehicles/{year}/{make}/{model}`',
    examples: ['1~~~2021~toyota~rav4~~~~2021_Toyota_RAV4'],
  })
  .transform((key, context): ChosenVehicle => {
    const chosen = decodeChosenVehicle(key)
    if (chosen) return chosen
    context.addIssue('Use the vehicle’s key from `GET /vehicles/{year}/{make}/{model}`.')
    return z.NEVER
  })
