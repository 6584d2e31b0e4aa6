/** Fulfillment operations for the cart's shops and vans, their open times, and the held time. */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import type { Application } from '#application'
import { bookingMessages, releaseMessages } from '#content/messages/booking.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import { zipMessages } from '#content/messages/places.ts'
import { noCart, readOwnCart, readOwnCartAt } from '#api/carts.ts'
import { hold, holdBody, holdView, soldOut, takeTime } from '#api/checkout-steps.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { cents, day, instant, itemId, shopOfOffer, toTenths } from '#api/schemas.ts'
import { insteadOfLost } from '#api/other-times.ts'
import { dropOffWindow, opening, openingView } from '#api/times.ts'
import { extendHold, findHold, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import {
  listShopChoices,
  readShopMonth,
  refuseInstallation,
  settleHold,
} from '#domain/ordering/checkout/checkout.server.ts'

export const shopChoices = z.array(
  z.strictObject({
    shop: shopOfOffer,
    totalCents: cents.meta({ description: 'Out-the-door price' }),
    minutes: z.int(),
    arrivesOn: day.nullable(),
    openings: z.array(opening),
  }),
)

export const shopTimes = z.strictObject({
  timeZone: z.string(),
  arrivesOn: day,
  minutes: z.int(),
  days: z.array(
    z.strictObject({
      date: day,
      state: z.enum(['free', 'full', 'too-soon', 'past', 'closed', 'holiday']),
      reason: z.string().nullable(),
      times: z.array(z.strictObject({ start: instant, end: instant, free: z.boolean() })),
      dropOffs: z.array(
        z.strictObject({
          window: dropOffWindow,
          start: instant,
          end: instant,
          readyBy: instant,
          free: z.boolean(),
        }),
      ),
    }),
  ),
})

export const deliveryOperations = [
  operation({
    id: 'listShopChoices',
    method: 'get',
    path: '/cart/shops',
    area: 'Checkout',
    summary: 'List installers for the cart',
    audience: 'cart',
    query: z.strictObject({ kind: z.enum(['shop', 'van']).default('shop') }),
    result: shopChoices,
    refuses: ['NoCart', 'UnknownZip'],
    async handle({ app, caller, query }) {
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      const choices =
        cart.zip === null ? undefined : await listShopChoices(app, cart, { zip: cart.zip, kind: query.kind })
      if (!choices?.ok) return problem('UnknownZip', zipMessages[choices?.reason ?? 'zip-not-found'])
      return answer(
        choices.value.map(
          ({
            shop: { id, code, name, city, state, zip, timeZone, miles },
            totalCents,
            installation,
            arrivesOn,
            openings,
          }) => ({
            shop: { id, code, name, city, state, zip, timeZone, miles: toTenths(miles) },
            totalCents,
            minutes: installation.minutes,
            arrivesOn: arrivesOn?.toString() ?? null,
            openings: openings.map(openingView),
          }),
        ),
      )
    },
  }),
  operation({
    id: 'listTimes',
    method: 'get',
    path: '/cart/shops/{shopId}/times',
    area: 'Checkout',
    summary: 'List one shop’s times for the cart',
    audience: 'cart',
    params: z.strictObject({ shopId: itemId.meta({ examples: [1] }) }),
    result: shopTimes,
    refuses: ['NoCart', 'ShopNotFound', 'ShopNotCapable', 'OutOfStock'],
    async handle({ app, caller, params }) {
      const { cart, installer } = await readOwnCartAt(app, caller, params.shopId)
      if (!cart) return noCart()
      if (!installer) return problem('ShopNotFound')
      const month = await readShopMonth(app, cart, installer)
      if (!month.ok) {
        if (month.reason === 'out-of-stock') return problem('OutOfStock', soldOut)
        return month.reason === 'shop-not-found'
          ? problem('ShopNotFound')
          : problem('ShopNotCapable', bookingMessages['shop-not-capable'])
      }
      const { timeZone, arrivesOn, minutes, days } = month.value
      return answer({
        timeZone,
        arrivesOn: arrivesOn.toString(),
        minutes,
        days: days.map(({ date, state, reason, times, dropOffs }) => ({
          date: date.toString(),
          state,
          reason,
          times: times.map(({ start, end, free }) => ({ start: start.toString(), end: end.toString(), free })),
          dropOffs: dropOffs.map(({ window, start, end, readyBy, free }) => ({
            window,
            start: start.toString(),
            end: end.toString(),
            readyBy: readyBy.toString(),
            free,
          })),
        })),
      })
    },
  }),
  operation({
    id: 'holdSlot',
    method: 'post',
    path: '/cart/hold',
    area: 'Checkout',
    summary: 'Hold a time slot',
    description:
      'Send `start`, or `date` and `window` for a drop-off. Sets that shop (or van) on the cart and releases any previous hold. Up to eight tires of the cart are held with the time, for as long as it is held. If the time was just taken, the error returns the next available ones in `data.next`, and those of shops nearby in `data.elsewhere`.',
    audience: 'cart',
    status: 201,
    once: { isRequired: true, by: 'again' },
    body: holdBody,
    result: hold,
    refuses: [
      'NoCart',
      'ShopNotFound',
      'ShopNotCapable',
      'OutOfStock',
      'DoesNotFit',
      'OutsideArea',
      'SlotTaken',
      'OutsideHours',
      'TooSoon',
      'TooLate',
      'TooManyHolds',
    ],
    async handle({ app, caller, body }) {
      const { cart, installer } = await readOwnCartAt(app, caller, body.shopId)
      if (!cart) return noCart()
      const taken = await takeTime({ app, caller }, { cart, installer }, body)
      return taken.ok ? answer(taken.value.hold) : taken
    },
  }),
  operation({
    id: 'readHold',
    method: 'get',
    path: '/cart/hold',
    area: 'Checkout',
    summary: 'Get the held time',
    audience: 'cart',
    result: hold,
    refuses: ['NoHold'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      const found = cart && (await findHold(app, cart.id))
      return found ? answer(holdView(found)) : problem('NoHold', bookingMessages['no-hold'])
    },
  }),
  operation({
    id: 'extendHold',
    method: 'post',
    path: '/cart/hold/extensions',
    area: 'Checkout',
    summary: 'Extend the hold',
    description:
      'Up to ten times, even after the hold expired if the time and the tires are still available. If another shopper took the time, `data` has the next free times as for `holdSlot`.',
    audience: 'cart',
    once: { isRequired: true, by: 'again' },
    result: hold,
    refuses: ['NoHold', 'TooManyExtensions', 'SlotTaken', 'DoesNotFit', 'OutOfStock', 'TooSoon'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      const unfit = cart && (await refuseInstallation(app, cart, 'shop'))
      if (unfit) return problem('DoesNotFit', doesNotFitText(unfit))
      const extended = cart && (await extendHold(app, { cartId: cart.id }))
      if (!extended) return problem('NoHold', bookingMessages['no-hold'])
      if (extended.ok) return (await refuseTires(app, caller)) ?? answer(holdView(extended.value))
      const codes = {
        'no-hold': 'NoHold',
        'too-many-extensions': 'TooManyExtensions',
        'slot-lost': 'SlotTaken',
      } as const
      const data = extended.reason === 'slot-lost' ? await insteadOfLost(app, cart) : null
      return problem(codes[extended.reason], bookingMessages[extended.reason], { data })
    },
  }),
  operation({
    id: 'releaseHold',
    method: 'delete',
    path: '/cart/hold',
    area: 'Checkout',
    summary: 'Release the held time',
    audience: 'cart',
    status: 204,
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      if (cart) await releaseHold(app, { cartId: cart.id })
      return answer(null)
    },
  }),
]

/**
 * Reserves the tires again after extending the hold. Returns why the tires, and therefore the time, are unavailable.
 */
async function refuseTires(app: Application, { cartId = '', visitor }: Caller) {
  const settled = await settleHold(app, { cartId, heldBy: visitor.networkKey })
  if (settled === null) return undefined
  return settled === 'out-of-stock'
    ? problem('OutOfStock', bookingMessages[settled])
    : problem(settled === 'too-soon' ? 'TooSoon' : 'NoHold', releaseMessages[settled])
}
