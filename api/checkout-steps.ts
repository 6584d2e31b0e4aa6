/**
 * The steps of a checkout on a cart that the caller has read. Their operations and `createCheckout` share them. Each
 * returns what it changed, so that a call with several steps doesn't read the cart again.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { fulfillment as fulfillmentName, noCart } from '#api/carts.ts'
import { elsewhereView } from '#api/other-times.ts'
import { problem, type OwnCode, type Problem } from '#api/problem.ts'
import { bodyOf, instant } from '#api/schemas.ts'
import { choiceOf, dropOffWindow, openingView, pickedTime } from '#api/times.ts'
import { addressMessages } from '#content/messages/addresses.ts'
import {
  bookingMessages,
  noPickupPointMessage,
  noTimeMessage,
  noWarehouseMessage,
  outsideAreaMessage,
  pickupAwayMessage,
  pickupPointGoneMessage,
  warehouseShortMessage,
} from '#content/messages/booking.ts'
import { couponAttemptsMessage, couponMessages } from '#content/messages/coupons.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import { referralRefusalMessages } from '#content/messages/programs.ts'
import { couponCode } from '#domain/catalog/coupons/coupons.ts'
import { enterCountedCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { enterReferralCode } from '#domain/customers/programs/programs.server.ts'
import {
  chooseFulfillment,
  chooseServices,
  findOtherTimes,
  installationFor,
  saveBilling,
  saveContact,
  type CartDestination,
  type ContactRefusal,
  type Entered,
  type SavedBilling,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { canAddRoadside } from '#domain/ordering/checkout/checkout.ts'
import { tireCountOf, type Cart } from '#domain/payments/cart/cart.ts'
import { maxHoldExtensions, type Booking } from '#domain/scheduling/booking/booking.ts'
import { holdSlot, type HoldRefusal } from '#domain/scheduling/booking/booking.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { ShopInFull } from '#domain/scheduling/installers/installers.ts'
import { billingForm, contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findPickupWarehouses, type NearbyWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { readPlaceAgain } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { ok } from '#platform/outcome.ts'
import type { Application } from '#application'

type On = { readonly app: Application; readonly caller: Caller }
type Stepped<Value, Code extends OwnCode | 'BadRequest'> = Promise<{ ok: true; value: Value } | Problem<Code>>

const id = z.int().min(1).max(2_147_483_647)

export const deliveryBody = bodyOf({
  fulfillment: fulfillmentName.meta({ examples: ['home'] }),
  shopId: id.optional(),
  carrierLocationId: id.optional().meta({ description: 'For `carrier-pickup`' }),
  pickupWarehouseId: id.optional().meta({ description: 'For `warehouse-pickup`' }),
})
type DeliveryBody = z.output<typeof deliveryBody>

/** Sets the destination of a cart. A held time stays. */
export async function takeDelivery(
  app: Application,
  cart: Cart,
  body: DeliveryBody,
): Stepped<
  CartDestination,
  'BadRequest' | 'ShopNotFound' | 'CarrierUnavailable' | 'DoesNotFit' | 'OutsideArea' | 'NoCart'
> {
  const { fulfillment, shopId = null, carrierLocationId = null, pickupWarehouseId = null } = body
  if (shopId !== null && (await findShop(app, { id: shopId }))?.kind !== (fulfillment === 'mobile' ? 'van' : 'shop'))
    return problem('ShopNotFound')
  const refusal = await refuseCounter(app, cart, body)
  if (refusal) return refusal
  const chosen = await chooseFulfillment(app, cart, { fulfillment, shopId, carrierLocationId, pickupWarehouseId })
  if (chosen.ok) return chosen
  if (chosen.reason === 'does-not-fit') return problem('DoesNotFit', doesNotFitText(chosen))
  return chosen.reason === 'outside-area' ? problem('OutsideArea', outsideAreaMessage) : noCart()
}

/**
 * Returns why the tires can't be picked up at the requested location. Returns undefined if they can or if they're
 * delivered.
 */
async function refuseCounter(
  app: Application,
  cart: Cart,
  { fulfillment, carrierLocationId, pickupWarehouseId }: DeliveryBody,
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

/** Returns the warehouses where a cart's tires can be picked up, nearest first. */
export function warehousesNear(
  app: Application,
  { id: cartId, lines }: Pick<Cart, 'id' | 'lines'>,
  zip: string,
): Promise<NearbyWarehouse[]> {
  return findPickupWarehouses(app, {
    zip,
    lines: lines.map(({ itemId, quantity }) => ({ itemId, quantity })),
    releaseAfter: app.releaseAfterSeconds,
    cartId,
  })
}

export const hold = z
  .strictObject({
    shopId: z.int(),
    kind: z.enum(['wait', 'drop-off', 'mobile']),
    start: instant,
    end: instant,
    timeZone: z.string(),
    window: dropOffWindow.nullable(),
    dropOffCode: z.string().nullable(),
    expiresAt: instant.nullable(),
    extensionsLeft: z.int(),
  })
  .meta({ id: 'Hold' })

export const holdBody = bodyOf({ shopId: id.meta({ examples: [1] }), ...pickedTime })

export const soldOut = 'One of your tires just sold out. Take it out of the cart, or pick another.'

const holdCodes = {
  'shop-not-found': 'ShopNotFound',
  'shop-not-capable': 'ShopNotCapable',
  'outside-area': 'OutsideArea',
  'slot-taken': 'SlotTaken',
  'out-of-stock': 'OutOfStock',
  'outside-hours': 'OutsideHours',
  'too-soon': 'TooSoon',
  'too-late': 'TooLate',
  'too-many-holds': 'TooManyHolds',
  'too-many-holds-of-network': 'TooManyHolds',
} as const satisfies Record<HoldRefusal['reason'], OwnCode>
type HoldCode = (typeof holdCodes)[keyof typeof holdCodes]

/**
 * Holds a time for a cart at a shop that takes orders, `installer` with the ID in the body, and makes it the destination.
 */
export async function takeTime(
  { app, caller }: On,
  { cart, installer }: { cart: Cart; installer: ShopInFull | undefined },
  body: z.output<typeof holdBody>,
): Stepped<
  { hold: z.input<typeof hold>; destination: Partial<CartDestination> },
  HoldCode | 'BadRequest' | 'DoesNotFit'
> {
  const choice = choiceOf(body)
  if (!choice)
    return problem('BadRequest', noTimeMessage, {
      data: { start: 'Send start, or date and window.' },
    })
  if (!installer) return problem('ShopNotFound', bookingMessages['shop-not-found'])
  const target = await installationFor(app, cart, installer)
  if (!target.ok && target.reason === 'does-not-fit') return problem('DoesNotFit', doesNotFitText(target))
  if (!target.ok)
    return target.reason === 'out-of-stock'
      ? problem('OutOfStock', soldOut)
      : problem('ShopNotFound', bookingMessages['shop-not-found'])
  const held = await holdSlot(app, {
    cartId: cart.id,
    shopId: body.shopId,
    choice,
    ...target.value,
    heldBy: caller.visitor.networkKey,
    ...(cart.zip ? { zip: cart.zip } : {}),
  })
  if (!held.ok) {
    const data =
      held.reason === 'slot-taken'
        ? {
            next: held.detail.next.map(openingView),
            elsewhere: elsewhereView(await findOtherTimes(app, cart, { shopId: body.shopId, next: held.detail.next })),
          }
        : null
    return problem(holdCodes[held.reason], bookingMessages[held.reason], {
      data,
      ...(holdCodes[held.reason] === 'TooManyHolds' && { headers: { 'retry-after': '600' } }),
    })
  }
  const chosen = await chooseFulfillment(app, cart, {
    fulfillment: installer.kind === 'van' ? 'mobile' : 'shop',
    shopId: body.shopId,
  })
  return ok({ hold: holdView(held.value), destination: chosen.ok ? chosen.value : {} })
}

/** A held time as `hold` describes it. */
export function holdView({
  shopId,
  kind,
  start,
  end,
  timeZone,
  dropOff,
  holdExpiresAt,
  holdExtensions,
}: Booking): z.input<typeof hold> {
  return {
    shopId,
    kind,
    start: start.toString(),
    end: end.toString(),
    timeZone,
    window: dropOff?.window ?? null,
    dropOffCode: dropOff?.code ?? null,
    expiresAt: holdExpiresAt?.toString() ?? null,
    extensionsLeft: Math.max(0, maxHoldExtensions - holdExtensions),
  }
}

const keptKey = z.string().max(40).optional()

export const contactBody = bodyOf({
  ...contactForm.shape,
  keepAddress: keptKey.meta({ description: 'Uses this address as entered after `AddressUnsure`' }),
  shipToShop: keptKey.meta({ description: 'Ships to this very address after `AddressOfShop`' }),
})

type Details = { contact: SavedContact | null; billing: SavedBilling | null }

/** Saves the recipient of a cart. */
export async function takeContact(
  app: Application,
  { cart, contact: before, billing }: Entered,
  body: z.output<typeof contactBody>,
): Stepped<Details, 'BadRequest' | 'AddressUnsure' | 'AddressOfShop'> {
  const { ssoUid: _, keepAddress = null, shipToShop = null, ...contact } = body
  const saved = await saveContact(app, cart, contact, {
    address: keepAddress,
    shop: shipToShop,
    details: { contact: before, billing },
  })
  return saved.ok ? saved : contactProblem(saved)
}

function contactProblem(refusal: ContactRefusal): Problem<'BadRequest' | 'AddressUnsure' | 'AddressOfShop'> {
  switch (refusal.reason) {
    case 'field':
      return problem('BadRequest', refusal.detail.message, { data: { [refusal.detail.name]: refusal.detail.message } })
    case 'address-unsure': {
      const { words, recommended, key } = refusal.detail
      return problem('AddressUnsure', words, { data: { key, recommended } })
    }
    case 'address-of-shop': {
      const { shop, key } = refusal.detail
      return problem('AddressOfShop', addressMessages.shopTitle(shop.name), { data: { key, shopId: shop.id } })
    }
  }
}

/** Saves the billing details of a cart with a contact. */
export async function takeBilling(
  app: Application,
  { cart, contact }: Entered,
  body: z.output<typeof billingForm>,
): Stepped<Details, 'CartIncomplete'> {
  return contact
    ? ok({ contact, billing: await saveBilling(app, cart.id, body, contact) })
    : problem('CartIncomplete', 'There are no contact details yet.', { data: { step: 'contact' } })
}

export const servicesBody = bodyOf({
  coverage: z.boolean().meta({ description: 'Replacement coverage for every tire in the cart', examples: [true] }),
  roadside: z.boolean().meta({ examples: [false] }),
})

/** Saves whether coverage and roadside assistance were chosen. */
export async function takeServices(
  app: Application,
  cart: Cart,
  choice: z.output<typeof servicesBody>,
): Stepped<null, 'BadRequest'> {
  const allowed = canAddRoadside(
    { tireCount: tireCountOf(cart), isInstalled: isInstallation(cart.fulfillment) },
    app.businessTerms.current,
  )
  if (choice.roadside && !allowed.can)
    return problem('BadRequest', allowed.reason, { data: { roadside: allowed.reason } })
  await chooseServices(app, cart, choice)
  return ok(null)
}

export const couponBody = bodyOf({
  code: z
    .string()
    .min(1)
    .max(40)
    .meta({ examples: ['WELCOME10'] }),
})

/** Reads a code, and counts the attempt, whether or not it succeeds. Not for a transaction. */
export async function readCoupon(
  { app, caller }: On,
  body: z.output<typeof couponBody>,
): Stepped<string, 'BadRequest' | 'TooManyAttempts'> {
  const code = couponCode.safeParse(body.code)
  if (!code.success) return problem('BadRequest', code.error.issues[0]?.message)
  const taken = await app.rateLimits.take('coupon', { network: caller.visitor.networkKey })
  return taken.ok
    ? ok(code.data)
    : problem('TooManyAttempts', couponAttemptsMessage, {
        headers: { 'retry-after': String(taken.detail.retryAfterSeconds) },
      })
}

/** Adds the coupon or the referral with this code to a cart. `accountId` is the caller's; null for a guest. */
export async function takeCoupon(
  { app, caller }: On,
  { id: cartId }: Pick<Cart, 'id'>,
  { code, accountId }: { code: string; accountId: string | null },
): Stepped<null, 'CouponNotFound' | 'CouponUsedUp'> {
  const entered = await enterCountedCoupon(app, { cartId, code })
  if (entered.ok) return ok(null)
  const { reason } = entered
  const { ownReferral: ownCode } = caller.visitor
  const referred =
    reason === 'not-found' ? await enterReferralCode(app, { cartId, code, accountId, ownCode }) : undefined
  if (referred?.ok) return ok(null)
  if (referred?.reason === 'own-link') return problem('CouponNotFound', referralRefusalMessages['own-link'])
  const isKnown = reason === 'used-up' || reason === 'used-by-you'
  return problem(isKnown ? 'CouponUsedUp' : 'CouponNotFound', couponMessages[reason](entered.detail))
}
