/** Shops and vans that install tires, and the times of shops for services without tires. */
import { z } from 'zod'
import { zipMessages } from '#content/messages/places.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { cents, day, distance, toTenths, zip } from '#api/schemas.ts'
import { opening, openingView, openingsOf } from '#api/times.ts'
import { findShop, findShopsNear, findVans } from '#domain/scheduling/installers/installers.server.ts'
import {
  offeredServices,
  openState,
  storageMonthsOf,
  type Shop as Installer,
} from '#domain/scheduling/installers/installers.ts'
import { bookedUnits, findBookableService, serviceDays } from '#domain/ordering/checkout/checkout.server.ts'
import { firstTimesAt } from '#domain/catalog/offers/offers.server.ts'
import { findServedPlace } from '#domain/kernel/places/places.server.ts'

export const shopCode = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,20}$/, 'A shop code has only letters, digits and dashes.')
  .meta({ examples: ['SW-00003'] })

export const serviceKey = z
  .string()
  .regex(/^[a-z]+(-[a-z]+)*$/)
  .max(40)
  .meta({ examples: ['rotation'] })

const inList = {
  id: z.int(),
  code: z.string(),
  name: z.string(),
  kind: z.enum(['shop', 'van']).meta({ description: 'A mobile installer that comes to the car' }),
  street: z.string().nullable().meta({ description: 'Null for mobile installers, because their base is private' }),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  timeZone: z.string().meta({ description: 'IANA time zone of its days and opening hours' }),
  phone: z.string(),
  ratingTenths: z.int().nullable().meta({ description: 'Null until the first rating' }),
  ratingCount: z.int(),
  onTimePercent: z.number().nullable().meta({ description: 'Null until it is known' }),
}

export const nearbyShop = z.strictObject({ ...inList, miles: distance }).meta({ id: 'NearbyShop' })

export const shopService = z.strictObject({
  service: z.string(),
  name: z.string(),
  unit: z.enum(['vehicle', 'tire']),
  priceCents: cents,
  minutes: z.number(),
  storageMonths: z
    .int()
    .nullable()
    .meta({ description: 'For how long the shop stores the removed set; null for services without storage' }),
})

const shopView = z
  .strictObject({
    ...inList,
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    amenities: z.array(z.string()),
    isOpen: z.boolean(),
    limits: z.strictObject({
      rimMinIn: z.number(),
      rimMaxIn: z.number(),
      aspectMin: z.number(),
      takesRunFlat: z.boolean(),
      takesLightTruck: z.boolean(),
    }),
    hours: z.array(
      z.strictObject({
        weekday: z.int().meta({ description: '1 is Monday' }),
        opens: z.int().meta({ description: 'Minutes after midnight' }),
        closes: z.int(),
      }),
    ),
    closures: z.array(z.strictObject({ on: day, reason: z.string() })),
    rates: z
      .array(
        z.strictObject({
          job: z.enum(['standard', 'low-profile', 'run-flat', 'light-truck']),
          rimFromIn: z.number(),
          rimToIn: z.number(),
          installCents: cents,
          serviceKitCents: cents,
          disposalCents: cents,
          minutesPerTire: z.number(),
        }),
      )
      .meta({ description: 'Per tire, by installation type and wheel size' }),
    services: z.array(shopService).meta({
      description: 'Without new tires, per unit. Shops are booked with `createCheckout`, mobile installers by phone',
    }),
    arrivesOn: day.nullable().meta({ description: 'When four common tires ordered now would arrive' }),
    openings: z.array(opening).meta({ description: 'The first available times for four common tires' }),
  })
  .meta({ id: 'Shop' })

export const serviceTimes = z.strictObject({
  shopId: z.int(),
  service: z.string(),
  units: z.int().meta({ description: 'Tires, for a service that is priced by tire; otherwise 1' }),
  priceCents: cents.meta({ description: 'For all units, before tax' }),
  openings: z.array(opening),
})

export const shopOperations = [
  operation({
    id: 'listShops',
    method: 'get',
    path: '/shops',
    area: 'Shops',
    summary: 'List installers near a ZIP',
    description: 'Nearest first, within 50 miles.',
    audience: 'anyone',
    sharedSeconds: 300,
    query: z.strictObject({
      zip,
      kind: z.enum(['shop', 'van']).default('shop'),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    result: z.array(nearbyShop),
    refuses: ['UnknownZip'],
    async handle({ app, query }) {
      if (query.kind === 'van') {
        const place = await findServedPlace(app.db, query.zip)
        if (!place.ok) return problem('UnknownZip', zipMessages[place.reason])
        return answer(
          (await findVans(app, { zip: query.zip }))
            .slice(0, query.limit)
            .map((van) => ({ ...listed(van), miles: toTenths(van.miles) })),
        )
      }
      const near = await findShopsNear(app, { near: { zip: query.zip }, limit: query.limit })
      return near.ok
        ? answer(near.value.map((found) => ({ ...listed(found), miles: toTenths(found.miles) })))
        : problem('UnknownZip', zipMessages[near.reason])
    },
  }),
  operation({
    id: 'readShop',
    method: 'get',
    path: '/shops/{code}',
    area: 'Shops',
    summary: 'Get a shop',
    audience: 'anyone',
    sharedSeconds: 60,
    params: z.strictObject({
      code: shopCode,
    }),
    result: shopView,
    refuses: ['ShopNotFound'],
    async handle({ app, params }) {
      const found = await findShop(app, { code: params.code.toUpperCase() })
      if (!found) return problem('ShopNotFound')
      const first = await firstTimesAt(app, { zip: found.zip, shopIds: [found.id], limit: 6 })
      const isVan = found.kind === 'van'
      return answer({
        ...listed(found),
        latitude: isVan ? null : found.latitude,
        longitude: isVan ? null : found.longitude,
        amenities: found.amenities,
        isOpen: openState(found, app.clock.now()).isOpen,
        limits: { ...found.limits },
        hours: found.hours.map((hours) => ({ ...hours })),
        closures: found.closures.map((closure) => ({ ...closure })),
        rates: found.rates.map((rate) => ({ ...rate })),
        services: offeredServices(found.servicePrices).map(({ service, name, unit, priceCents, minutes }) => ({
          service,
          name,
          unit,
          priceCents,
          minutes,
          storageMonths: storageMonthsOf(service),
        })),
        arrivesOn: first?.arrivesOn.toString() ?? null,
        openings: (first?.openings.get(found.id) ?? []).map(openingView),
      })
    },
  }),
  operation({
    id: 'listServiceTimes',
    method: 'get',
    path: '/shops/{code}/service-times',
    area: 'Shops',
    summary: 'List a shop’s times for a service',
    description: 'For a service without new tires, such as a rotation. Book one with `createCheckout`.',
    audience: 'anyone',
    params: z.strictObject({ code: shopCode }),
    query: z.strictObject({
      service: serviceKey,
      units: z.coerce.number().int().min(1).max(8).default(1),
    }),
    result: serviceTimes,
    refuses: ['ServiceNotOffered'],
    async handle({ app, params, query }) {
      const found = await findBookableService(app, { shopCode: params.code, service: query.service })
      const units = found && bookedUnits(found.service, query.units)
      if (!found || units === undefined) return problem('ServiceNotOffered')
      const { shop, service } = found
      const days = await serviceDays(app, { shop, service: service.key, units })
      return answer({
        shopId: shop.id,
        service: service.key,
        units,
        priceCents: service.priceCents * units,
        openings: days.flatMap(openingsOf),
      })
    },
  }),
]

function listed({
  id,
  code,
  name,
  kind,
  street,
  city,
  state,
  zip: at,
  timeZone,
  phone,
  ratingTenths,
  ratingCount,
  onTimePercent,
}: Installer) {
  return {
    id,
    code,
    name,
    kind,
    street: kind === 'van' ? null : street,
    city,
    state,
    zip: at,
    timeZone,
    phone,
    ratingTenths,
    ratingCount,
    onTimePercent,
  }
}
