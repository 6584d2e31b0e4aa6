/** The cart's fulfillment choice, and pickup locations. */
import { z } from 'zod'
import {
  noPickupPointMessage,
  noWarehouseMessage,
  outsideAreaMessage,
  pickupAwayMessage,
  pickupPointGoneMessage,
  warehouseShortMessage,
} from '#content/messages/booking.ts'
import { badZipMessage, zipMessages } from '#content/messages/places.ts'
import {
  changedCart,
  changeCart,
  changeRefusals,
  etagHeader,
  fulfillment as fulfillmentName,
  noCart,
  readOwnCart,
} from '#api/carts.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, distance, instant, toTenths } from '#api/schemas.ts'
import { releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import { chooseFulfillment } from '#domain/ordering/checkout/checkout.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findPickupWarehouses, type NearbyWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { findPlacesNear, readPlaceAgain } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { weekText } from '#domain/supply/pickup-places/pickup-places.ts'
import type { Application } from '#application'

const id = z.int().min(1).max(2_147_483_647)

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
    body: bodyOf({
      fulfillment: fulfillmentName.meta({ examples: ['home'] }),
      shopId: id.optional(),
      carrierLocationId: id.optional().meta({ description: 'For `carrier-pickup`' }),
      pickupWarehouseId: id.optional().meta({ description: 'For `warehouse-pickup`' }),
    }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'OutsideArea', 'DoesNotFit', 'ShopNotFound', 'CarrierUnavailable'],
    handle(call) {
      const { fulfillment, shopId: at = null, carrierLocationId = null, pickupWarehouseId = null } = call.body
      return changeCart(call, async (app, cart) => {
        if (at !== null && (await findShop(app, { id: at }))?.kind !== (fulfillment === 'mobile' ? 'van' : 'shop'))
          return problem('ShopNotFound')
        const refusal = await refuseCounter(app, cart, call.body)
        if (refusal) return refusal
        if (!isInstallation(fulfillment)) await releaseHold(app, { cartId: cart.id })
        const chosen = await chooseFulfillment(app, cart, {
          fulfillment,
          shopId: at,
          carrierLocationId,
          pickupWarehouseId,
        })
        if (chosen.ok) return undefined
        if (chosen.reason === 'does-not-fit') return problem('DoesNotFit', doesNotFitText(chosen))
        return chosen.reason === 'outside-area' ? problem('OutsideArea', outsideAreaMessage) : problem('NoCart')
      })
    },
  }),
]

type Asked = { fulfillment: string; carrierLocationId?: number | undefined; pickupWarehouseId?: number | undefined }

/**
 * Returns why the tires can't be picked up at the requested location. Returns undefined if they can or if they're
 * delivered.
 */
async function refuseCounter(
  app: Application,
  cart: Cart,
  { fulfillment, carrierLocationId, pickupWarehouseId }: Asked,
) {
  if (fulfillment === 'warehouse-pickup') {
    const near = cart.zip === null ? [] : await warehousesNear(app, cart, cart.zip)
    const chosen = near.find((warehouse) => warehouse.id === pickupWarehouseId)
    if (chosen?.hasAll) return undefined
    const words = chosen ? warehouseShortMessage : noWarehouseMessage
    return problem('BadRequest', words, { data: { pickupWarehouseId: words } })
  }
  if (fulfillment !== 'carrier-pickup') return undefined
  const place =
    cart.zip === null || carrierLocationId === undefined
      ? undefined
      : await readPlaceAgain(app, { zip: cart.zip, id: carrierLocationId })
  if (place?.ok) return undefined
  if (place?.reason === 'unavailable') return problem('CarrierUnavailable', pickupAwayMessage)
  const words = place?.reason === 'gone' ? pickupPointGoneMessage : noPickupPointMessage
  return problem('BadRequest', words, { data: { carrierLocationId: words } })
}

function warehousesNear(
  app: Application,
  { id: cartId, lines }: Pick<Cart, 'id' | 'lines'>,
  zip: string,
): Promise<NearbyWarehouse[]> {
  return findPickupWarehouses(app, {
    zip,
    lines: lines.map(({ itemId: id, quantity }) => ({ itemId: id, quantity })),
    releaseAfter: app.releaseAfterSeconds,
    cartId,
  })
}
