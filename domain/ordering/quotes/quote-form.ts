/** The forms of a quote. */
import { fieldMessages } from '#content/messages/fields.ts'
import { maxQuantityPerLine, type Axle } from '#domain/payments/cart/cart.ts'
import { choiceValue, parseChoice } from '#domain/scheduling/booking/booking.ts'
import { ACCOUNT_TYPES } from '#domain/pricing/pricing/pricing.ts'
import { dollars, optionalText, rowFields, ticked } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'
import { lineKey, vehicleField } from './quote-fields.ts'

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

/** How a quote's customer gets the tires. */
const quoteFulfillments = ['shop', 'home', 'warehouse-pickup', 'carrier-pickup'] as const
export type QuoteFulfillment = (typeof quoteFulfillments)[number]

/** The destination of a quote that a sales account sends. */
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

const chosenId = (max: number) =>
  z
    .string()
    .default('')
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.number().int().positive().max(max).nullable())

const quoteFields = {
  revision: z.coerce.number().int().positive().max(2_147_483_647),
  ...who,
  label: z.enum(ACCOUNT_TYPES, 'Choose the prices.').exclude(['none'], 'Choose the prices.'),
  vehicle: optionalText(120),
  fulfillment: z.enum(quoteFulfillments, 'Choose how the tires get there.'),
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
  shop: chosenId(2_147_483_647),
  warehouse: chosenId(32_767),
  carrierLocation: chosenId(2_147_483_647),
  /** A suggested installation time at the shop, which isn't held. */
  slot: z
    .string()
    .default('')
    .refine((text) => text === '' || parseChoice(text) !== undefined, 'Choose a time, or no time.')
    .transform((text) => {
      const choice = parseChoice(text)
      return choice ? choiceValue(choice) : null
    })
    .meta({ description: 'A start such as 2026-11-24T15:00:00Z, or a drop-off such as 2026-11-24|AM. Not held.' }),
  roadside: ticked(),
  goodThrough: day,
  note: optionalText(1000),
}

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
 * The form of a draft, with its tires in the fields `quantity-<item>`, `price-<item>`, `axle-<item>` and
 * `coverage-<item>`. The fields of other vehicles are `vehicle-<number>`, from 2, and `quantity-<number>-<item>`.
 */
export const quoteChangeForm = z
  .looseObject({
    ...quoteFields,
    lines: rowFields<unknown>({
      key: 'itemId',
      fields: { quantity: 'number', price: 'cents', axle: 'text', coverage: 'checkbox' },
    }).optional(),
    vehicles: rowFields<unknown>({ key: 'number', fields: { vehicle: 'text' } }).optional(),
  })
  .transform((form, issue) => {
    const { revision, name, email: to, phone, account, label, vehicle, fulfillment, zip } = form
    const { address1, address2, city, state, shop, warehouse, carrierLocation, slot } = form
    const { roadside, goodThrough, note } = form
    const customer = { name, email: to, phone, account, zip, address1, address2, city, state, note }
    const place = { fulfillment, shop, warehouse, carrierLocation, slot }
    const terms = { revision, label, vehicle, ...place, roadside, goodThrough }
    return { ...customer, ...terms, lines: readLines(form, 1, issue), others: readOthers(form, issue) }
  })
export type QuoteChange = z.output<typeof quoteChangeForm>

type Fields = Readonly<Record<string, unknown>>

/** The vehicles after the first, in their order. `position` is the number in the names of their fields. */
function readOthers(form: Fields, issue: z.core.$RefinementCtx) {
  const numbers = Object.keys(form).flatMap((name) => {
    const number = /^(?:vehicle-|quantity-(?=\d{1,3}-\d))([1-9]\d{0,2})(?:-\d{1,9})?$/.exec(name)?.[1]
    return number === undefined || number === '1' ? [] : Number(number)
  })
  return [...new Set(numbers)]
    .toSorted((one, next) => one - next)
    .map((position) => {
      const name = vehicleField(position)
      const vehicle = optionalText(120).safeParse(form[name])
      for (const { message } of vehicle.error?.issues ?? []) issue.addIssue({ code: 'custom', path: [name], message })
      return { position, vehicle: vehicle.data ?? null, lines: readLines(form, position, issue) }
    })
}

function readLines(form: Fields, position: number, issue: z.core.$RefinementCtx): QuoteLineInput[] {
  return Object.keys(form).flatMap((name) => {
    const [, number = '1', item] = /^quantity-(?:([1-9]\d{0,2})-)?([1-9]\d{0,8})$/.exec(name) ?? []
    if (item === undefined || Number(number) !== position) return []
    const key = lineKey(position, item)
    const read = lineForm.safeParse({
      axle: form[`axle-${key}`],
      quantity: form[name],
      price: form[`price-${key}`],
      coverage: form[`coverage-${key}`],
    })
    if (read.success) {
      const { price: unitCents, ...line } = read.data
      return { itemId: Number(item), unitCents, ...line }
    }
    for (const { path, message } of read.error.issues)
      issue.addIssue({ code: 'custom', path: [`${String(path[0])}-${key}`], message })
    return []
  })
}

/** The later last day of a sent quote. */
export const extendForm = z.object({ goodThrough: day })

/** Why a quote is withdrawn or sent back. */
export const reasonForm = z.object({
  reason: z.string().trim().min(1, 'Say why.').max(500, 'Please keep this under 500 characters.'),
})
