/** Arguments that several tools take, each with its limits and what to send. */
import { z } from 'zod'
import { cartLine } from '#api/routes/cart.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { isId } from '#platform/ids.ts'
import { slugOf } from '#platform/slug.ts'

export const cartKey = z
  .string()
  .max(36)
  .refine(isId, 'Send the cartKey that create_cart returned.')
  .meta({ description: 'The key of the cart, as create_cart returned it. Keep it as safe as a password.' })

export const vehicle = z
  .string()
  .max(600)
  .refine((key) => decodeChosenVehicle(key) !== undefined, 'Send the key that find_vehicle returned.')
  .meta({ description: 'The key of a vehicle, as find_vehicle returned it' })

export const itemId = cartLine.shape.itemId.meta({
  description: 'The number of an article, as search_catalog returned it',
  examples: [100001],
})

export const shopId = z.int().min(1).max(2_147_483_647).meta({ description: 'The id of a shop or van' })

/** A name or its slug: "F-150" as well as "f-150". */
export function name(description: string) {
  return z
    .string()
    .min(1)
    .max(80)
    .transform((text, context) => {
      const slug = slugOf(text)
      if (slug !== '') return slug
      context.addIssue('Send a name with letters or digits.')
      return z.NEVER
    })
    .meta({ description })
}

export const quantity = cartLine.shape.quantity.meta({ description: 'How many tires', examples: undefined })

/** For calls that reserve or make something. */
export const idempotencyKey = z
  .string()
  .regex(/^[!-~]{16,255}$/, 'Send an idempotencyKey of 16 to 255 characters without spaces, such as a UUID.')
  .optional()
  .meta({
    description:
      'A UUID that you generate. Send the same UUID to retry a call. It’s processed once and returns the original response.',
  })
