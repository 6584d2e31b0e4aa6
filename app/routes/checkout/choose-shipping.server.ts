/** Shipping page actions that hold, extend, or release a time, and choose the fulfillment. */
import { data } from 'react-router'
import {
  bookingMessages,
  releaseMessages,
  noPickupPointMessage,
  noWarehouseMessage,
  warehouseShortMessage,
  pickupAwayMessage,
  pickupPointGoneMessage,
  noShopMessage,
  noTimeMessage,
  outsideAreaMessage,
} from '#content/messages/booking.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { holdSlotFromForm } from '#app/forms/hold-slot.server.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import type { Visitor } from '#http/visitor.ts'
import { paths, withQuery } from '#content/paths.ts'
import { extendHold, findChosenTime, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  chooseFulfillment,
  findOtherTimes,
  refuseInstallation,
  settleHold,
} from '#domain/ordering/checkout/checkout.server.ts'
import { otherTimesView, type OtherTimesView } from '#app/routes/checkout/other-times-view.server.ts'
import { findPickupWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import type { FulfillmentTab } from '#app/routes/checkout/fulfillment-tabs.ts'
import { readPlaceAgain } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { ok } from '#platform/outcome.ts'
import type { Application } from '#application'

/** A submitted shipping form with its cart, its tab, and the shops' sort order. */
type ShippingForm = {
  app: Application
  visitor: Visitor
  cart: Cart
  fields: URLSearchParams
  tab: FulfillmentTab
  sort: string | null
}

/** Performs the form's `intent`. Returns a redirect, or the problem and its status. */
export async function chooseShipping(form: ShippingForm) {
  const { app, cart, fields } = form
  switch (fields.get('intent')) {
    case 'hold':
      return holdChosenSlot(form)
    case 'extend':
      return extendTime(form)
    case 'release':
      await releaseHold(app, { cartId: cart.id })
      return seeOther(shippingAddress(form.tab, null))
    case 'continue':
      return keepTime(form)
    case 'no-install':
      await releaseHold(app, { cartId: cart.id })
      return seeOther(paths.checkoutShipping('home'))
    case 'ship-home':
      await releaseHold(app, { cartId: cart.id })
      await chooseFulfillment(app, cart, { fulfillment: 'home' })
      return seeOther('/checkout/shipping-confirmation')
    case 'choose-counter':
      return chooseCounter(form)
    case 'choose-warehouse':
      return chooseWarehouse(form)
    default:
      return refuse(technicalMessages.tryAgain, 400)
  }
}

async function holdChosenSlot({ app, visitor, cart, fields, tab, sort }: ShippingForm) {
  const held = await holdSlotFromForm(app, visitor, cart, fields, installationOf(tab))
  if (!held.ok) return refuse(held.words, held.status, held.instead && (await otherTimesView(app, cart, held.instead)))
  const list = shippingAddress(tab, held.shopId, { sort: sort ?? undefined, day: fields.get('day') ?? undefined })
  return seeOther(safePath(fields.get('back'), list))
}

async function extendTime({ app, visitor, cart, fields, tab }: ShippingForm) {
  const unfit = await refuseInstallation(app, cart, installationOf(tab))
  if (unfit) return refuse(doesNotFitText(unfit), 409)
  const extended = await extendHold(app, { cartId: cart.id })
  const withoutTires = extended.ok ? await refuseTires(app, visitor, cart) : undefined
  if (withoutTires) return withoutTires
  return extended.ok
    ? seeOther(safePath(fields.get('back'), shippingAddress(tab, extended.value.shopId)))
    : refuse(bookingMessages[extended.reason], 409, await insteadOfLost(app, cart, extended.reason))
}

/** Reserves the tires for the held time. Returns why the tires, and therefore the time, are unavailable. */
async function refuseTires(app: Application, { networkKey }: Visitor, cart: Cart) {
  const settled = await settleHold(app, { cartId: cart.id, heldBy: networkKey })
  if (settled === null) return undefined
  return refuse(settled === 'out-of-stock' ? bookingMessages[settled] : releaseMessages[settled], 409)
}

/** Returns alternative times after a lost slot. */
async function insteadOfLost(app: Application, cart: Cart, reason: string): Promise<OtherTimesView | null> {
  const chosen = reason === 'slot-lost' ? await findChosenTime(app, cart.id) : undefined
  return chosen ? otherTimesView(app, cart, await findOtherTimes(app, cart, { shopId: chosen.booking.shopId })) : null
}

/** Continues with the chosen time; holds it again if it expired. */
async function keepTime({ app, visitor, cart, fields, tab }: ShippingForm) {
  const time = await findChosenTime(app, cart.id)
  const unfit = await refuseInstallation(app, cart, installationOf(tab))
  if (unfit) return refuse(doesNotFitText(unfit), 409)
  if (!time) return refuse(fields.get('shop') ? noTimeMessage : noShopMessage)
  const kept = time.status === 'held' ? ok(time.booking) : await extendHold(app, { cartId: cart.id })
  if (!kept.ok) return refuse(bookingMessages[kept.reason], 409, await insteadOfLost(app, cart, kept.reason))
  const chosen = await chooseFulfillment(app, cart, { fulfillment: installationOf(tab), shopId: kept.value.shopId })
  const withoutTires = chosen.ok ? await refuseTires(app, visitor, cart) : undefined
  if (withoutTires) return withoutTires
  return chosen.ok
    ? seeOther('/checkout/shipping-confirmation')
    : refuse(chosen.reason === 'outside-area' ? outsideAreaMessage : 'Your cart is empty.')
}

/** Accepts only a counter listed near the cart's ZIP. */
async function chooseCounter({ app, cart, fields }: ShippingForm) {
  const counterId = Number(fields.get('counter'))
  if (!Number.isSafeInteger(counterId) || counterId <= 0) return refuse(noPickupPointMessage)
  if (!cart.zip) return refuse(noPickupPointMessage)
  const place = await readPlaceAgain(app, { zip: cart.zip, id: counterId })
  if (!place.ok) return refuse(pickupRefusalMessages[place.reason], place.reason === 'unavailable' ? 503 : 422)
  await releaseHold(app, { cartId: cart.id })
  await chooseFulfillment(app, cart, { fulfillment: 'carrier-pickup', carrierLocationId: counterId })
  return seeOther('/checkout/shipping-confirmation')
}

async function chooseWarehouse({ app, cart, fields }: ShippingForm) {
  const lines = cart.lines.map(({ itemId, quantity }) => ({ itemId, quantity }))
  const near = cart.zip
    ? await findPickupWarehouses(app, {
        zip: cart.zip,
        lines,
        releaseAfter: app.releaseAfterSeconds,
        cartId: cart.id,
      })
    : []
  const chosen = near.find(({ id }) => String(id) === fields.get('warehouse'))
  if (!chosen) return refuse(noWarehouseMessage)
  if (!chosen.hasAll) return refuse(warehouseShortMessage)
  await releaseHold(app, { cartId: cart.id })
  await chooseFulfillment(app, cart, { fulfillment: 'warehouse-pickup', pickupWarehouseId: chosen.id })
  return seeOther('/checkout/shipping-confirmation')
}

const pickupRefusalMessages = {
  'not-near': noPickupPointMessage,
  gone: pickupPointGoneMessage,
  unavailable: pickupAwayMessage,
} as const

function installationOf(tab: FulfillmentTab): 'mobile' | 'shop' {
  return tab === 'mobile' ? 'mobile' : 'shop'
}

/** The shipping page with the same tab open, and the given shop selected. */
function shippingAddress(tab: FulfillmentTab, shopId: number | null, extra: Record<string, string | undefined> = {}) {
  return withQuery('/checkout/shipping', { tab: tab === 'shop' ? undefined : tab, shop: shopId ?? undefined, ...extra })
}

function refuse(problem: string, status = 422, instead: OtherTimesView | null = null) {
  return data({ problem, instead }, { status })
}
