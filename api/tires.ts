/** Tires as the API shows them, and the place and vehicle a query can give. */
import { z } from 'zod'
import { badZipMessage } from '#content/messages/places.ts'
import { cents, day, instant, level, named, vehicleKey, zip } from '#api/schemas.ts'
import { problem, type Problem } from '#api/problem.ts'
import { labelOfPrices } from '#content/messages/price-labels.ts'
import {
  readNearby,
  readOffersNear,
  readShippingTo,
  shippingOfOffer,
  type ShippingTo,
} from '#domain/catalog/offers/offers.server.ts'
import type { Visitor } from '#http/visitor.ts'
import type { OfferView } from '#domain/catalog/catalog/catalog.server.ts'
import { cardOf, type Offer } from '#domain/catalog/catalog/catalog.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Application } from '#application'

/** What shipping adds to the price of one tire. */
export const shippingPerTire = cents.nullable().meta({
  description:
    'What shipping to the ZIP adds to the price of one tire, in US cents: 0 in the contiguous states, for a model the lowest of its sizes. Null without a ZIP, or if we don’t deliver there. Orders that reach the destination’s total for free shipping ship free. Prices per tire and `fourCents` do not include it, out-the-door prices do',
})

export const tireOffer = z
  .strictObject({
    key: z.string().meta({
      description: 'Key in lists and comparisons for an item, a staggered set, or a model',
      examples: ['101234'],
    }),
    kind: z.enum(['tire', 'set', 'line']),
    brand: named,
    line: named,
    type: named,
    tread: z.string(),
    mPlusS: z.boolean(),
    threePeak: z.boolean(),
    items: z
      .array(
        z.strictObject({
          itemId: z.int(),
          size: z.string(),
          sizeSlug: z.string(),
          service: z.string().meta({ description: 'Load index and speed rating as printed', examples: ['102H'] }),
          range: z.string().nullable().meta({ description: 'SL, XL, HL or a load range letter' }),
          runFlat: z.boolean(),
          sidewall: z.string(),
          oeMark: z.string().nullable(),
          unitCents: cents.meta({ description: 'Price including federal excise tax' }),
          wasCents: cents
            .nullable()
            .meta({ description: 'The price before a promotion, or the public price if the account has its own' }),
          fetCents: cents.meta({ description: 'Federal excise tax included in both prices' }),
        }),
      )
      .meta({ description: 'One item for all wheels, or the front and the rear one' }),
    perTireCents: cents.meta({ description: 'US cents, excise tax included; for a set, the mean of front and rear' }),
    shippingPerTireCents: shippingPerTire,
    fourCents: cents.meta({
      description: 'Four tires, or two and two, including excise tax, without installation, other fees and sales tax',
    }),
    priceLabel: z
      .string()
      .nullable()
      .meta({
        description: 'The label of the account’s price; null for the public price',
        examples: ['Fleet price'],
      }),
    totalCents: cents
      .nullable()
      .meta({ description: 'The same out the door at the nearest shop that installs them; only with a ZIP' }),
    deal: z.strictObject({ headline: z.string(), endsAt: instant }).nullable(),
    score: z.strictObject({ tenths: z.int(), band: z.string() }).nullable(),
    rating: z
      .strictObject({ hundredths: z.int().meta({ description: 'Stars, 100 to 500' }), count: z.int() })
      .nullable(),
    warrantyMiles: z.int().nullable(),
    isInStock: z.boolean().meta({ description: 'Whether four, or two and two, are in stock' }),
    readyOn: day.nullable().meta({ description: 'When they can be ready at the ZIP; only with a ZIP' }),
    fit: z.strictObject({ verdict: level, text: z.string() }).nullable().meta({ description: 'Only with a vehicle' }),
    sizes: z.int().meta({ description: 'How many sizes a line comes in' }),
  })
  .meta({ id: 'TireOffer' })

/** Query parameters of listings, comparisons and items. */
export const forWhom = {
  vehicle: vehicleKey.optional(),
  zip: zip
    .optional()
    .meta({ description: 'Adds out-the-door prices and dates at the nearest shop that installs the tires' }),
}

/** `to` is where the tires ship, if the ZIP is known. */
export function offerView(offer: Offer, to: ShippingTo | null): z.input<typeof tireOffer> {
  const { key, kind, brand, line, type, tread, mPlusS, threePeak, items, ...rest } = cardOf(offer)
  const priceLabel = labelOfPrices(offer.prices)?.label ?? null
  return {
    key,
    kind,
    brand,
    line,
    type,
    tread,
    mPlusS,
    threePeak,
    items: items.map((item) => ({ ...item })),
    priceLabel,
    shippingPerTireCents: shippingOfOffer(offer, to),
    ...rest,
  }
}

export type ForWhom = OfferView & {
  readonly vehicle: string | null
  readonly zip: string | undefined
  readonly shippingTo: ShippingTo | null
  readonly shippingOf: ShippingTo['shippingOf']
}

/** Converts a query's vehicle and place to what the catalog takes. */
export async function readForWhom(
  app: Application,
  visitor: Visitor,
  asked: { vehicle?: ChosenVehicle | undefined; zip?: string | undefined },
): Promise<{ ok: true; value: ForWhom } | Problem<'UnknownVehicle' | 'UnknownZip'>> {
  const [vehicle, near] = await Promise.all([
    asked.vehicle && findChosenVehicle(app, asked.vehicle),
    asked.zip === undefined ? undefined : readOffersNear(app, asked.zip),
  ])
  if (vehicle && !vehicle.ok) return problem('UnknownVehicle')
  if (near && !near.ok && near.reason === 'zip-not-found') return problem('UnknownZip', badZipMessage)
  // Cached by its parameters, so reading it again is cheap.
  const [nearby, shippingTo] = await Promise.all([
    readNearby(app, { ...visitor, zip: asked.zip }),
    readShippingTo(app, asked.zip),
  ])
  return {
    ok: true,
    value: {
      vehicle: vehicle?.value.name ?? null,
      requirement: vehicle?.value.requirement,
      vehicleName: vehicle?.value.name,
      zip: asked.zip,
      shippingTo,
      arrivalOf: nearby?.arrivalOf,
      totalOf: nearby?.totalOf,
      shippingOf: shippingTo?.shippingOf,
    },
  }
}
