/** The forms of a quote. */
import { fieldMessages } from '#content/messages/fields.ts'
import { maxQuantityPerLine, type Axle } from '#domain/payments/cart/cart.ts'
import { ACCOUNT_TYPES } from '#domain/pricing/pricing/pricing.ts'
import { dollars, optionalText, ticked } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'

const email = z.string(fieldMessages.email).trim().max(254, fieldMessages.email).pipe(z.email(fieldMessages.email))

const who = {
  name: z
    .string('Enter the customer’s name.')
    .trim()
    .min(1, 'Enter the customer’s name.')
    .max(80, 'Please keep this under 80 characters.'),
  email,
  phone: z
    .string()
    .trim()
    .default('')
    .transform((text, issue) => {
      const digits = text.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
      if (digits === '' && text === '') return null
      if (digits.length === 10) return digits
      issue.addIssue({ code: 'custom', message: 'Enter a 10-digit phone number, or leave it empty.' })
      return z.NEVER
    }),
  /** The account that buys, by its email. */
  account: z
    .string()
    .trim()
    .default('')
    .transform((text) => text || null)
    .pipe(email.nullable()),
}

const reloadMessage = 'Reload the page and try again.'
export const newQuoteForm = z.object({ key: z.uuid(reloadMessage), ...who })
export type NewQuote = z.output<typeof newQuoteForm>

/** A sales account's quote form for its cart, with customer, destination, and the total shown. */
export const salesQuoteForm = newQuoteForm.omit({ account: true }).extend({
  place: z
    .string('Choose where the tires go.')
    .max(20, 'Choose where the tires go.')
    .transform((text, issue) => {
      const place = readPlace(text)
      if (place) return place
      issue.addIssue({ code: 'custom', message: 'Choose where the tires go.' })
      return z.NEVER
    }),
  seen: z.coerce.number(reloadMessage).int(reloadMessage).positive(reloadMessage).max(2_147_483_647, reloadMessage),
  note: optionalText(1000),
})

/** The destination of a quote's tires. */
export type QuotePlace = { fulfillment: 'home'; shopId: null } | { fulfillment: 'shop'; shopId: number }

/** Reads "home" or "shop-12". */
export function readPlace(text: string): QuotePlace | undefined {
  if (text === 'home') return { fulfillment: 'home', shopId: null }
  const id = /^shop-([1-9]\d{0,8})$/.exec(text)?.[1]
  return id === undefined ? undefined : { fulfillment: 'shop', shopId: Number(id) }
}

/** The same as text. */
export function placeText(place: QuotePlace): string {
  return place.fulfillment === 'home' ? 'home' : `shop-${place.shopId}`
}

const day = z
  .string('Write the day as 2026-12-31.')
  .trim()
  .pipe(z.iso.date('Write the day as 2026-12-31.'))
  .transform((text) => Temporal.PlainDate.from(text))

/** Everything of a draft but its tires, which `readQuoteLines` reads. */
export const quoteDraftForm = z.object({
  revision: z.coerce.number().int().positive().max(2_147_483_647),
  ...who,
  label: z.enum(ACCOUNT_TYPES, 'Choose the prices.').exclude(['none'], 'Choose the prices.'),
  vehicle: optionalText(120),
  fulfillment: z.enum(['shop', 'home'], 'Choose how the tires get there.'),
  zip: z
    .string()
    .trim()
    .default('')
    .transform((text) => text || null)
    .pipe(
      z
        .string()
        .regex(/^\d{5}$/, fieldMessages.zip)
        .nullable(),
    ),
  /** The customer's address, if they gave it; `contactForm` of the checkout checks it as a whole. */
  address1: optionalText(100),
  address2: optionalText(100),
  city: optionalText(60),
  state: optionalText(2),
  shop: z
    .string()
    .default('')
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.number().int().positive().max(2_147_483_647).nullable()),
  roadside: ticked(),
  goodThrough: day,
  note: optionalText(1000),
})
export type QuoteDraft = z.output<typeof quoteDraftForm>

/** A line as typed by staff; `unitCents` is used only in a special order. */
export type QuoteLineInput = { itemId: number; axle: Axle; quantity: number; unitCents: number; coverage: boolean }

const quantityMessage = `From 1 to ${countOf(maxQuantityPerLine, 'tire')}.`
const priceMessage = 'A price like 149.99.'
const lineForm = z.object({
  axle: z.enum(['all', 'front', 'rear']).default('all'),
  quantity: z.coerce
    .number(quantityMessage)
    .int(quantityMessage)
    .min(1, quantityMessage)
    .max(maxQuantityPerLine, quantityMessage),
  price: dollars(priceMessage, 1_000_000),
  coverage: ticked(),
})

/**
 * Reads the fields `quantity-<item>`, `price-<item>`, `axle-<item>` and `coverage-<item>` of each tire in `itemIds`.
 * Errors are named after the fields.
 */
export function readQuoteLines(
  fields: URLSearchParams,
  itemIds: readonly number[],
): { lines: QuoteLineInput[]; errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const lines = itemIds.flatMap((itemId) => {
    const field = (name: string) => fields.get(`${name}-${itemId}`) ?? undefined
    const read = lineForm.safeParse({
      axle: field('axle'),
      quantity: field('quantity'),
      price: field('price'),
      coverage: field('coverage'),
    })
    if (read.success) {
      const { price: unitCents, ...line } = read.data
      return { itemId, unitCents, ...line }
    }
    for (const issue of read.error.issues) errors[`${String(issue.path[0])}-${itemId}`] ??= issue.message
    return []
  })
  return { lines, errors }
}

/** Why a quote is withdrawn or sent back. */
export const reasonForm = z.object({
  reason: z.string().trim().min(1, 'Say why.').max(500, 'Please keep this under 500 characters.'),
})
