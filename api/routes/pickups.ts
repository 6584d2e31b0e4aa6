/** The cart's fulfillment choice, and pickup locations. */
import { z } from 'zod'
import { pickupAwayMessage } from '#content/messages/booking.ts'
import { badZipMessage, zipMessages } from '#content/messages/places.ts'
import { changedCart, changeCart, changeRefusals, etagHeader, noCart, readOwnCart } from '#api/carts.ts'
import { deliveryBody, takeDelivery, warehousesNear } from '#api/checkout-steps.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { distance, instant, toTenths } from '#api/schemas.ts'
import { releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findPlacesNear } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { weekText } from '#domain/supply/pickup-places/pickup-places.ts'

export const pickupOperations = [
  operation({
    id: 'listPickupLocations',
    method: 'get',
    path: '/cart/pickup-locations',
    area: 'Checkout',
    summary: 'List carrier pickup locations',
    audience: 'cart',
    result: z.array(
      z.strictObject({
        id: z.int(),
        carrier: z.string(),
        name: z.string(),
        street: z.string(),
        city: z.string(),
        state: z.string(),
        zip: z.string(),
        hours: z.string().meta({ description: 'The week in words; empty if the carrier does not say' }),
        week: z
          .array(
            z.strictObject({
              weekday: z.int().meta({ description: '1, Monday, to 7' }),
              opens: z.string(),
              closes: z.string(),
            }),
          )
          .meta({ description: 'Local times' }),
        holdsDays: z.int().meta({ description: 'Number of days it holds a package' }),
        latitude: z.number(),
        longitude: z.number(),
        timeZone: z.string().nullable().meta({ description: 'IANA time zone of its hours' }),
        miles: distance,
      }),
    ),
    refuses: ['NoCart', 'UnknownZip', 'CarrierUnavailable'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      const near = cart.zip === null ? undefined : await findPlacesNear(app, { zip: cart.zip })
      if (near?.ok === false && near.reason === 'unavailable') return problem('CarrierUnavailable', pickupAwayMessage)
      if (!near?.ok) return problem('UnknownZip', zipMessages[near?.reason ?? 'zip-not-found'])
      return answer(
        near.value.places.map(
          ({ id, carrier, name, street, city, state, zip, week, holdsDays, latitude, longitude, timeZone, miles }) => ({
            id,
            carrier,
            name,
            street,
            city,
            state,
            zip,
            hours: weekText(week),
            week,
            holdsDays,
            latitude,
            longitude,
            timeZone,
            miles: toTenths(miles),
          }),
        ),
      )
    },
  }),
  operation({
    id: 'listPickupWarehouses',
    method: 'get',
    path: '/cart/pickup-warehouses',
    area: 'Checkout',
    summary: 'List warehouses to pick up at',
    audience: 'cart',
    result: z.array(
      z.strictObject({
        id: z.int(),
        name: z.string(),
        street: z.string(),
        city: z.string(),
        state: z.string(),
        zip: z.string(),
        hours: z.string(),
        timeZone: z.string(),
        miles: distance,
        readyAt: instant.nullable().meta({ description: 'When it is ready; null where not all tires are in stock' }),
      }),
    ),
    refuses: ['NoCart', 'UnknownZip'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      if (cart.zip === null) return problem('UnknownZip', badZipMessage)
      return answer(
        (await warehousesNear(app, cart, cart.zip)).map(
          ({ id, name, street, city, state, zip, week, timeZone, miles, readyAt, hasAll }) => ({
            id,
            name,
            street,
            city,
            state,
            zip,
            hours: weekText(week),
            timeZone,
            miles: toTenths(miles),
            readyAt: hasAll ? readyAt.toString() : null,
          }),
        ),
      )
    },
  }),
  operation({
    id: 'chooseDelivery',
    method: 'put',
    path: '/cart/delivery',
    area: 'Checkout',
    summary: 'Choose fulfillment',
    description:
      'With `shop` or `mobile`, hold a time as well, which also sets the shop. `home` and the pickups release a held time.',
    audience: 'cart',
    ifMatch: 'optional',
    body: deliveryBody,
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'OutsideArea', 'DoesNotFit', 'ShopNotFound', 'CarrierUnavailable'],
    handle(call) {
      return changeCart(call, async (app, cart) => {
        const taken = await takeDelivery(app, cart, call.body)
        if (!taken.ok) return taken
        if (!isInstallation(call.body.fulfillment)) await releaseHold(app, { cartId: cart.id })
        return undefined
      })
    },
  }),
]
