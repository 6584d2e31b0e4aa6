/** Input from platforms, with validated format and limited size. Unknown names are ignored. */
import { z } from 'zod'
import { BadCall, fault } from '#ucp/answers.ts'
import { maxQuantityPerLine } from '#domain/payments/cart/cart.ts'
import { normalizeTyping, withoutDirections } from '#platform/plain-text.ts'

// Control characters can hide in text that others read later.
const plain = /^[^\u0000-\u001f\u007f-\u009f]*$/
/** A text of at most `most` characters, as people write. */
export const text = (most: number) =>
  z
    .string()
    .max(most)
    .transform((value) => normalizeTyping(withoutDirections(value).toWellFormed()).trim())
    .refine((value) => plain.test(value), 'has control characters')
const id = text(200)

/** RFC 3339. */
const instant = z
  .string()
  .max(40)
  .refine((value) => {
    try {
      Temporal.Instant.from(value)
      return true
    } catch {
      return false
    }
  }, 'is no time')

const vehicleInput = z.object({
  id: z.string().max(600).optional(),
  year: z.int().min(1950).max(2100).optional(),
  make: text(60).optional(),
  model: text(60).optional(),
  trim: text(60).optional(),
})
export const fitmentInput = z.object({
  vehicle: vehicleInput.optional(),
  size: z.object({ front: text(40), rear: text(40).optional() }).optional(),
})
export type FitmentInput = z.output<typeof fitmentInput>

const context = z.object({
  postal_code: text(20).optional(),
  address_country: text(3).optional(),
  location: text(40).optional(),
  eligibility: z.array(z.string().max(200)).max(20).optional(),
})
const filters = z.object({
  categories: z.array(text(120)).max(10).optional(),
  price: z
    .object({ min: z.int().min(0).max(100_000_000).optional(), max: z.int().min(0).max(100_000_000).optional() })
    .optional(),
})
const pagination = z.object({
  cursor: z.string().max(300).optional(),
  limit: z.int().min(1).max(1_000).optional(),
})

export const searchInput = z.object({
  query: text(100).optional(),
  context: context.optional(),
  filters: filters.optional(),
  pagination: pagination.optional(),
  fitment: fitmentInput.optional(),
})
export const lookupInput = z.object({
  ids: z.array(id).min(1).max(50),
  context: context.optional(),
  fitment: fitmentInput.optional(),
})
const selected = z.object({ name: text(60), id: id.optional(), label: text(120) })
export const productInput = z.object({
  id,
  selected: z.array(selected).max(10).optional(),
  context: context.optional(),
  fitment: fitmentInput.optional(),
})
export const locationSearchInput = z.object({
  query: text(100).optional(),
  context: context.optional(),
  pagination: pagination.optional(),
})
export const locationLookupInput = z.object({ ids: z.array(id).min(1).max(50) })

const lineItem = z.object({
  id: id.optional(),
  item: z.object({ id }),
  quantity: z.int().min(1).max(maxQuantityPerLine),
  axle: z.enum(['all', 'front', 'rear']).optional(),
})
const buyer = z.object({
  first_name: text(60).optional(),
  last_name: text(60).optional(),
  email: text(254).optional(),
  phone_number: text(40).optional(),
  consent: z
    .record(z.string().regex(/^[A-Za-z0-9._-]{1,80}$/), z.union([z.boolean(), z.object({ granted: z.boolean() })]))
    .refine((decisions) => Object.keys(decisions).length <= 20, 'has more than 20 purposes')
    .optional(),
})
const address = z.object({
  id: id.optional(),
  type: text(40).optional(),
  first_name: text(60).optional(),
  last_name: text(60).optional(),
  street_address: text(200).optional(),
  extended_address: text(200).optional(),
  address_locality: text(100).optional(),
  address_region: text(60).optional(),
  address_country: text(60).optional(),
  postal_code: text(20).optional(),
  phone_number: text(40).optional(),
})
const method = z.object({
  id: id.optional(),
  type: text(60).optional(),
  destinations: z.array(address).max(10).optional(),
  selected_destination_id: id.nullish(),
  groups: z
    .array(z.object({ id: id.optional(), selected_option_id: id.nullish() }))
    .max(10)
    .optional(),
})
export const cartInput = z.object({
  line_items: z.array(lineItem).min(1).max(20),
  context: context.optional(),
  buyer: buyer.optional(),
  discounts: z.object({ codes: z.array(text(40)).max(10).optional() }).optional(),
  fitment: fitmentInput.optional(),
})
export const checkoutInput = cartInput.extend({
  line_items: z.array(lineItem).max(20).default([]),
  cart_id: id.optional(),
  fulfillment: z.object({ methods: z.array(method).max(5).optional() }).optional(),
  appointment: z
    .object({
      from: instant.optional(),
      to: instant.optional(),
      release: z.boolean().optional(),
    })
    .optional(),
})
export const completeInput = z.object({
  payment: z
    .object({
      instruments: z
        .array(
          z.object({
            handler_id: text(100),
            type: text(40),
            billing_address: address.optional(),
            credential: z.object({ type: text(40), token: z.string().max(100).optional() }).optional(),
          }),
        )
        .max(5)
        .optional(),
    })
    .optional(),
  sandbox_acceptance: z
    .object({
      terms_of_sale: z.boolean(),
      fit_conditions: z.array(text(80)).max(50).optional(),
      total: z.int().min(0).max(100_000_000),
    })
    .optional(),
})
export type CompleteInput = z.output<typeof completeInput>
export type CartInput = z.output<typeof cartInput>
export type CheckoutInput = z.output<typeof checkoutInput>
export type AddressInput = z.output<typeof address>
export type BuyerInput = z.output<typeof buyer>

/** Throws `BadCall` for input of another form. */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = ['$', ...(issue?.path ?? []).map(String)].join('.')
  throw new BadCall(fault(400, 'invalid_request', `${path}: ${issue?.message ?? 'is not what this operation takes'}`))
}
